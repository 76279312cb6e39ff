// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using enum AnswerLease::Result;

// From empty, 50 units of the promotional lane are there after 1.5 s: 100 are reserved above it. A
// bucket rounds its instants up, by a few nanoseconds.
constexpr Duration kNeeded = Duration::millis(1'500);
constexpr Duration kRounding = Duration::nanos(1'000);

TEST(LeaseIsDeniedInTime, AtOnceWhenTheInstantIsPastItsPatience) {
  World world;
  const RequestId hasty = world.acquire("promotional", Units::of(50), kNeeded - Duration::nanos(1));
  const AnswerLease* answer = world.lease_answer(hasty);
  ASSERT_NE(answer, nullptr) << "what cannot be granted in time was parked";
  EXPECT_EQ(answer->result, kDenied);
  EXPECT_GE(answer->retry_after, kNeeded);
  EXPECT_LE(answer->retry_after, kNeeded + kRounding);
  EXPECT_EQ(answer->waited, Duration());
  world.run_for(answer->retry_after);
  const RequestId again = world.acquire("promotional", Units::of(50));
  EXPECT_EQ(world.lease_answer(again)->result, kGranted);
}

TEST(LeaseIsDeniedInTime, ButGrantedAtTheLastInstantOfItsPatience) {
  World world;
  const RequestId patient = world.acquire("promotional", Units::of(50), kNeeded + kRounding);
  EXPECT_EQ(world.lease_answer(patient), nullptr);
  world.run_for(Duration::seconds(2));
  ASSERT_NE(world.lease_answer(patient), nullptr);
  EXPECT_EQ(world.lease_answer(patient)->result, kGranted);
  EXPECT_GE(world.lease_answer(patient)->waited, kNeeded);
}

// Those ahead in the line are counted.
TEST(LeaseIsDeniedInTime, AtOnceWhenTheLineAheadTakesTooLong) {
  World world;
  world.acquire("promotional", Units::of(50), Duration::seconds(5));
  const RequestId behind = world.acquire("promotional", Units::of(20), kNeeded);
  ASSERT_NE(world.lease_answer(behind), nullptr);
  EXPECT_EQ(world.lease_answer(behind)->result, kDenied);
  EXPECT_EQ(world.lease_answer(behind)->retry_after.ms(), 1'700);
}

// A higher lane draws meanwhile, so the instant moves past the patience.
TEST(LeaseIsDeniedInTime, AtTheEndOfItsPatienceWhenOthersWereFaster) {
  World world;
  const MonoTime asked = world.now().mono;
  const RequestId slow = world.acquire("promotional", Units::of(50), Duration::seconds(2));
  for (int i = 0; i < 2; ++i) {
    world.run_for(Duration::millis(749));
    world.acquire("otp", Units::of(29));
  }
  world.run_for(Duration::seconds(2));
  const AnswerLease* answer = world.lease_answer(slow);
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(answer->result, kDenied);
  EXPECT_EQ(world.lease_answered_at(slow) - asked, Duration::seconds(2));
  EXPECT_EQ(answer->retry_after.ms(), 80);  // 150 + 58 units, of which 200 had come
}

TEST(LeaseIsDeniedInTime, AndWhatNeverFitsIsSaidAtOnce) {
  World world;
  const RequestId large = world.acquire("promotional", Units::of(101), Duration::seconds(60));
  ASSERT_NE(world.lease_answer(large), nullptr);
  EXPECT_EQ(world.lease_answer(large)->result, kNeverFits);
}

TEST(LeaseIsDeniedInTime, AndTheLineIsBounded) {
  EngineOptions options = test_options();
  options.max_waiters = 2;
  World world(options);
  world.acquire("promotional", Units::of(1), Duration::seconds(5));
  world.acquire("otp", Units::of(30), Duration::seconds(5));
  const RequestId third = world.acquire("promotional", Units::of(1), Duration::seconds(5));
  ASSERT_NE(world.lease_answer(third), nullptr);
  EXPECT_EQ(world.lease_answer(third)->result, kFull);
  world.run_for(Duration::seconds(2));
  const RequestId later = world.acquire("promotional", Units::of(1), Duration::seconds(5));
  EXPECT_EQ(world.lease_answer(later)->result, kGranted);
}

TEST(LeaseIsDeniedInTime, AndTheBoundIsNotForWhoWouldNotWait) {
  EngineOptions options = test_options();
  options.max_waiters = 0;
  World world(options);
  world.run_for(Duration::seconds(3));
  const RequestId now = world.acquire("promotional", Units::of(1));
  ASSERT_NE(world.lease_answer(now), nullptr);
  EXPECT_EQ(world.lease_answer(now)->result, kGranted);
  const RequestId patient = world.acquire("promotional", Units::of(1), Duration::seconds(5));
  ASSERT_NE(world.lease_answer(patient), nullptr);
  EXPECT_EQ(world.lease_answer(patient)->result, kFull);
}

TEST(LeaseIsDeniedInTime, AndWhatIsNoRequestIsRefusedWithTheField) {
  World world;
  const RequestId unknown = world.acquire("nothing", Units::of(1));
  ASSERT_NE(world.refused(unknown), nullptr);
  EXPECT_EQ(world.refused(unknown)->fields.at(0).pointer, "/class");
  const RequestId free = world.acquire("otp", Units());
  ASSERT_NE(world.refused(free), nullptr);
  EXPECT_EQ(world.refused(free)->fields.at(0).pointer, "/cost_units");
}

}  // namespace
}  // namespace weir::test
