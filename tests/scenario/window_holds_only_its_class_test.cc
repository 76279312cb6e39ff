// SPDX-License-Identifier: Apache-2.0
//
// Other classes of the lane, and other lanes, go on while a window is closed.
#include <gtest/gtest.h>

#include "tests/support/windows.h"

namespace weir::test {
namespace {

constexpr Duration kMinute = Duration::seconds(60);

EngineOptions with_newsletter(AtClose at_close) {
  EngineOptions options = with_window("promotional", at_close);
  ClassOptions newsletter;
  newsletter.name = "newsletter";
  newsletter.policy = Policy::kShed;
  options.classes.push_back(newsletter);  // the same lane, at any hour
  return options;
}

TEST(WindowHoldsOnlyItsClass, WhatStandsBehindAClosedFrontGoes) {
  const EngineOptions options = with_newsletter(AtClose::kCarryOver);
  World world(options, open_between({{0, 10}, {600, 660}}, options));
  world.run_for(kMinute * 9 + Duration::seconds(50));
  Submission campaign = submission("promotional", 1, 20'000);
  campaign.priority = 0;
  world.submit(campaign);
  world.run_for(kMinute);
  const size_t before = world.sent().size();
  EXPECT_GT(world.rows_in(BatchState::kPending), 50);
  const RequestId other = world.submit(submission("newsletter", 100'000));
  world.run_for(Duration::seconds(2));
  EXPECT_EQ(world.states(other), std::vector{BatchState::kSubmitted});
  EXPECT_EQ(world.sent().size(), before + 1);
}

TEST(WindowHoldsOnlyItsClass, WhatIsHeldIsNotAheadOfOthersInAPrediction) {
  const EngineOptions options = with_newsletter(AtClose::kCarryOver);
  World world(options, open_between({{600, 660}}, options));
  world.run_for(kMinute);
  const RequestId held = world.submit(submission("promotional", 1, 50'000));
  world.run_for(Duration::seconds(1));
  EXPECT_EQ(world.lane(Lane::kPromotional).predicted_wait, Duration());
  EXPECT_EQ(world.lane(Lane::kPromotional).pressure, Pressure::kClear);
  const RequestId other = world.submit(submission("newsletter", 100'000));
  const RequestId later = world.submit(submission("promotional", 200'000));
  world.run_for(Duration::seconds(1));
  ASSERT_NE(world.accepted(other), nullptr);
  EXPECT_LT(world.accepted(other)->predicted_send_at, minute(2));
  ASSERT_NE(world.accepted(later), nullptr);
  EXPECT_GT(world.accepted(later)->predicted_send_at, minute(600) + kMinute * 5)
      << "50 000 units at 100 a second are ahead at the opening";
  EXPECT_EQ(world.states(held).front(), BatchState::kPending);
}

TEST(WindowHoldsOnlyItsClass, UnitsOfAClosedClassAreDeniedUntilItOpens) {
  const EngineOptions options = with_newsletter(AtClose::kCarryOver);
  World world(options, open_between({{0, 10}, {30, 60}}, options));
  world.run_for(kMinute * 9 + Duration::seconds(59));
  const RequestId open = world.acquire("promotional", Units::of(1));
  // Its tokens come after the close.
  const RequestId crossing = world.acquire("promotional", Units::of(200), Duration::seconds(10));
  world.run_for(kMinute);
  const RequestId closed = world.acquire("promotional", Units::of(1), Duration::seconds(60));
  const RequestId other = world.acquire("newsletter", Units::of(1));
  ASSERT_NE(world.lease_answer(open), nullptr);
  EXPECT_EQ(world.lease_answer(open)->result, AnswerLease::Result::kGranted);
  ASSERT_NE(world.lease_answer(closed), nullptr);
  EXPECT_EQ(world.lease_answer(closed)->result, AnswerLease::Result::kDenied);
  EXPECT_EQ(world.lease_answer(closed)->retry_after, minute(30) - world.now().wall);
  ASSERT_NE(world.lease_answer(crossing), nullptr);
  EXPECT_NE(world.lease_answer(crossing)->result, AnswerLease::Result::kGranted);
  ASSERT_NE(world.lease_answer(other), nullptr);
  EXPECT_EQ(world.lease_answer(other)->result, AnswerLease::Result::kGranted);
}

}  // namespace
}  // namespace weir::test
