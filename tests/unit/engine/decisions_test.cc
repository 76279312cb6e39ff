// SPDX-License-Identifier: Apache-2.0
//
// The small rules, one table each: which state may follow which, what a reply means, how long a
// backoff is, whether options fit together.
#include <gtest/gtest.h>

#include "weir/gateway.h"

#include "engine/backoff.h"
#include "engine/batch_state.h"
#include "engine/limiter.h"
#include "engine/rate_meter.h"
#include "tests/support/world.h"

namespace weir {
namespace {

TEST(BatchStates, FollowOnlyAsTheTableSays) {
  using enum BatchState;
  const std::vector<std::pair<BatchState, BatchState>> legal = {
      {kPending, kClaimed},   {kPending, kShed},    {kPending, kCancelled}, {kClaimed, kSubmitted},
      {kClaimed, kRefused},   {kClaimed, kUnknown}, {kClaimed, kPending},   {kClaimed, kShed},
      {kUnknown, kSubmitted}, {kUnknown, kRefused},
  };
  for (size_t from = 0; from < kBatchStates; ++from) {
    for (size_t to = 0; to < kBatchStates; ++to) {
      const auto pair = std::pair(static_cast<BatchState>(from), static_cast<BatchState>(to));
      const bool expected = std::find(legal.begin(), legal.end(), pair) != legal.end();
      EXPECT_EQ(may_follow(pair.first, pair.second), expected)
          << name(pair.first) << " -> " << name(pair.second);
    }
  }
}

struct ReplyCase {
  const char* what;
  bool body_handed;
  bool complete;
  int status;
  const char* code;
  Outcome outcome;
  RefusalCause cause = RefusalCause::kNone;
};

TEST(Classify, AnswersAsTheTableOfOutcomesSays) {
  const std::vector<OutcomeRule> rules = test::test_options().outcomes;
  const ReplyCase cases[] = {
      {"never connected", false, false, 0, "", Outcome::kUnreachable},
      {"cut after the body left", true, false, 0, "", Outcome::kUnknown},
      {"accepted", true, true, 200, "200", Outcome::kAccepted},
      {"accepted status, reply cut", true, false, 200, "200", Outcome::kUnknown},
      {"unlisted code in a 200", true, true, 200, "777", Outcome::kUnknown},
      {"no code in a 200", true, true, 200, "", Outcome::kUnknown},
      {"content", true, true, 200, "188", Outcome::kRefused, RefusalCause::kContent},
      {"content code under a 400", true, true, 400, "188", Outcome::kRefused,
       RefusalCause::kContent},
      {"credentials", true, true, 401, "216", Outcome::kRefused, RefusalCause::kAuth},
      {"throttled with a body", true, true, 429, "9", Outcome::kThrottled},
      {"throttled by a proxy, no JSON", true, false, 429, "", Outcome::kThrottled},
      {"500 with a body", true, true, 500, "500", Outcome::kUnknown},
      {"500 without", true, false, 500, "", Outcome::kUnknown},
      {"500 before the body was handed over", false, false, 500, "", Outcome::kUnreachable},
  };
  for (const ReplyCase& one : cases) {
    GatewayReply reply;
    reply.body_handed = one.body_handed;
    reply.complete = one.complete;
    reply.http_status = one.status;
    reply.code = one.code;
    const Classified classified = classify(reply, rules);
    EXPECT_EQ(name(classified.outcome), name(one.outcome)) << one.what;
    EXPECT_EQ(name(classified.cause), name(one.cause)) << one.what;
  }
}

TEST(FullJitter, IsDrawnFromZeroToTheDoubledBaseAndNeverPassesTheCap) {
  const BackoffOptions options{Duration::millis(100), Duration::millis(1000)};
  Rng rng(1);
  for (uint32_t attempt = 1; attempt <= 60; ++attempt) {
    const int64_t bound = attempt < 5 ? 100 << (attempt - 1) : 1000;
    Duration least = Duration::seconds(100), most;
    for (int i = 0; i < 500; ++i) {
      const Duration wait = full_jitter(options, attempt, rng);
      least = std::min(least, wait);
      most = std::max(most, wait);
    }
    EXPECT_LE(most, Duration::millis(bound)) << attempt;
    EXPECT_GT(most, Duration::millis(bound * 9 / 10)) << attempt;
    EXPECT_LT(least, Duration::millis(bound / 10)) << attempt;
  }
}

TEST(RateMeter, CountsTheLastTenWholeSeconds) {
  TenSecondMeter meter;
  auto at = [](int64_t ms) { return Now{MonoTime::from_ns(ms * 1'000'000), WallTime()}.mono; };
  for (int64_t s = 0; s < 10; ++s)
    meter.add(at(s * 1000 + 500), Units::of(20));
  EXPECT_DOUBLE_EQ(meter.per_second(at(10'000)), 20);
  EXPECT_DOUBLE_EQ(meter.per_second(at(15'000)), 10);
  EXPECT_DOUBLE_EQ(meter.per_second(at(60'000)), 0);
}

TEST(Limiter, FloorsAreTheReservesOfTheLanesAbove) {
  const EngineOptions options = test::test_options();  // 100/s, 200 units
  const BucketSpec account = account_spec(options, options.ceiling.rate_per_s);
  EXPECT_EQ(account.floors[index(Lane::kOtp)], Units());
  EXPECT_EQ(account.floors[index(Lane::kTransactional)], Units::of(40));
  EXPECT_EQ(account.floors[index(Lane::kPromotional)], Units::of(100));
}

TEST(Limiter, WhenTheAccountRefusesTheLaneIsLeftAsItWas) {
  const EngineOptions options = test::test_options();
  Limiter limiter(MonoTime::from_ns(0), options, options.ceiling.rate_per_s);
  const MonoTime later = MonoTime::from_ns(101'000'000);  // 10 units in, all below the floors
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(limiter.acquire(later, Lane::kPromotional, Units::of(1)).verdict,
              TokenBucket::Verdict::kWait);
  }
  EXPECT_EQ(limiter.acquire(later, Lane::kOtp, Units::of(4)).verdict,
            TokenBucket::Verdict::kGranted);
}

TEST(CheckOptions, NamesTheNumberToChange) {
  struct Case {
    const char* expected;
    std::function<void(EngineOptions&)> spoil;
  };
  const Case cases[] = {
      {"reserves add up", [](EngineOptions& o) { o.lanes[0].reserve = 0.4; }},
      {"lanes.otp.limit", [](EngineOptions& o) { o.lanes[0].limit = 0.1; }},
      {"lanes.promotional.slots", [](EngineOptions& o) { o.lanes[2].slots = 0; }},
      {"ceiling.rate_units_per_s", [](EngineOptions& o) { o.ceiling.rate_per_s = Units(); }},
      {"ceiling.capacity", [](EngineOptions& o) { o.ceiling.capacity = Duration::millis(1); }},
      {"raise ceiling.capacity",
       [](EngineOptions& o) {
         o.ceiling = {Units::of(1), Duration::seconds(2)};
       }},
      {"classes.otp is there twice",
       [](EngineOptions& o) { o.classes.push_back(o.classes.front()); }},
      {"producers.shop is there twice",
       [](EngineOptions& o) {
         o.producers.resize(2);
         o.producers[0].name = o.producers[1].name = "shop";
       }},
      {"producers.shop.rate_units_per_s",
       [](EngineOptions& o) {
         o.producers.resize(1);
         o.producers[0].name = "shop";
         o.producers[0].rate_per_s = Units();
       }},
      {"producers.shop.capacity",
       [](EngineOptions& o) {
         o.producers.resize(1);
         o.producers[0].name = "shop";
         o.producers[0].capacity = Duration();
       }},
      {"producers.shop.max_units",
       [](EngineOptions& o) {
         o.producers.resize(1);
         o.producers[0].name = "shop";
         o.producers[0].max_units = Units();
       }},
      {"slow_at", [](EngineOptions& o) { o.lanes[1].slow_at = 0.95; }},
  };
  ASSERT_TRUE(check_options(test::test_options()));
  for (const Case& one : cases) {
    EngineOptions options = test::test_options();
    one.spoil(options);
    const Status status = check_options(options);
    ASSERT_FALSE(status) << one.expected;
    EXPECT_NE(status.error().detail.find(one.expected), std::string::npos) << status.error().detail;
  }
}

TEST(BatchLimit, FollowsTheBucketWhereThatIsSmallerThanTheBatch) {
  const EngineOptions options = test::test_options();
  EXPECT_EQ(batch_limit(options, Lane::kOtp, 1), 80);  // its own limit: 40 % of 200
  EXPECT_EQ(batch_limit(options, Lane::kTransactional, 1), 160);
  EXPECT_EQ(batch_limit(options, Lane::kPromotional, 1), 100);  // above the reserves
  EXPECT_EQ(batch_limit(options, Lane::kPromotional, 3), 33);
  EXPECT_EQ(batch_limit(options, Lane::kPromotional, 101), 0);
}

}  // namespace
}  // namespace weir
