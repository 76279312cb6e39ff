// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

// Nothing is reserved, so that one lane can hold the whole 200 units.
EngineOptions one_lane() {
  EngineOptions options = test_options();
  for (LaneOptions& lane : options.lanes) {
    lane.reserve = 0;
    lane.limit = 1;
  }
  return options;
}

// A cost of 150 needs 1.5 s of the whole ceiling. A stream of single units in the same lane, which
// takes every unit as it comes, stands back for it.
TEST(LeaseIsNotStarved, ByASaturatingStreamOfSmallBatches) {
  World world(one_lane());
  for (uint64_t i = 0; i < 2000; ++i)
    world.submit(submission("promotional", i));
  world.run_for(Duration::seconds(5));
  ASSERT_LT(world.lane(Lane::kPromotional).level, Units::of(2));

  const RequestId dear = world.acquire("promotional", Units::of(150), Duration::seconds(10));
  EXPECT_EQ(world.lease_answer(dear), nullptr);
  world.run_for(Duration::seconds(10));
  const AnswerLease* answer = world.lease_answer(dear);
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(answer->result, AnswerLease::Result::kGranted);
  EXPECT_GE(answer->waited, Duration::millis(1'470));
  EXPECT_LE(answer->waited, Duration::millis(1'650));
  EXPECT_GT(world.lane(Lane::kPromotional).pending_rows, 0) << "the stream did not saturate";
}

// The units of a lease are the lane's like those of a batch.
TEST(LeaseIsNotStarved, AndCountsInTheMetersOfItsLane) {
  World world(one_lane());
  world.run_for(Duration::seconds(2));
  world.acquire("promotional", Units::of(150));
  const LaneTotals totals = world.view().totals[index(Lane::kPromotional)];
  EXPECT_EQ(totals.offered, Units::of(150));
  EXPECT_EQ(totals.admitted, Units::of(150));
  world.run_for(Duration::seconds(2));
  EXPECT_EQ(world.lane(Lane::kPromotional).admitted_units_per_s, 15.0);
}

}  // namespace
}  // namespace weir::test
