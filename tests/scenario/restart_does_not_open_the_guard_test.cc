// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/guards.h"

namespace weir::test {
namespace {

TEST(RestartDoesNotOpenTheGuard, TheCooldownGoesOnWhereItWas) {
  World world(guarded_options(wide_guard()));
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
  world.run_for(Duration::millis(9'999));
  world.restart();
  const RequestId again = world.submit(otp(1));
  ASSERT_NE(world.refused(again), nullptr);
  EXPECT_EQ(world.refused(again)->code, RefusalCode::kRecipientCooldown);
  EXPECT_EQ(*world.refused(again)->retry_after, Duration::seconds(20));
  world.run_for(Duration::seconds(20));
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
}

TEST(RestartDoesNotOpenTheGuard, TheCapsGoOnWhereTheyWere) {
  GuardOptions guard = wide_guard();
  guard.max_per_recipient_per_hour = 2;
  guard.max_per_prefix_per_hour = 4;
  guard.max_per_hour = 6;
  World world(guarded_options(guard));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
    EXPECT_EQ(refusal_of(world, otp(2)), nullptr);
    world.run_for(Duration::seconds(60));
    world.restart();
  }
  EXPECT_EQ(refusal_code(world, otp(1)), RefusalCode::kRecipientCap);
  EXPECT_EQ(refusal_code(world, otp(3)), RefusalCode::kPrefixCap);
  EXPECT_EQ(refusal_of(world, otp(90'000'000'001)), nullptr);
  EXPECT_EQ(refusal_of(world, otp(80'000'000'001)), nullptr);
  EXPECT_EQ(refusal_code(world, otp(70'000'000'001)), RefusalCode::kClassCap);
  world.restart();
  EXPECT_EQ(refusal_code(world, otp(70'000'000'001)), RefusalCode::kClassCap);
  world.run_for(Duration::seconds(3600));
  EXPECT_EQ(refusal_of(world, otp(1, 4)), nullptr);
}

TEST(RestartDoesNotOpenTheGuard, WhatTheStartMadeUnknownCounts) {
  World world(guarded_options(wide_guard()));
  world.latency = Duration::seconds(5);
  world.run_for(Duration::seconds(5));
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
  world.run_for(Duration::seconds(1));
  world.restart();
  ASSERT_EQ(world.rows_in(BatchState::kUnknown), 1);
  EXPECT_EQ(refusal_code(world, otp(1)), RefusalCode::kRecipientCooldown);
}

// Their numbers are not on disk any more; the class's count does not need them.
TEST(RestartDoesNotOpenTheGuard, WhatWasNotSentCountsForTheClassOnly) {
  GuardOptions guard = wide_guard();
  guard.max_per_recipient_per_hour = 1;
  guard.max_per_hour = 2;
  World world(guarded_options(guard));
  world.gateway = [](const Payload&) { return refused_reply("188"); };
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
  world.run_for(Duration::seconds(1));
  EXPECT_EQ(refusal_code(world, otp(1)), RefusalCode::kRecipientCap);
  world.restart();
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
  EXPECT_EQ(refusal_code(world, otp(2)), RefusalCode::kClassCap);
}

TEST(RestartDoesNotOpenTheGuard, AWallClockThatWasSetBackMakesNoWaitLongerThanItsWindow) {
  World world(guarded_options(wide_guard()));
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
  world.run_for(Duration::seconds(20));
  world.wall_step = Duration::seconds(-7200);
  world.restart();
  const RequestId again = world.submit(otp(1));
  ASSERT_NE(world.refused(again), nullptr);
  EXPECT_EQ(*world.refused(again)->retry_after, Duration::seconds(30));
  world.run_for(Duration::seconds(30));
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
}

TEST(RestartDoesNotOpenTheGuard, ARepetitionUnderItsKeyIsStillAnswered) {
  World world(guarded_options(wide_guard()));
  EXPECT_EQ(refusal_of(world, otp(1, 1, "login-1")), nullptr);
  world.restart();
  const RequestId again = world.submit(otp(1, 1, "login-1"));
  world.run_for(Duration::seconds(1));
  ASSERT_NE(world.accepted(again), nullptr);
  EXPECT_TRUE(world.accepted(again)->replayed);
}

}  // namespace
}  // namespace weir::test
