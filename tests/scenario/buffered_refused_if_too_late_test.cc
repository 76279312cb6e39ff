// SPDX-License-Identifier: Apache-2.0
//
// A class that buffers takes what can still make its deadline by the order of its lane, however
// long the lane is, and refuses at the door what cannot.
#include <gtest/gtest.h>

#include "tests/support/windows.h"

namespace weir::test {
namespace {

constexpr Duration kMinute = Duration::seconds(60);

// Long enough for whatever is behind it to be late: 500 s of the lane's 80 units/s.
void fill(World& world) {
  for (uint64_t i = 0; i < 5; ++i)
    world.submit(submission("delivery_update", 10'000 * i, 8'000));
  world.run_for(Duration::seconds(1));
}

Submission reminder(const World& world, Duration until_event) {
  Submission one = submission("appointment_reminder", 900'000);
  one.event_at = world.now().wall + until_event;
  return one;
}

TEST(BufferedRefusedIfTooLate, WhatOvertakesALongLaneIsTakenAndMakesIt) {
  World world;
  fill(world);
  const RequestId request = world.submit(reminder(world, kMinute));
  world.run_for(kMinute);
  ASSERT_NE(world.accepted(request), nullptr);
  const Accept& yes = *world.accepted(request);
  ASSERT_TRUE(yes.predicted_send_at);
  EXPECT_LE(*yes.predicted_send_at, yes.message.deadline);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
}

TEST(BufferedRefusedIfTooLate, WhatGoesAfterALongLaneIsRefusedWithBothNumbers) {
  World world;
  fill(world);
  Submission behind = reminder(world, kMinute);
  behind.priority = kPriorities - 1;
  const RequestId request = world.submit(behind);
  world.run_for(Duration::millis(10));
  const Refusal* refusal = world.refused(request);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->code, RefusalCode::kDeadlineUnreachable);
  EXPECT_EQ(refusal->time_left, kMinute);
  ASSERT_TRUE(refusal->predicted_wait && refusal->retry_after);
  EXPECT_GT(*refusal->predicted_wait, kMinute);
  EXPECT_GE(*refusal->retry_after, Duration::seconds(1));
}

// The message that was refused would have been late: all that is in front of it is still there.
TEST(BufferedRefusedIfTooLate, TheRefusalIsRight) {
  World world;
  fill(world);
  world.run_for(kMinute);
  EXPECT_GT(world.lane(Lane::kTransactional).pending_units, Units::of(10'000));
}

TEST(BufferedRefusedIfTooLate, WhatIsInFrontAndExpiresIsNotWaitedFor) {
  World world;
  for (uint64_t i = 0; i < 5; ++i) {
    Submission early = submission("delivery_update", 10'000 * i, 700);
    early.deadline = world.now().wall + Duration::seconds(60);
    world.submit(early);
  }
  world.run_for(Duration::millis(10));
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(59)); };
  world.run_for(Duration::seconds(2));
  // More is in front of it than the lane takes in the time, but all of that is gone before.
  const RequestId request = world.submit(reminder(world, Duration::seconds(62)));
  world.gateway = [](const Payload&) { return accepted_reply(); };
  world.run_for(Duration::seconds(65));
  ASSERT_NE(world.accepted(request), nullptr);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
}

TEST(BufferedRefusedIfTooLate, ACampaignThatTheWindowCannotTakeMayComeAgainWhenItHasClosed) {
  World world(with_window("promotional", AtClose::kShed), open_between({{0, 10}, {600, 660}}));
  world.run_for(kMinute * 9);
  const RequestId late = world.submit(submission("promotional", 1, 20'000));  // 200 s at 100/s
  world.run_for(Duration::millis(10));
  ASSERT_NE(world.refused(late), nullptr);
  EXPECT_EQ(world.refused(late)->code, RefusalCode::kDeadlineUnreachable);
  EXPECT_EQ(world.refused(late)->retry_after, kMinute);
  world.run_for(kMinute);
  const RequestId again = world.submit(submission("promotional", 1, 20'000));
  world.run_for(Duration::millis(10));
  ASSERT_NE(world.accepted(again), nullptr);
  world.run_for(kMinute * 650);
  EXPECT_EQ(world.rows_in(BatchState::kShed), 0);
}

// What has to wait for the opening is measured by it, and by what waits for it as well.
TEST(BufferedRefusedIfTooLate, WhatComesWhileTheWindowIsClosedIsMeasuredByTheOpening) {
  World world(with_window("promotional", AtClose::kShed), open_between({{0, 10}, {20, 30}}));
  world.run_for(kMinute * 15);
  world.submit(submission("promotional", 1, 40'000));  // 400 s of the ten minutes
  world.run_for(Duration::seconds(1));
  const RequestId late = world.submit(submission("promotional", 50'000, 30'000));
  const RequestId fits = world.submit(submission("promotional", 90'000, 10'000));
  world.run_for(Duration::millis(20));
  ASSERT_NE(world.refused(late), nullptr);
  EXPECT_EQ(world.refused(late)->code, RefusalCode::kDeadlineUnreachable);
  ASSERT_NE(world.accepted(fits), nullptr);
  world.run_for(kMinute * 20);
  EXPECT_EQ(world.rows_in(BatchState::kShed), 0);
}

}  // namespace
}  // namespace weir::test
