// SPDX-License-Identifier: Apache-2.0
//
// At the close of a window what was not sent waits for the next opening, where the class says so,
// while its deadline is ahead.
#include <gtest/gtest.h>

#include "tests/support/windows.h"

namespace weir::test {
namespace {

constexpr Duration kMinute = Duration::seconds(60);

TEST(WindowCarriesOver, WhatIsLeftGoesOnAtTheNextOpening) {
  World world(with_window("promotional", AtClose::kCarryOver), open_between({{0, 10}, {600, 660}}));
  world.run_for(kMinute * 9);
  const RequestId request = world.submit(submission("promotional", 1, 20'000));  // 200 s at 100/s
  world.run_for(kMinute * 590);
  const size_t before = world.sent().size();
  EXPECT_GT(before, 0);
  EXPECT_GT(world.rows_in(BatchState::kPending), 50);
  EXPECT_TRUE(world.run_until_idle(kMinute * 10));
  EXPECT_GT(world.sent().size(), before);
  for (BatchState state : world.states(request))
    EXPECT_EQ(state, BatchState::kSubmitted);
}

TEST(WindowCarriesOver, ADeadlineThatFallsIntoClosedHoursShedsThenAndBlamesTheWindow) {
  World world(with_window("promotional", AtClose::kCarryOver), open_between({{0, 10}, {600, 660}}));
  world.run_for(kMinute * 9);
  world.submit(submission("promotional", 1, 20'000));
  Submission one = submission("promotional", 50'000);  // behind it
  one.priority = 9;
  one.deadline = minute(300);
  const RequestId request = world.submit(one);
  world.run_for(kMinute * 290);
  EXPECT_EQ(world.rows_in(BatchState::kShed), 0);
  world.run_for(kMinute * 2);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kShed});
  EXPECT_GT(world.rows_in(BatchState::kPending), 50) << "the rest waits for the opening";
  EXPECT_EQ(world.last_reason(request), "window");
}

TEST(WindowCarriesOver, ARetryThatComesDueInClosedHoursWaitsForTheOpening) {
  World world(with_window("promotional", AtClose::kCarryOver), open_between({{0, 10}, {30, 60}}));
  bool first = true;
  world.gateway = [&first](const Payload&) {
    if (!std::exchange(first, false)) return accepted_reply();
    return throttled_reply(Duration::seconds(120));
  };
  world.run_for(kMinute * 9);
  const RequestId request = world.submit(submission("promotional", 1));
  world.run_for(kMinute * 20);
  EXPECT_EQ(world.sent().size(), 1);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kPending});
  world.run_for(kMinute * 2);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
}

TEST(WindowCarriesOver, AClaimThatCrossesTheCloseIsNotSentBeforeTheNextOpening) {
  World world(with_window("promotional", AtClose::kCarryOver), open_between({{0, 10}, {30, 60}}));
  world.commit_time = Duration::seconds(30);  // a disk that hangs
  world.run_for(kMinute * 9 + Duration::seconds(15));
  const RequestId request = world.submit(submission("promotional", 1));
  world.run_for(kMinute * 10);
  EXPECT_TRUE(world.sent().empty());
  EXPECT_EQ(world.states(request), std::vector{BatchState::kPending});
  EXPECT_EQ(world.last_reason(request), "window_closed");
  EXPECT_EQ(world.lane(Lane::kPromotional).in_flight, 0);
  world.run_for(kMinute * 15);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
}

TEST(WindowCarriesOver, ARestartInClosedHoursSendsNothing) {
  World world(with_window("promotional", AtClose::kCarryOver), open_between({{0, 10}, {30, 60}}));
  world.run_for(kMinute * 9);
  world.submit(submission("promotional", 1, 20'000));
  world.run_for(kMinute * 5);
  const size_t before = world.sent().size();
  world.restart();
  world.run_for(kMinute * 15);
  EXPECT_EQ(world.sent().size(), before);
  EXPECT_FALSE(world.lane(Lane::kPromotional).oldest_age > kMinute * 31);
  world.run_for(kMinute * 10);
  EXPECT_GT(world.sent().size(), before);
}

}  // namespace
}  // namespace weir::test
