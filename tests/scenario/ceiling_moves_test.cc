// SPDX-License-Identifier: Apache-2.0
//
// The ceiling against an account whose capacity the test sets. T-numbers: tests/README.md.
#include <gtest/gtest.h>

#include "weir/token_bucket.h"

#include "tests/support/world.h"

namespace weir::test {
namespace {

constexpr WallTime kNoTime;

EngineOptions aimd_options(int64_t rate) {
  EngineOptions options = test_options();
  options.ceiling.control = Control::kAimd;
  options.ceiling.rate_per_s = Units::of(rate);
  options.ceiling.floor_per_s = Units::of(10);
  options.ceiling.cap_per_s = Units::of(1000);
  return options;
}

// An account that takes so many units a second, with half a second's worth at once, and says 429 to
// the rest.
class Account {
 public:
  Account(World& world, int64_t units_per_s)
      : world_(world), bucket_(world.now().mono, spec(units_per_s), Units()) {
    world.gateway = [this](const Payload& payload) { return answer(payload); };
  }

  // Every throttle asks for a wait of so long.
  std::optional<Duration> retry_after;

  void set_capacity(int64_t units_per_s) { bucket_.set_spec(world_.now().mono, spec(units_per_s)); }
  Units taken() const { return taken_; }
  uint64_t throttled() const { return throttled_; }

 private:
  static BucketSpec spec(int64_t units_per_s) {
    BucketSpec spec;
    spec.rate_per_s = Units::of(units_per_s);
    spec.capacity = Units::from_micro(Units::of(units_per_s).micro() / 2);
    return spec;
  }
  GatewayReply answer(const Payload& payload) {
    const Units cost = Units::of(static_cast<int64_t>(payload.recipients.size()));
    const auto decision = bucket_.acquire(world_.now().mono, cost);
    if (decision.verdict != TokenBucket::Verdict::kGranted) {
      ++throttled_;
      return throttled_reply(retry_after);
    }
    taken_ += cost;
    return accepted_reply();
  }

  World& world_;
  TokenBucket bucket_;
  Units taken_;
  uint64_t throttled_ = 0;
};

// A campaign that lasts: batches of 5 recipients.
void saturate(World& world, int batches) {
  for (int i = 0; i < batches; ++i) {
    // No more at once than may wait for their commit.
    if (i % 1000 == 999) world.run_for(world.commit_time);
    world.submit(submission("promotional", 1'000'000 + 10 * static_cast<uint64_t>(i), 5));
  }
}

// The units that the account takes a second, over the time to come.
double taken_per_s(World& world, const Account& account, int seconds) {
  const Units before = account.taken();
  world.run_for(Duration::seconds(seconds));
  return (account.taken() - before).as_double() / seconds;
}

double ceiling(const World& world) {
  return world.view().ceiling_per_s.as_double();
}

// With little saved up, and with ten seconds' worth of reserve that goes up and down with the rate.
class CeilingMovesWithCapacity : public testing::TestWithParam<int> {};

TEST_P(CeilingMovesWithCapacity, FollowsAnAccountThatHalvesAndDoublesBack) {
  EngineOptions options = aimd_options(100);
  options.ceiling.capacity = Duration::seconds(GetParam());
  World world(options);
  Account account(world, 100);
  saturate(world, 12'000);
  world.run_for(Duration::seconds(120));

  account.set_capacity(50);
  world.run_for(Duration::seconds(20));
  for (int i = 0; i < 10; ++i)
    EXPECT_GE(taken_per_s(world, account, 10), 0.85 * 50) << "from second " << 20 + 10 * i << " on";

  account.set_capacity(100);
  world.run_for(Duration::seconds(120));
  for (int i = 0; i < 5; ++i)
    EXPECT_GE(taken_per_s(world, account, 10), 0.85 * 100) << i;
  EXPECT_GT(world.lane(Lane::kPromotional).pending_rows, 0) << "the campaign did not last";
}

// What is saved up while the gateway asks for a wait does not leave as a burst that it throttles
// again.
TEST_P(CeilingMovesWithCapacity, ThrottlesThatAskForAWaitAreNotAnsweredByABurst) {
  EngineOptions options = aimd_options(60);
  options.ceiling.capacity = Duration::seconds(GetParam());
  World world(options);
  Account account(world, 50);
  account.retry_after = Duration::seconds(3);
  saturate(world, 12'000);
  world.run_for(Duration::seconds(120));
  const double taken = taken_per_s(world, account, 200);
  EXPECT_GE(taken, 0.7 * 50);
}

INSTANTIATE_TEST_SUITE_P(Seconds, CeilingMovesWithCapacity, testing::Values(1, 2, 10));

TEST(CeilingMoves, T48AnHourOfLowDemandTeachesNothing) {
  World world(aimd_options(100));
  Account account(world, 200);
  for (int i = 0; i < 36'000; ++i) {  // 50 units/s
    world.submit(submission("transaction_alert", 10 * static_cast<uint64_t>(i), 5));
    world.run_for(Duration::millis(100));
  }
  EXPECT_EQ(world.view().ceiling_per_s, Units::of(100));
  EXPECT_EQ(account.throttled(), 0);
}

TEST(CeilingMoves, T47FiftyThrottlesOfOneMomentAreOneCut) {
  EngineOptions options = aimd_options(100);
  for (LaneOptions& lane : options.lanes)
    lane.slots = 100;
  options.ceiling.slow_start = false;
  World world(options);
  world.latency = Duration::millis(500);
  uint64_t throttled = 0;
  world.gateway = [&](const Payload&) {
    return ++throttled <= 50 ? throttled_reply() : accepted_reply();
  };
  world.run_for(Duration::seconds(2));
  for (uint64_t i = 0; i < 50; ++i)
    world.submit(submission("transaction_alert", 10 * i));
  world.run_for(Duration::seconds(1));
  EXPECT_GE(throttled, 50);
  EXPECT_EQ(world.view().ceiling_cuts, 1);
}

TEST(CeilingMoves, T50WithoutAThrottleThereIsNoCut) {
  EngineOptions options = aimd_options(50);
  options.ceiling.cap_per_s = Units::of(100);
  World world(options);
  saturate(world, 14'000);
  world.run_for(Duration::seconds(660));
  EXPECT_EQ(world.view().ceiling_cuts, 0);
  EXPECT_EQ(world.view().ceiling_per_s, Units::of(100));
  EXPECT_GT(world.lane(Lane::kPromotional).pending_rows, 0) << "the campaign did not last";
}

// T55 too: what is slow or silent says nothing about the rate.
// T33: nobody sleeps by the old rate. While slow start doubles it, what has left is at every
// instant what has flowed in.
TEST(CeilingMoves, T33AWaitIsMeasuredAnewWhenTheRateChanges) {
  EngineOptions options = aimd_options(10);
  for (Lane lane : kAllLanes) {
    options.lanes[index(lane)].reserve = 0;
    options.lanes[index(lane)].limit = 1;
    options.lanes[index(lane)].slots = 500;
  }
  World world(options);
  const MonoTime begin = world.now().mono;
  for (uint64_t i = 0; i < 3'000; ++i)
    world.submit(submission("transaction_alert", 10 * i));
  double supply = 0;
  double rate = 10;
  for (int ms = 1; ms <= 5'000; ++ms) {
    world.run_for(Duration::millis(1));
    supply += rate / 1000;
    rate = ceiling(world);
    // What was granted may still be on its way to the disk, and a part of a unit waits.
    const double sent = units_sent(world.sent()).as_double();
    ASSERT_LE(sent, supply + 1e-6) << ms;
    ASSERT_GE(sent, supply - 1 - 3 * rate / 1000) << ms;
  }
  EXPECT_GE(rate, 160) << "the rate did not change";
  EXPECT_EQ(world.now().mono - begin, Duration::millis(5'000));
}

// T32: the capacity goes with the rate, so batches are cut for the floor.
TEST(CeilingMoves, T32AtTheFloorTheLargestBatchStillLeaves) {
  World world(aimd_options(100));
  bool full = true;
  world.gateway = [&](const Payload&) { return full ? throttled_reply() : accepted_reply(); };
  const RequestId campaign = world.submit(submission("promotional", 1'000'000, 300));
  world.run_for(Duration::seconds(60));
  ASSERT_EQ(world.view().ceiling_per_s, Units::of(10));
  full = false;
  ASSERT_TRUE(world.run_until_idle(Duration::seconds(120)));
  for (const BatchState state : world.states(campaign))
    EXPECT_EQ(state, BatchState::kSubmitted);
}

TEST(CeilingMoves, T51RefusedContentAndSilenceMoveNothing) {
  World world(aimd_options(100));
  uint64_t calls = 0;
  world.gateway = [&](const Payload&) {
    return ++calls % 2 == 0 ? refused_reply("188") : silent_reply();
  };
  for (uint64_t i = 0; i < 2'000; ++i) {
    world.submit(submission("transaction_alert", 10 * i));
    world.run_for(Duration::millis(25));
  }
  EXPECT_EQ(calls, 2'000);
  EXPECT_EQ(world.view().ceiling_per_s, Units::of(100));
  EXPECT_TRUE(std::none_of(world.rates().begin(), world.rates().end(),
                           [](const RateChange& one) { return one.cause != RateCause::kStart; }));
}

TEST(CeilingMoves, T53FromTheFloorToNinetyPercentWithinTwoMinutes) {
  EngineOptions options = aimd_options(10);
  options.ceiling.slow_start = false;
  World world(options);
  Account account(world, 200);
  saturate(world, 8'000);
  world.run_for(Duration::seconds(120));
  EXPECT_GE(taken_per_s(world, account, 10), 0.9 * 0.85 * 200);  // the saw's lower edge
}

TEST(CeilingMoves, SlowStartFindsAnUnknownAccountInTenSeconds) {
  World world(aimd_options(10));
  Account account(world, 200);
  saturate(world, 8'000);
  world.run_for(Duration::seconds(10));
  EXPECT_GE(ceiling(world), 0.8 * 200);
}

// T56: nothing is used up by failures.
TEST(CeilingMoves, T56AfterAThousandFailuresTheNextThrottleStillRetries) {
  World world(aimd_options(100));
  uint64_t calls = 0;
  world.gateway = [&](const Payload&) {
    calls += 1;
    return calls <= 1'000 ? throttled_reply() : accepted_reply();
  };
  std::vector<RequestId> asked;
  for (uint64_t i = 0; i < 300; ++i)
    asked.push_back(world.submit(submission("delivery_update", 10 * i)));
  ASSERT_TRUE(world.run_until_idle(Duration::seconds(7'200)));
  EXPECT_GE(calls, 1'300);
  for (const RequestId one : asked)
    EXPECT_EQ(world.states(one), std::vector{BatchState::kSubmitted});
}

TEST(CeilingMoves, WhatWasFoundIsGoneOnWithAfterARestart) {
  World world(aimd_options(10));
  Account account(world, 200);
  saturate(world, 4'000);
  world.run_for(Duration::millis(60'500));  // not at a tick: every change is on disk
  const Units found = world.view().ceiling_per_s;
  const uint32_t cuts = world.view().ceiling_cuts;
  ASSERT_GT(found, Units::of(100));
  ASSERT_GT(cuts, 0);
  world.restart();
  EXPECT_EQ(world.view().ceiling_per_s, found);
  EXPECT_EQ(world.view().ceiling_cuts, cuts);
  // No slow start either: the account is known.
  world.run_for(Duration::seconds(2));
  EXPECT_LT(world.view().ceiling_per_s, Units::from_micro(found.micro() / 10 * 12));
}

TEST(CeilingMoves, ARateThatNobodyHasUsedForADayIsHalved) {
  World world(aimd_options(10));
  Account account(world, 200);
  saturate(world, 200);
  ASSERT_TRUE(world.run_until_idle(Duration::seconds(600)));
  const Units found = world.view().ceiling_per_s;
  world.run_for(Duration::seconds(23 * 3600));
  world.restart();
  EXPECT_EQ(world.view().ceiling_per_s, found);
  world.run_for(Duration::seconds(2 * 3600));
  world.restart();
  EXPECT_EQ(world.view().ceiling_per_s, Units::from_micro(found.micro() / 2));
}

// The rate does not change for days while it stands at the cap; it is fresh all the same.
TEST(CeilingMoves, ARateInUseDoesNotGrowOld) {
  EngineOptions options = aimd_options(100);
  options.ceiling.cap_per_s = Units::of(100);
  World world(options);
  for (uint64_t hour = 0; hour < 72; ++hour) {
    world.submit(submission("delivery_update", 10 * hour));
    world.run_for(Duration::seconds(3600));
  }
  world.restart();
  EXPECT_EQ(world.view().ceiling_per_s, Units::of(100));
}

TEST(CeilingMoves, EveryChangeIsWrittenDownWithItsCause) {
  World world(aimd_options(10));
  Account account(world, 200);
  saturate(world, 4'000);
  world.run_for(Duration::millis(60'500));  // not at a tick: every change is on disk
  ASSERT_FALSE(world.rates().empty());
  EXPECT_EQ(world.rates().front().cause, RateCause::kStart);
  EXPECT_EQ(world.rates().front().to_per_s, Units::of(10));
  for (size_t i = 1; i < world.rates().size(); ++i) {
    const RateChange& one = world.rates()[i];
    EXPECT_EQ(one.from_per_s, world.rates()[i - 1].to_per_s) << i;
    EXPECT_EQ(one.to_per_s < one.from_per_s, one.cause == RateCause::kThrottle) << i;
    EXPECT_NE(one.at, kNoTime);
  }
  EXPECT_EQ(world.rates().back().to_per_s, world.view().ceiling_per_s);
}

TEST(CeilingMoves, ManualMeansManual) {
  World world;
  Account account(world, 20);
  saturate(world, 1'000);
  world.run_for(Duration::seconds(60));
  EXPECT_GT(account.throttled(), 100);
  EXPECT_EQ(world.view().ceiling_per_s, Units::of(100));
}

// A gateway that asks for a pause gets it, besides the cut.
TEST(CeilingMoves, RetryAfterPausesAndCuts) {
  World world(aimd_options(100));
  bool told = false;
  world.gateway = [&](const Payload&) {
    return std::exchange(told, true) ? accepted_reply() : throttled_reply(Duration::seconds(30));
  };
  saturate(world, 400);
  world.run_for(Duration::seconds(3));
  const size_t sent = world.sent().size();
  world.run_for(Duration::seconds(20));
  EXPECT_EQ(world.sent().size(), sent);
  EXPECT_EQ(world.view().ceiling_cuts, 1);
  EXPECT_LT(ceiling(world), 100);
}

}  // namespace
}  // namespace weir::test
