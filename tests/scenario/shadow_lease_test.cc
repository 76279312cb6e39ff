// SPDX-License-Identifier: Apache-2.0
//
// A shadow request rehearses: it is always granted, at once, and hears how long it would have
// waited.
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using enum AnswerLease::Result;

Units level(const World& world) {
  return world.lane(Lane::kPromotional).level;
}

TEST(ShadowLease, TakesTheUnitsThatAreThere) {
  World world;
  world.run_for(Duration::seconds(3));
  const AnswerLease answer =
      *world.lease_answer(world.acquire_shadow("promotional", Units::of(60)));
  EXPECT_EQ(answer.result, kGranted);
  EXPECT_EQ(answer.would_wait, Duration());
  EXPECT_EQ(level(world), Units::of(40));
  world.refund(answer.lease);
  EXPECT_EQ(level(world), Units::of(100));
}

TEST(ShadowLease, IsLetThroughWithoutUnitsAndHearsHowLongItWouldHaveWaited) {
  World world;
  world.run_for(Duration::seconds(3));
  world.acquire("promotional", Units::of(90));
  const RequestId shadow = world.acquire_shadow("promotional", Units::of(60));
  const AnswerLease* answer = world.lease_answer(shadow);
  ASSERT_NE(answer, nullptr) << "it had to wait";
  EXPECT_EQ(answer->result, kGranted);
  ASSERT_TRUE(answer->would_wait.has_value());
  EXPECT_EQ(answer->would_wait->ms_ceil(), 500);  // 50 units more at 100 a second
  EXPECT_EQ(level(world), Units::of(10));
  EXPECT_EQ(world.lane(Lane::kPromotional).leases.denied, 1);
  const RequestId back = world.refund(answer->lease);
  EXPECT_EQ(world.lease_answer(back)->result, kRefunded);
  EXPECT_EQ(world.lease_answer(back)->cost, Units());
  EXPECT_EQ(level(world), Units::of(10));
}

TEST(ShadowLease, IsLetThroughWhileTheLineIsFullAndTheGatewayPaused) {
  EngineOptions options = test_options();
  options.max_waiters = 0;
  World world(options);
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(30)); };
  world.run_for(Duration::seconds(2));
  world.submit(submission("otp", 1));
  world.run_for(Duration::seconds(1));
  ASSERT_TRUE(world.view().gateway_paused);
  const AnswerLease* answer = world.lease_answer(world.acquire_shadow("promotional", Units::of(1)));
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(answer->result, kGranted);
  EXPECT_GT(answer->would_wait, Duration::seconds(28));
}

TEST(ShadowLease, DoesNotPassWhoWaitsAndHoldsNobodyBack) {
  World world;
  const RequestId real = world.acquire("promotional", Units::of(50), Duration::seconds(10));
  world.run_for(Duration::seconds(1));
  const AnswerLease* answer =
      world.lease_answer(world.acquire_shadow("promotional", Units::of(20)));
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(answer->would_wait->ms(), 700);  // 100 reserved, 50 ahead of it, then its 20
  world.acquire_shadow("transaction_alert", Units::of(150));
  world.run_for(Duration::millis(501));
  EXPECT_EQ(world.lease_answer(real)->result, kGranted);
}

TEST(ShadowLease, StillHearsThatNoWaitWouldHelp) {
  World world;
  const RequestId large = world.acquire_shadow("promotional", Units::of(101));
  EXPECT_EQ(world.lease_answer(large)->result, kNeverFits);
}

}  // namespace
}  // namespace weir::test
