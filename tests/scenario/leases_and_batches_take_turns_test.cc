// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

int64_t granted(const World& world, const std::vector<RequestId>& asked) {
  int64_t count = 0;
  for (RequestId one : asked) {
    const AnswerLease* answer = world.lease_answer(one);
    count += answer != nullptr && answer->result == AnswerLease::Result::kGranted ? 1 : 0;
  }
  return count;
}

TEST(LeasesAndBatches, TakeTurnsAndNeitherStarves) {
  World world;
  std::vector<RequestId> asked;
  for (uint64_t i = 0; i < 60; ++i) {
    world.submit(submission("promotional", 1000 * i, 10));
    asked.push_back(world.acquire("promotional", Units::of(10), Duration::seconds(60)));
  }
  for (int tenth = 0; tenth < 60; ++tenth) {
    world.run_for(Duration::millis(100));
    const auto batches = static_cast<int64_t>(world.sent().size());
    EXPECT_LE(std::abs(granted(world, asked) - batches), 2) << tenth;
  }
  EXPECT_GE(granted(world, asked), 24);  // of 50 turns in the 5 s above the floor
  EXPECT_LE(granted(world, asked) * 10 + static_cast<int64_t>(world.sent().size()) * 10, 600);
}

TEST(LeasesAndBatches, ALeaseGoesInTheOrderOfTheLine) {
  World world;
  const RequestId first = world.acquire("promotional", Units::of(60), Duration::seconds(60));
  const RequestId second = world.acquire("promotional", Units::of(1), Duration::seconds(60));
  world.run_for(Duration::seconds(3));
  ASSERT_NE(world.lease_answer(first), nullptr);
  ASSERT_NE(world.lease_answer(second), nullptr);
  EXPECT_LT(world.lease_answered_at(first), world.lease_answered_at(second));
}

// An OTP that could go straight to disk as claimed does not pass a lease that waits.
TEST(LeasesAndBatches, AnOtpDoesNotPassALeaseOfItsLane) {
  World world;
  const RequestId lease = world.acquire("otp", Units::of(40), Duration::seconds(60));
  world.run_for(Duration::millis(500));
  world.submit(submission("otp", 1));
  world.run_for(Duration::seconds(2));
  ASSERT_NE(world.lease_answer(lease), nullptr);
  EXPECT_EQ(world.lease_answer(lease)->result, AnswerLease::Result::kGranted);
  ASSERT_EQ(world.sent().size(), 1);
}

// 80 units are there, and the batch whose turn it is waits for 100.
TEST(LeasesAndBatches, ACheapLeaseDoesNotPassADearBatchAndIsToldWhenToComeBack) {
  World world;
  world.submit(submission("promotional", 1000, 100));
  world.run_for(Duration::millis(1'800));
  ASSERT_TRUE(world.sent().empty());
  const RequestId cheap = world.acquire("promotional", Units::of(1));
  ASSERT_NE(world.lease_answer(cheap), nullptr);
  EXPECT_EQ(world.lease_answer(cheap)->result, AnswerLease::Result::kDenied);
  EXPECT_EQ(world.lease_answer(cheap)->retry_after.ms(), 200);
}

// A lane whose calls are all under way gives its tokens to the line.
TEST(LeasesAndBatches, BatchesWithoutASlotDoNotHoldTheLine) {
  EngineOptions options = test_options();
  options.lanes[index(Lane::kPromotional)].slots = 1;
  World world(options);
  world.latency = Duration::seconds(30);
  world.run_for(Duration::seconds(2));
  world.submit(submission("promotional", 1));
  world.submit(submission("promotional", 2));
  world.run_for(Duration::seconds(1));
  const RequestId lease = world.acquire("promotional", Units::of(10));
  EXPECT_EQ(world.lease_answer(lease)->result, AnswerLease::Result::kGranted);
}

}  // namespace
}  // namespace weir::test
