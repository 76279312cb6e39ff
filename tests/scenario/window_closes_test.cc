// SPDX-License-Identifier: Apache-2.0
//
// At the close of a window what was not sent is shed, where the class says so: the close is a
// deadline, and no retry moves it.
#include <gtest/gtest.h>

#include "tests/support/windows.h"

namespace weir::test {
namespace {

constexpr Duration kMinute = Duration::seconds(60);

TEST(WindowCloses, WhatIsLeftIsShedAtThatInstantAndSaysWhy) {
  EngineOptions options = test_options();
  options.batch_max = 50;
  World world(with_window("promotional", AtClose::kShed, options),
              open_between({{0, 10}, {600, 660}}));
  world.run_for(kMinute * 9);
  world.submit(submission("promotional", 1, 5'000));                          // 50 s at 100/s
  const RequestId request = world.submit(submission("promotional", 50'000));  // behind it
  world.run_for(Duration::seconds(20));
  world.latency = Duration::seconds(100);  // its calls hold every slot
  world.run_for(Duration::seconds(40) - Duration::millis(1));
  EXPECT_EQ(world.rows_in(BatchState::kShed), 0);
  EXPECT_GT(world.rows_in(BatchState::kSubmitted), 0);
  world.run_for(Duration::seconds(1));
  EXPECT_EQ(world.rows_in(BatchState::kPending), 0);
  EXPECT_GT(world.rows_in(BatchState::kShed), 10);
  EXPECT_EQ(world.last_reason(request), "window");
}

TEST(WindowCloses, AnEarlierDeadlineKeepsItsOwnReason) {
  World world(with_window("promotional", AtClose::kShed), open_between({{0, 10}}));
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(200)); };
  world.run_for(Duration::seconds(10));
  world.submit(submission("promotional", 1));
  world.run_for(Duration::seconds(1));
  Submission one = submission("promotional", 2);
  one.deadline = minute(5);
  const RequestId request = world.submit(one);
  EXPECT_EQ(world.run_until_idle(kMinute * 20), true);
  EXPECT_EQ(world.accepted(request)->message.deadline, minute(5));
  EXPECT_EQ(world.last_reason(request), "deadline");
}

TEST(WindowCloses, FiveRetriesDoNotMoveTheDeadline) {
  EngineOptions options = with_window("promotional", AtClose::kShed);
  options.backoff = {Duration::seconds(20), Duration::seconds(60)};
  World world(options, open_between({{0, 10}, {20, 30}}));
  world.gateway = [](const Payload&) { return throttled_reply(); };
  world.run_for(Duration::seconds(5));
  const RequestId request = world.submit(submission("promotional", 1));
  world.run_for(kMinute * 30);
  EXPECT_GT(world.sent().size(), 5);
  EXPECT_LT(world.sent().back().at - MonoTime::from_ns(3'600'000'000'000), kMinute * 10);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kShed});
  EXPECT_EQ(world.last_reason(request), "window");
}

TEST(WindowCloses, AClaimThatCrossesTheCloseIsShedAndNotSent) {
  World world(with_window("promotional", AtClose::kShed), open_between({{0, 10}, {600, 660}}));
  world.commit_time = Duration::seconds(30);  // a disk that hangs
  world.run_for(kMinute * 9 + Duration::seconds(15));
  const RequestId request = world.submit(submission("promotional", 1));
  world.run_for(kMinute * 3);
  EXPECT_TRUE(world.sent().empty());
  EXPECT_EQ(world.states(request), std::vector{BatchState::kShed});
  EXPECT_EQ(world.last_reason(request), "window");
}

TEST(WindowCloses, AfterARestartTheSameIsShedForTheSameReason) {
  World world(with_window("promotional", AtClose::kShed), open_between({{0, 10}, {600, 660}}));
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(40)); };
  world.run_for(kMinute * 9);
  world.submit(submission("promotional", 1));
  world.run_for(Duration::seconds(5));
  const RequestId request = world.submit(submission("promotional", 2));
  world.run_for(Duration::seconds(5));
  world.wall_step = kMinute * 5;  // it is down meanwhile
  world.restart();
  world.run_for(Duration::seconds(1));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kShed});
  EXPECT_EQ(world.last_reason(request), "window");
}

// As many as there are at the close of a campaign, shed in slices; an OTP in the middle goes
// through.
TEST(WindowCloses, AStormOfShedsDelaysNoOtp) {
  EngineOptions options = with_window("promotional", AtClose::kShed);
  options.batch_max = 1;
  World world(options, open_between({{0, 1}}));
  for (int i = 0; i < 20; ++i)
    world.submit(submission("promotional", 10'000 * static_cast<uint64_t>(i), 2000));
  world.run_for(kMinute - Duration::millis(1));
  const RequestId otp = world.submit(submission("otp", 1));
  const MonoTime asked = world.now().mono;
  world.run_for(Duration::millis(100));
  ASSERT_NE(world.accepted(otp), nullptr);
  ASSERT_EQ(world.sent_in(Lane::kOtp).size(), 1);
  EXPECT_LE(world.sent_in(Lane::kOtp)[0].at - asked, Duration::millis(10));
  EXPECT_TRUE(world.run_until_idle(kMinute));
  EXPECT_GT(world.rows_in(BatchState::kShed), 30'000);
}

}  // namespace
}  // namespace weir::test
