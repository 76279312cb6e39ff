// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using enum AnswerLease::Result;

EngineOptions with_crm() {
  EngineOptions options = test_options();
  options.buckets = {{"other", Units::of(1), Duration::seconds(10)},
                     {"crm", Units::of(10), Duration::seconds(2)}};
  return options;
}

TEST(PrivateBucket, StartsEmptyKeepsItsOwnPaceAndLeavesTheCeilingAlone) {
  World world(with_crm());
  const RequestId first = world.acquire_from("crm", Units::of(10), Duration::seconds(5));
  const RequestId second = world.acquire_from("crm", Units::of(5), Duration::seconds(5));
  world.run_for(Duration::seconds(3));
  ASSERT_NE(world.lease_answer(first), nullptr);
  ASSERT_NE(world.lease_answer(second), nullptr);
  EXPECT_EQ(world.lease_answer(first)->waited.ms(), 1'000);
  EXPECT_EQ(world.lease_answer(second)->waited.ms(), 1'500);
  EXPECT_EQ(world.lease_answer(second)->bucket, "crm");
  EXPECT_EQ(world.lane(Lane::kPromotional).level, Units::of(100));
}

TEST(PrivateBucket, DeniesWithTheExactInstantAndRefundsToItself) {
  World world(with_crm());
  world.run_for(Duration::seconds(10));
  const RequestId all = world.acquire_from("crm", Units::of(20));
  ASSERT_EQ(world.lease_answer(all)->result, kGranted);
  const RequestId more = world.acquire_from("crm", Units::of(5));
  ASSERT_EQ(world.lease_answer(more)->result, kDenied);
  EXPECT_EQ(world.lease_answer(more)->retry_after.ms_ceil(), 500);
  world.refund(world.lease_answer(all)->lease);
  EXPECT_EQ(world.lease_answer(world.acquire_from("crm", Units::of(20)))->result, kGranted);
  EXPECT_EQ(world.lease_answer(world.acquire_from("crm", Units::of(21)))->result, kNeverFits);
}

TEST(PrivateBucket, GoesOnWhileTheGatewayIsPaused) {
  World world(with_crm());
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(30)); };
  world.run_for(Duration::seconds(2));
  world.submit(submission("otp", 1));
  world.run_for(Duration::seconds(1));
  ASSERT_TRUE(world.view().gateway_paused);
  EXPECT_EQ(world.lease_answer(world.acquire_from("crm", Units::of(1)))->result, kGranted);
}

TEST(PrivateBucket, MustBeOneOfTheConfiguration) {
  World world(with_crm());
  const RequestId unknown = world.acquire_from("cmr", Units::of(1));
  ASSERT_NE(world.refused(unknown), nullptr);
  EXPECT_EQ(world.refused(unknown)->fields.at(0).pointer, "/bucket");
}

TEST(PrivateBucket, TakesNoNameOfAClassAndNeedsARate) {
  EngineOptions options = test_options();
  options.buckets = {{"otp", Units::of(1), Duration::seconds(1)}};
  EXPECT_FALSE(check_options(options));
  options.buckets = {{"crm", Units(), Duration::seconds(1)}};
  EXPECT_FALSE(check_options(options));
  options.buckets = {{"crm", Units::of(1), Duration::seconds(1)},
                     {"crm", Units::of(1), Duration::seconds(1)}};
  EXPECT_FALSE(check_options(options));
  options.buckets.pop_back();
  EXPECT_TRUE(check_options(options));
}

}  // namespace
}  // namespace weir::test
