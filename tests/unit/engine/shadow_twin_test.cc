// SPDX-License-Identifier: Apache-2.0
#include "engine/shadow_twin.h"

#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

constexpr uint32_t kAll = 1'000'000;
constexpr Duration kLong = Duration::seconds(600);

// 100 units/s, of which the transactional lane may have 80; the buckets start empty.
class Twin : public ::testing::Test {
 protected:
  static Now at_ms(int64_t ms) {
    return {MonoTime::from_ns((3'600'000 + ms) * 1'000'000), WallTime::from_unix_ms(ms)};
  }
  void enter(int64_t ms, int64_t units, Duration left = kLong, Lane lane = Lane::kTransactional,
             uint8_t priority = kDefaultPriority) {
    twin.advance(at_ms(ms), kAll);
    put(ms, units, left, lane, priority);
  }
  void put(int64_t ms, int64_t units, Duration left = kLong, Lane lane = Lane::kTransactional,
           uint8_t priority = kDefaultPriority) {
    twin.enter(at_ms(ms).mono, lane, Units::of(units), at_ms(ms).wall + left, priority);
  }
  static Message message(int64_t units, Duration left = kLong,
                         uint8_t priority = kDefaultPriority) {
    Message one;
    one.lane = Lane::kTransactional;
    one.cost = Units::of(units);
    one.deadline = at_ms(0).wall + left;
    one.priority = priority;
    return one;
  }
  ShadowView view(Lane lane = Lane::kTransactional) const { return twin.view(lane); }
  static void expect_about(Duration found, Duration truth) {
    EXPECT_GE(found + Duration::millis(1), truth);
    EXPECT_LE(found.as_seconds(), truth.as_seconds() * 33 / 32);
  }

  EngineOptions options = test_options();
  ShadowTwin twin{at_ms(0).mono, options, Units::of(100)};
};

TEST_F(Twin, ABatchWhoseTokensAreThereDoesNotWait) {
  enter(10'000, 100);
  twin.advance(at_ms(10'000), kAll);
  EXPECT_EQ(view().passed, Units::of(100));
  EXPECT_EQ(view().waited, Units());
  EXPECT_EQ(view().in_line, Units());
  EXPECT_EQ(view().wait_p99, Duration());
}

// The OTP lane's reserve of 40 units fills first, so the first unit is there after 0.4 s.
TEST_F(Twin, AWaitEndsWhenTheTokensAreThereHoweverLateTheTurn) {
  enter(0, 10);
  twin.advance(at_ms(0), kAll);
  EXPECT_EQ(view().in_line, Units::of(10));
  EXPECT_GT(twin.next_change(), at_ms(0).mono);
  EXPECT_LE(twin.next_change(), at_ms(500).mono);
  twin.advance(at_ms(90'000), kAll);
  EXPECT_EQ(view().waited, Units::of(10));
  expect_about(view().wait_p50, Duration::millis(500));
}

TEST_F(Twin, WhatWaitsBehindGoesOneAfterTheOther) {
  enter(0, 10);
  enter(0, 10);
  enter(0, 20);
  twin.advance(at_ms(60'000), kAll);
  EXPECT_EQ(view().waited, Units::of(40));
  expect_about(view().wait_p50, Duration::millis(600));
  expect_about(view().wait_p99, Duration::millis(800));
}

TEST_F(Twin, WhatWouldWaitPastItsDeadlineIsShedAtItAndClearsTheWay) {
  enter(0, 60, Duration::millis(700));  // its tokens are there at 1 s
  enter(0, 30);                         // at 0.7 s once the first is gone
  twin.advance(at_ms(60'000), kAll);
  EXPECT_EQ(view().shed, Units::of(60));
  EXPECT_EQ(view().waited, Units::of(30));
  expect_about(view().wait_p99, Duration::millis(700));
}

TEST_F(Twin, WhatCouldNeverFitIsShed) {
  enter(0, 161);
  twin.advance(at_ms(0), kAll);
  EXPECT_EQ(view().shed, Units::of(161));
}

TEST_F(Twin, TheOrderIsThatOfTheLane) {
  enter(0, 10);                                                                // third, at 0.7 s
  enter(0, 10, Duration::seconds(5));                                          // second, at 0.6 s
  enter(0, 10, kLong, Lane::kTransactional, kDefaultPriority - 1);             // first, at 0.5 s
  enter(0, 10, Duration::millis(650), Lane::kTransactional, kPriorities - 1);  // last: too late
  twin.advance(at_ms(60'000), kAll);
  EXPECT_EQ(view().waited, Units::of(30));
  EXPECT_EQ(view().shed, Units::of(10));
}

// At 1 s the account holds 100, of which 40 are the OTPs' and 60 more the transactional lane's.
TEST_F(Twin, NobodyBelowTakesWhatAnUpperFrontWaitsForAtTheAccount) {
  enter(1'000, 70);                            // at 1.1 s
  enter(1'000, 5, kLong, Lane::kPromotional);  // not at 1.05 s but when 105 are there again
  twin.advance(at_ms(60'000), kAll);
  expect_about(view().wait_p99, Duration::millis(100));
  expect_about(view(Lane::kPromotional).wait_p99, Duration::millis(750));
}

TEST_F(Twin, AFullLineRefuses) {
  options.lanes[index(Lane::kTransactional)].max_rows = 2;
  for (int i = 0; i < 3; ++i)
    enter(0, 10);
  EXPECT_EQ(view().refused, Units::of(10));
  EXPECT_EQ(view().in_line, Units::of(20));
  EXPECT_FALSE(twin.admits(at_ms(0), message(7), 1, Policy::kBuffer));
  EXPECT_EQ(view().refused, Units::of(17));
}

TEST_F(Twin, TheDoorRefusesWhatTheLineAheadMakesLate) {
  for (int i = 0; i < 10; ++i)
    enter(0, 80);  // 10 s at 80/s
  const Duration left = Duration::seconds(5);
  EXPECT_TRUE(twin.admits(at_ms(0), message(1, kLong), 1, Policy::kShed));
  EXPECT_TRUE(twin.admits(at_ms(0), message(1, left), 1, Policy::kBuffer)) << "it overtakes them";
  EXPECT_EQ(view().refused, Units());
  EXPECT_FALSE(twin.admits(at_ms(0), message(1, left), 1, Policy::kShed));
  EXPECT_FALSE(twin.admits(at_ms(0), message(1, left, kPriorities - 1), 1, Policy::kBuffer));
  EXPECT_EQ(view().refused, Units::of(2));
}

TEST_F(Twin, OneCallDecidesSoManyAndTheNextGoesOn) {
  for (int i = 0; i < 10; ++i)
    put(10'000, 1);
  EXPECT_EQ(twin.advance(at_ms(10'000), 4), 4u);
  EXPECT_LE(twin.next_change(), at_ms(10'000).mono);
  EXPECT_EQ(twin.advance(at_ms(10'000), kAll), 6u);
  EXPECT_EQ(view().passed, Units::of(10));
  EXPECT_EQ(twin.next_change(), MonoTime::never());
}

TEST_F(Twin, AHigherRateEndsTheWaitSooner) {
  enter(0, 140);  // at 1.8 s
  twin.advance(at_ms(1'000), kAll);
  twin.set_rate(at_ms(1'000).mono, Units::of(1'000));
  twin.advance(at_ms(60'000), kAll);
  EXPECT_EQ(view().waited, Units::of(140));
  EXPECT_LT(view().wait_p99, Duration::millis(1'700));
}

}  // namespace
}  // namespace weir::test
