// SPDX-License-Identifier: Apache-2.0
//
// A lane in shadow goes without tokens when they are not there; the lanes beside it keep theirs,
// and nothing else is switched off.
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

EngineOptions options_with_shadow(Lane lane) {
  EngineOptions options = test_options();
  options.lanes[index(lane)].shadow = true;
  return options;
}

// Three times what the transactional lane may have, for a minute.
void overload(World& world) {
  for (int i = 0; i < 1'200; ++i) {
    world.submit(submission("transaction_alert", 100 * static_cast<uint64_t>(i), 12));
    world.run_for(Duration::millis(50));
  }
}

TEST(ShadowHoldsNothingBack, ALaneBesideItKeepsItsLimitsAndIsNotHeldBackEither) {
  World world(options_with_shadow(Lane::kTransactional));
  world.submit(submission("promotional", 900'000, 20'000));
  const RequestId otp = world.submit(submission("otp", 1));
  world.run_for(Duration::seconds(2));
  ASSERT_NE(world.accepted(otp), nullptr);
  overload(world);
  EXPECT_EQ(units_sent(world.sent_in(Lane::kTransactional)), Units::of(14'400));
  const std::vector<World::Sent> campaign = world.sent_in(Lane::kPromotional);
  // 100 units/s, 2 s of them saved up at the most.
  for (int64_t seconds : {1, 10, 60}) {
    EXPECT_LE(most_in_window(campaign, Duration::seconds(seconds)), Units::of(100 * (2 + seconds)));
  }
  // The lane in shadow takes 80 of the 100 where they are there; the others are the campaign's.
  EXPECT_GT(units_sent(campaign), Units::of(1'000));
}

TEST(ShadowHoldsNothingBack, AnOtpInEarnestNeverWaitsForIt) {
  World world(options_with_shadow(Lane::kTransactional));
  world.run_for(Duration::seconds(2));
  for (int i = 0; i < 300; ++i) {
    world.submit(submission("transaction_alert", 100 * static_cast<uint64_t>(i), 60));
    const MonoTime asked = world.now().mono;
    world.submit(submission("otp", 7'000'000 + static_cast<uint64_t>(i)));
    world.run_for(Duration::millis(100));
    ASSERT_EQ(world.sent_in(Lane::kOtp).size(), static_cast<size_t>(i) + 1);
    EXPECT_LE(world.sent_in(Lane::kOtp).back().at - asked, Duration::millis(1));
  }
}

// The buckets are empty: all go without tokens. The calls fail for certain, and give nothing back.
TEST(ShadowHoldsNothingBack, WhatWentWithoutTokensHasNoneToGiveBack) {
  World world(options_with_shadow(Lane::kOtp));
  world.gateway = [](const Payload&) { return unreachable_reply(); };
  for (uint64_t i = 0; i < 10; ++i)
    world.submit(submission("otp", 100 * i, 10));
  world.run_for(Duration::millis(210));
  EXPECT_EQ(world.sent_in(Lane::kOtp).size(), 10u);
  EXPECT_LE(world.lane(Lane::kOtp).level, Units::from_micro(40 * 210'000));
}

TEST(ShadowHoldsNothingBack, WhatTookItsTokensGivesThemBack) {
  World world(options_with_shadow(Lane::kOtp));
  world.run_for(Duration::seconds(2));  // 80 units are there
  world.gateway = [](const Payload&) { return unreachable_reply(); };
  for (uint64_t i = 0; i < 7; ++i)
    world.submit(submission("otp", 100 * i, 10));
  world.run_for(Duration::millis(150));
  EXPECT_LE(world.lane(Lane::kOtp).level, Units::of(20));
  world.run_for(Duration::millis(60));
  EXPECT_EQ(world.lane(Lane::kOtp).level, Units::of(80));
}

TEST(ShadowHoldsNothingBack, SlotsHoldAsEver) {
  World world(options_with_shadow(Lane::kTransactional));
  world.latency = Duration::seconds(10);
  overload(world);
  EXPECT_EQ(world.lane(Lane::kTransactional).in_flight, 16u);
  EXPECT_EQ(world.sent().size(), 16u * 6);
}

TEST(ShadowHoldsNothingBack, DeadlinesAndPausesOfTheGatewayHoldAsEver) {
  World world(options_with_shadow(Lane::kTransactional));
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(580)); };
  const RequestId first = world.submit(submission("transaction_alert", 1));
  world.run_for(Duration::seconds(5));
  const RequestId second = world.submit(submission("transaction_alert", 2));
  world.run_for(Duration::seconds(570));
  EXPECT_EQ(world.sent().size(), 1u);
  world.run_for(Duration::seconds(130));
  EXPECT_EQ(world.states(first), std::vector{BatchState::kShed});
  EXPECT_EQ(world.states(second), std::vector{BatchState::kShed});
}

// A lease that its lane's tokens did not cover gives none back either.
TEST(ShadowHoldsNothingBack, LeasesOfItsLaneAreGrantedAtOnceAndCounted) {
  World world(options_with_shadow(Lane::kTransactional));
  const RequestId asked = world.acquire("transaction_alert", Units::of(50), Duration::seconds(10));
  const AnswerLease* answer = world.lease_answer(asked);
  ASSERT_NE(answer, nullptr) << "it had to wait";
  EXPECT_EQ(answer->result, AnswerLease::Result::kGranted);
  world.refund(answer->lease);
  EXPECT_EQ(world.lane(Lane::kTransactional).level, Units());
  world.run_for(Duration::seconds(5));
  const ShadowView would = world.shadow().lanes[index(Lane::kTransactional)].would;
  EXPECT_EQ(would.waited, Units::of(50));
  EXPECT_EQ(would.decided(), Units::of(50));
}

TEST(ShadowHoldsNothingBack, TheCeilingDoesNotGrowByIt) {
  EngineOptions options = options_with_shadow(Lane::kTransactional);
  options.ceiling.control = Control::kAimd;
  options.ceiling.floor_per_s = Units::of(50);
  options.ceiling.cap_per_s = Units::of(1'000);
  World shadow(options);
  overload(shadow);
  EXPECT_EQ(shadow.view().ceiling_per_s, options.ceiling.rate_per_s);
  options.lanes[index(Lane::kTransactional)].shadow = false;
  options.lanes[index(Lane::kTransactional)].limit = 1;
  World real(options);
  overload(real);
  EXPECT_GT(real.view().ceiling_per_s, options.ceiling.rate_per_s);
}

TEST(ShadowHoldsNothingBack, ItsMessagesArePredictedToGoAtOnceAndItSaysThatItIsInShadow) {
  World world(options_with_shadow(Lane::kTransactional));
  ASSERT_FALSE(world.notes().empty());
  EXPECT_NE(world.notes()[0].find("lane transactional is in shadow"), std::string::npos);
  const RequestId many = world.submit(submission("transaction_alert", 1, 1'000));
  world.run_for(Duration::millis(2));
  ASSERT_NE(world.accepted(many), nullptr);
  EXPECT_LE(world.accepted(many)->predicted_send_at.value(), world.now().wall);
  EXPECT_TRUE(world.lane(Lane::kTransactional).shadow);
}

}  // namespace
}  // namespace weir::test
