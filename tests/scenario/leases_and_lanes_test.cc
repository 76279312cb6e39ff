// SPDX-License-Identifier: Apache-2.0
//
// Who waits for a lease is a front of its lane: lanes below stand back for it, the ceiling may grow
// for it. Who waits for a private bucket is neither.
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using enum AnswerLease::Result;

bool is_granted(const World& world, RequestId request) {
  const AnswerLease* answer = world.lease_answer(request);
  return answer != nullptr && answer->result == kGranted;
}

// Single promotions keep the account just above their own floor, and 100 units of the lane above
// need more than lies between the two floors (60).
TEST(LeasesAndLanes, ALargeLeaseIsNotStarvedBySmallPromotions) {
  World world;
  for (uint64_t i = 0; i < 10'000; ++i)
    world.submit(submission("promotional", i));
  world.run_for(Duration::seconds(10));
  const RequestId large = world.acquire("transaction_alert", Units::of(100), Duration::seconds(10));
  ASSERT_EQ(world.lease_answer(large), nullptr) << "it did not have to wait";
  world.run_for(Duration::seconds(2));
  EXPECT_TRUE(is_granted(world, large));
  EXPECT_GT(world.lane(Lane::kPromotional).pending_rows, 0) << "the campaign did not last";
}

TEST(LeasesAndLanes, ALargeAlertIsNotStarvedBySmallLeases) {
  EngineOptions options = test_options();
  options.max_waiters = 2'000;
  World world(options);
  std::vector<RequestId> small;
  for (int i = 0; i < 2'000; ++i)
    small.push_back(world.acquire("promotional", Units::of(1), Duration::seconds(60)));
  world.run_for(Duration::seconds(10));
  ASSERT_TRUE(is_granted(world, small.front()));
  world.submit(submission("transaction_alert", 1, 100));
  world.run_for(Duration::seconds(2));
  EXPECT_EQ(world.sent_in(Lane::kTransactional).size(), 1);
  EXPECT_FALSE(is_granted(world, small.back())) << "the small ones did not last";
}

// What the lanes below could take while an upper front waits is not for them: who asks in vain is
// told the instant of that front, and not to come back at once.
TEST(LeasesAndLanes, WhoIsHeldBackIsToldUntilWhen) {
  World world;
  world.run_for(Duration::seconds(3));
  world.acquire("promotional", Units::of(85));
  // 115 units are left. The lane above may take 75 of them, and promotions 15.
  const RequestId upper = world.acquire("transaction_alert", Units::of(90), Duration::seconds(5));
  ASSERT_EQ(world.lease_answer(upper), nullptr);
  const RequestId lower = world.acquire("promotional", Units::of(10));
  ASSERT_NE(world.lease_answer(lower), nullptr);
  EXPECT_EQ(world.lease_answer(lower)->result, kDenied);
  EXPECT_EQ(world.lease_answer(lower)->retry_after.ms_ceil(), 150);
  world.run_for(world.lease_answer(lower)->retry_after);
  EXPECT_TRUE(is_granted(world, upper));
}

EngineOptions aimd_with_bucket() {
  EngineOptions options = test_options();
  options.ceiling.control = Control::kAimd;
  options.ceiling.floor_per_s = Units::of(10);
  options.ceiling.cap_per_s = Units::of(1'000);
  options.ceiling.slow_start = false;
  options.buckets = {{"crm", Units::of(10), Duration::seconds(2)}};
  return options;
}

bool has_grown(const World& world) {
  for (const RateChange& change : world.rates()) {
    if (change.cause == RateCause::kGrowth) return true;
  }
  return false;
}

TEST(LeasesAndLanes, TheCeilingGrowsForWhoWaits) {
  World world(aimd_with_bucket());
  for (int i = 0; i < 100; ++i)
    world.acquire("promotional", Units::of(10), Duration::seconds(60));
  world.run_for(Duration::seconds(5));
  EXPECT_TRUE(has_grown(world));
}

TEST(LeasesAndLanes, APrivateBucketNeitherHoldsLanesBackNorMovesTheCeiling) {
  World world(aimd_with_bucket());
  world.run_for(Duration::seconds(3));
  std::vector<RequestId> waiting;
  for (int i = 0; i < 10; ++i)
    waiting.push_back(world.acquire_from("crm", Units::of(20), Duration::seconds(60)));
  ASSERT_EQ(world.lease_answer(waiting.back()), nullptr);
  EXPECT_TRUE(is_granted(world, world.acquire("promotional", Units::of(50))));
  world.run_for(Duration::seconds(10));
  EXPECT_FALSE(has_grown(world));
}

TEST(LeasesAndLanes, ACutOfTheCeilingLeavesAPrivateBucketItsRate) {
  World world(aimd_with_bucket());
  world.run_for(Duration::seconds(3));
  world.gateway = [](const Payload&) { return throttled_reply(); };
  world.submit(submission("otp", 1));
  world.run_for(Duration::seconds(1));
  ASSERT_LT(world.view().ceiling_per_s, Units::of(100));
  const BucketView crm = world.view().buckets.at(0);
  EXPECT_EQ(crm.name, "crm");
  EXPECT_EQ(crm.rate_per_s, Units::of(10));
  EXPECT_EQ(crm.capacity, Units::of(20));
  EXPECT_EQ(crm.level, Units::of(20));
}

TEST(LeasesAndLanes, TheViewShowsWhoWaitsAndWhatBecameOfThem) {
  World world(aimd_with_bucket());
  world.run_for(Duration::seconds(3));
  world.acquire("promotional", Units::of(100));
  world.acquire("promotional", Units::of(30), Duration::seconds(10));
  world.acquire("promotional", Units::of(30));
  world.acquire_from("crm", Units::of(20));
  world.acquire_from("crm", Units::of(5), Duration::seconds(10));
  const LeaseView lane = world.lane(Lane::kPromotional).leases;
  EXPECT_EQ(lane.waiting, 1);
  EXPECT_EQ(lane.waiting_units, Units::of(30));
  EXPECT_EQ(lane.granted, Units::of(100));
  EXPECT_EQ(lane.denied, 1);
  const LeaseView crm = world.view().buckets.at(0).leases;
  EXPECT_EQ(crm.waiting, 1);
  EXPECT_EQ(crm.waiting_units, Units::of(5));
  EXPECT_EQ(crm.granted, Units::of(20));
  EXPECT_EQ(crm.denied, 0);
}

}  // namespace
}  // namespace weir::test
