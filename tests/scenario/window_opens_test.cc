// SPDX-License-Identifier: Apache-2.0
//
// What comes while the window of its class is closed waits for the opening and goes then, in order.
#include <gtest/gtest.h>

#include "tests/support/windows.h"

namespace weir::test {
namespace {

constexpr Duration kMinute = Duration::seconds(60);

TEST(WindowOpens, WhileItIsOpenMessagesGoAsEver) {
  World world(with_window("promotional", AtClose::kShed), open_between({{-60, 60}}));
  world.run_for(kMinute);
  const RequestId request = world.submit(submission("promotional", 1));
  EXPECT_TRUE(world.run_until_idle(kMinute));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
  EXPECT_EQ(world.accepted(request)->message.deadline, minute(60));
}

TEST(WindowOpens, WhatComesWhileItIsClosedGoesAtTheOpeningAndNotBefore) {
  World world(with_window("promotional", AtClose::kShed), open_between({{-60, 0}, {30, 60}}));
  world.run_for(kMinute);
  const RequestId request = world.submit(submission("promotional", 1));
  world.run_for(kMinute * 28);
  ASSERT_NE(world.accepted(request), nullptr);
  EXPECT_EQ(world.accepted(request)->predicted_send_at, minute(30));
  EXPECT_EQ(world.accepted(request)->message.deadline, minute(60));
  EXPECT_TRUE(world.sent().empty());
  EXPECT_FALSE(world.lane(Lane::kPromotional).oldest_age) << "it could not have been sent yet";
  world.run_for(kMinute + Duration::seconds(1));
  ASSERT_EQ(world.sent().size(), 1);
}

TEST(WindowOpens, TheMostUrgentGoFirstHoweverManyWaited) {
  EngineOptions options = with_window("promotional", AtClose::kCarryOver);
  options.batch_max = 1;
  options.slice = 8;
  World world(options, open_between({{30, 60}}));
  for (int i = 0; i < 500; ++i) {
    Submission one = submission("promotional", 1 + static_cast<uint64_t>(i));
    one.priority = static_cast<uint8_t>(9 - i % 10);
    world.submit(one);
  }
  EXPECT_TRUE(world.run_until_idle(kMinute * 60));
  ASSERT_EQ(world.sent().size(), 500);
  // Fifty of each priority; number n came in as the n-th and has priority 9 - (n-1) % 10.
  uint64_t last = 0;
  for (const World::Sent& one : world.sent()) {
    const uint64_t priority = 9 - (one.recipients.at(0).digits - 910'000'000'001) % 10;
    EXPECT_GE(priority, last);
    last = priority;
  }
}

TEST(WindowOpens, AScheduleInsideOfClosedHoursGoesAtTheOpeningAfterIt) {
  World world(with_window("promotional", AtClose::kShed), open_between({{0, 10}, {30, 60}}));
  Submission one = submission("promotional", 1);
  one.not_before = minute(20);
  const RequestId request = world.submit(one);
  world.run_for(kMinute * 29);
  EXPECT_TRUE(world.sent().empty());
  ASSERT_NE(world.accepted(request), nullptr);
  EXPECT_EQ(world.accepted(request)->predicted_send_at, minute(30));
  EXPECT_EQ(world.accepted(request)->message.deadline, minute(60));
  world.run_for(kMinute * 2);
  EXPECT_EQ(world.sent().size(), 1);
}

TEST(WindowOpens, ADeadlineBeforeTheOpeningIsRefusedAtTheDoor) {
  World world(with_window("promotional", AtClose::kCarryOver), open_between({{30, 60}}));
  Submission one = submission("promotional", 1);
  one.deadline = minute(30);
  const RequestId request = world.submit(one);
  const Refusal* refusal = world.refused(request);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->code, RefusalCode::kOutsideWindow);
  EXPECT_EQ(http_status(refusal->code), 422);
  EXPECT_EQ(refusal->fields.at(0).pointer, "/deadline");
  EXPECT_EQ(world.lane(Lane::kPromotional).pending_rows, 0);
}

TEST(WindowOpens, AWindowThatNobodyHasToldTheHoursOfIsClosed) {
  World world(with_window("promotional", AtClose::kCarryOver));
  const RequestId early = world.submit(submission("promotional", 1));
  ASSERT_NE(world.refused(early), nullptr);
  world.read_calendar(open_between({{0, 60}}));
  world.submit(submission("promotional", 1));
  EXPECT_TRUE(world.run_until_idle(kMinute));
  EXPECT_EQ(world.sent().size(), 1);
}

TEST(WindowOpens, AWallClockThatIsSteppedIntoClosedHoursSendsNothing) {
  World world(with_window("promotional", AtClose::kCarryOver), open_between({{0, 60}, {600, 660}}));
  world.gateway = [](const Payload&) { return throttled_reply(); };
  world.submit(submission("promotional", 1));
  world.run_for(Duration::seconds(5));
  const size_t sent = world.sent().size();
  EXPECT_GT(sent, 0);
  world.wall_step = kMinute * 120;
  world.run_for(kMinute * 5);
  EXPECT_EQ(world.sent().size(), sent);
  world.wall_step = kMinute * 10;
  world.run_for(kMinute * 5);
  EXPECT_GT(world.sent().size(), sent);
}

TEST(WindowOpens, TheViewSaysWhen) {
  World world(with_window("promotional", AtClose::kShed), open_between({{0, 10}, {30, 60}}));
  ASSERT_EQ(world.view().windows.size(), 1);
  WindowView window = world.view().windows[0];
  EXPECT_EQ(window.class_name, "promotional");
  EXPECT_TRUE(window.open);
  EXPECT_EQ(window.closes_at, minute(10));
  EXPECT_EQ(window.opens_at, minute(30));
  world.run_for(kMinute * 10);
  window = world.view().windows[0];
  EXPECT_FALSE(window.open);
  EXPECT_FALSE(window.closes_at);
  EXPECT_EQ(window.opens_at, minute(30));
}

}  // namespace
}  // namespace weir::test
