// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

TEST(DiskTrouble, NothingIsAcceptedThatCannotBeWritten) {
  World world;
  world.disk_works = false;
  const RequestId request = world.submit(submission("delivery_update", 1));
  world.run_for(Duration::seconds(1));
  ASSERT_NE(world.refused(request), nullptr);
  EXPECT_EQ(world.refused(request)->code, RefusalCode::kStoreUnavailable);
  EXPECT_EQ(world.accepted(request), nullptr);
  EXPECT_EQ(world.lane(Lane::kTransactional).pending_rows, 0);
  EXPECT_EQ(world.lane(Lane::kTransactional).pending_units, Units());
}

TEST(DiskTrouble, NothingIsSentThatCannotBeClaimed) {
  World world;
  const RequestId request = world.submit(submission("delivery_update", 1));
  world.run_for(world.commit_time);  // accepted; its tokens are not there yet
  ASSERT_NE(world.accepted(request), nullptr);
  world.disk_works = false;
  world.report_disk(false);
  world.run_for(Duration::seconds(60));
  EXPECT_TRUE(world.sent().empty());
  EXPECT_EQ(world.view().store_trouble, StoreTrouble::kDiskFull);
  world.disk_works = true;
  world.report_disk(true);
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(10)));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
}

TEST(DiskTrouble, AClaimThatFailsGivesBackItsTokensItsSlotAndItsPlace) {
  World world;
  world.run_for(Duration::seconds(5));
  const RequestId request = world.submit(submission("delivery_update", 1));
  world.run_for(world.commit_time);
  world.disk_works = false;  // the claim is on its way
  world.run_for(world.commit_time * 2);
  world.report_disk(false);
  world.run_for(world.commit_time);
  const LaneView lane = world.lane(Lane::kTransactional);
  EXPECT_EQ(lane.in_flight, 0);
  EXPECT_EQ(lane.pending_rows, 1);
  EXPECT_EQ(lane.level, lane.capacity);
  world.disk_works = true;
  world.report_disk(true);
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(5)));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
}

TEST(DiskTrouble, ADirectOtpThatCannotBeWrittenIsRefusedAndGivesBackItsTokens) {
  World world;
  world.run_for(Duration::seconds(5));
  world.disk_works = false;
  const RequestId request = world.submit(submission("otp", 1));
  world.run_for(Duration::seconds(1));
  ASSERT_NE(world.refused(request), nullptr);
  EXPECT_EQ(world.lane(Lane::kOtp).in_flight, 0);
  EXPECT_EQ(world.lane(Lane::kOtp).level, world.lane(Lane::kOtp).capacity);
  EXPECT_TRUE(world.sent().empty());
}

TEST(DiskTrouble, LittleSpaceStopsIntakeAndWhatIsHereGoesOut) {
  World world;
  const RequestId here = world.submit(submission("delivery_update", 1));
  world.run_for(world.commit_time);
  ASSERT_NE(world.accepted(here), nullptr);
  world.report(StoreTrouble::kLowSpace);
  const RequestId later = world.submit(submission("delivery_update", 2));
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(10)));
  EXPECT_EQ(world.states(here), std::vector{BatchState::kSubmitted});
  ASSERT_NE(world.refused(later), nullptr);
  EXPECT_EQ(world.refused(later)->code, RefusalCode::kStoreUnavailable);
}

}  // namespace
}  // namespace weir::test
