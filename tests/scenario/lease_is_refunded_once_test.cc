// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using enum AnswerLease::Result;

LeaseId granted(World& world, int64_t units) {
  const AnswerLease* answer = world.lease_answer(world.acquire("promotional", Units::of(units)));
  EXPECT_TRUE(answer != nullptr && answer->result == kGranted);
  return answer == nullptr ? LeaseId{} : answer->lease;
}

AnswerLease::Result refunded(World& world, LeaseId lease) {
  return world.lease_answer(world.refund(lease))->result;
}

Units level(const World& world) {
  return world.lane(Lane::kPromotional).level;
}

// The promotional lane can hold 100 of the 200 units; the rest is reserved above it.
// T35.
TEST(LeaseIsRefundedOnce, TheSecondTimeNothingComesBack) {
  World world;
  world.run_for(Duration::seconds(3));
  const LeaseId first = granted(world, 50);
  granted(world, 30);
  EXPECT_EQ(level(world), Units::of(20));
  const RequestId back = world.refund(first);
  EXPECT_EQ(world.lease_answer(back)->result, kRefunded);
  EXPECT_EQ(world.lease_answer(back)->cost, Units::of(50));
  EXPECT_EQ(level(world), Units::of(70));
  EXPECT_EQ(refunded(world, first), kUnknownLease);
  EXPECT_EQ(level(world), Units::of(70));
}

TEST(LeaseIsRefundedOnce, AndNotAfterItsTime) {
  EngineOptions options = test_options();
  options.lease_time = Duration::seconds(10);
  World world(options);
  world.run_for(Duration::seconds(3));
  const LeaseId early = granted(world, 10);
  const LeaseId late = granted(world, 10);
  world.run_for(Duration::millis(9'999));
  EXPECT_EQ(refunded(world, early), kRefunded);
  world.run_for(Duration::millis(1));
  EXPECT_EQ(refunded(world, late), kUnknownLease);
}

TEST(LeaseIsRefundedOnce, AndALeaseOfAnEarlierRunNamesNoneOfThisOne) {
  World world;
  world.run_for(Duration::seconds(3));
  const LeaseId old = granted(world, 50);
  world.run_for(Duration::seconds(1));
  world.restart();
  world.run_for(Duration::seconds(3));
  EXPECT_NE(granted(world, 50), old);
  EXPECT_EQ(level(world), Units::of(50));
  EXPECT_EQ(refunded(world, old), kUnknownLease);
  EXPECT_EQ(level(world), Units::of(50));
}

}  // namespace
}  // namespace weir::test
