// SPDX-License-Identifier: Apache-2.0
//
// Traps that other limiters fell into, each as a test that carries its number. tests/README.md has
// the table: which trap is shown where, and which are left out and why.
#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "weir/token_bucket.h"

#include "engine/limiter.h"
#include "engine/rng.h"
#include "tests/support/buckets.h"

namespace weir::test {
namespace {

using Verdict = TokenBucket::Verdict;

// The lanes as the options have them by default.
EngineOptions account_of(int64_t rate, Duration capacity) {
  EngineOptions options;
  options.ceiling.rate_per_s = Units::of(rate);
  options.ceiling.capacity = capacity;
  return options;
}

TEST(BucketTraps, T01ACostThatNeverFitsIsToldSoInEveryState) {
  for (const int64_t level : {0, 300, 600}) {
    TokenBucket bucket(kStart, spec(100, 600), Units::of(level));
    const auto decision = bucket.acquire(later(Duration::seconds(3600)), Units::of(601));
    EXPECT_EQ(decision.verdict, Verdict::kNeverFits);
    EXPECT_EQ(bucket.level(kStart), Units::of(level));
  }
}

TEST(BucketTraps, T03ALaneWhoseAccountSaysNoIsChargedNothing) {
  EngineOptions options = account_of(100, Duration::seconds(10));
  for (LaneOptions& lane : options.lanes) {
    lane.reserve = 0;
    lane.limit = 1;
  }
  Limiter limiter(kStart, options, options.ceiling.rate_per_s);
  const MonoTime full = later(Duration::seconds(60));
  ASSERT_EQ(limiter.acquire(full, Lane::kOtp, Units::of(1000)).verdict, Verdict::kGranted);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(limiter.acquire(full, Lane::kPromotional, Units::of(5)).verdict, Verdict::kWait);
  }
  // The account gets its tokens back; what the lane may take is then all of its own.
  limiter.refund(Lane::kOtp, Units::of(1000));
  EXPECT_EQ(limiter.available(full, Lane::kPromotional), Units::of(1000));
}

// One unit flows in for two that are asked for: the word is then often what it was before.
TEST(BucketTraps, T05RefillsAndCostsThatAreEqualStillCountOnce) {
  constexpr int64_t kStepsEach = 20'000;
  TokenBucket bucket(kStart, spec(1000, 10), Units::of(10));
  std::atomic<int64_t> clock{kStart.ns()};
  std::atomic<int64_t> grants{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int64_t step = 0; step < kStepsEach; ++step) {
        const int64_t now = clock.fetch_add(1'000'000, std::memory_order_relaxed) + 1'000'000;
        grants.fetch_add(drain(bucket, MonoTime::from_ns(now), Units::of(1), 2),
                         std::memory_order_relaxed);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_LE(grants.load(), 10 + 8 * kStepsEach);
  EXPECT_GT(grants.load(), kStepsEach) << "the threads hardly took anything";
}

TEST(BucketTraps, T08ACostOfZeroIsTheSameErrorInEveryState) {
  for (const int64_t level : {0, 1, 600}) {
    TokenBucket bucket(kStart, spec(100, 600), Units::of(level));
    EXPECT_EQ(bucket.acquire(kStart, Units()).verdict, Verdict::kInvalidCost);
    EXPECT_EQ(bucket.peek(kStart, Units()).verdict, Verdict::kInvalidCost);
  }
}

TEST(BucketTraps, T10ARefillIsNotGrabbedFromUnderAnOtp) {
  const EngineOptions options = account_of(100, Duration::seconds(2));
  Limiter limiter(kStart, options, options.ceiling.rate_per_s);
  const MonoTime begin = later(Duration::seconds(60));
  int64_t otp_denied = 0;
  int64_t promotional = 0;
  for (int64_t ms = 0; ms < 60'000; ++ms) {
    const MonoTime now = begin + Duration::millis(ms);
    while (limiter.acquire(now, Lane::kPromotional, Units::of(1)).verdict == Verdict::kGranted)
      ++promotional;
    if (ms % 100 != 0) continue;
    otp_denied += limiter.acquire(now, Lane::kOtp, Units::of(1)).verdict != Verdict::kGranted;
  }
  EXPECT_EQ(otp_denied, 0);
  EXPECT_GT(promotional, 60 * 80) << "the campaign did not saturate";
}

TEST(BucketTraps, T11ABurstIsExactlyTheCapacityFromEveryState) {
  TokenBucket fresh(kStart, spec(10, 50), Units::of(50));
  EXPECT_EQ(drain(fresh, kStart, Units::of(1), 100), 50);
  TokenBucket idle(kStart, spec(10, 50), Units());
  EXPECT_EQ(drain(idle, later(Duration::seconds(1000)), Units::of(1), 100), 50);
  TokenBucket changed(kStart, spec(10, 500), Units::of(500));
  changed.set_spec(kStart, spec(1000, 50));
  EXPECT_EQ(drain(changed, kStart, Units::of(1), 100), 50);
}

// For a provider that allows `most` in each window, capacity + rate x window is what has to fit.
TEST(BucketTraps, T12ASlidingWindowHoldsCapacityAndSupplyAndNoMore) {
  constexpr int64_t kCapacity = 15;
  constexpr int64_t kRate = 5;
  constexpr int64_t kWindowMs = 10'000;
  TokenBucket bucket(kStart, spec(kRate, kCapacity), Units::of(kCapacity));
  std::vector<int64_t> grants;
  Rng rng(4);
  for (int64_t ms = 0; ms < 600'000; ms += 1 + rng.up_to(400)) {
    const bool burst = rng.up_to(20) == 0;
    for (int64_t i = drain(bucket, later(Duration::millis(ms)), Units::of(1), burst ? 40 : 2);
         i > 0; --i) {
      grants.push_back(ms);
    }
  }
  size_t first = 0;
  size_t most = 0;
  for (size_t last = 0; last < grants.size(); ++last) {
    while (grants[last] - grants[first] >= kWindowMs)
      ++first;
    most = std::max(most, last - first + 1);
  }
  EXPECT_LE(most, static_cast<size_t>(kCapacity + kRate * kWindowMs / 1000));
}

TEST(BucketTraps, T18TenYearsOfIdlingAreOneCapacity) {
  TokenBucket bucket(kStart, spec(1'000'000, 600), Units());
  const MonoTime after = later(Duration::seconds(10LL * 365 * 86'400));
  EXPECT_EQ(bucket.level(after), Units::of(600));
  EXPECT_TRUE(takes(bucket, after, Units::of(1)));
}

TEST(BucketTraps, T19AnHourOfIdlingIsNoCredit) {
  TokenBucket bucket(kStart, spec(100, 600), Units());
  int64_t granted = 0;
  for (int64_t us = 0; us < 1'000'000; ++us) {
    const MonoTime now = later(Duration::seconds(3600) + Duration::nanos(us * 1000));
    granted += takes(bucket, now, Units::of(1)) ? 1 : 0;
  }
  EXPECT_LE(granted, 600 + 100);
  EXPECT_GE(granted, 600 + 99);
}

TEST(BucketTraps, T20PollingFastTruncatesNothingAway) {
  const BucketSpec slow = {.rate_per_s = Units::from_micro(350'000), .capacity = Units::of(10)};
  TokenBucket bucket(kStart, slow, Units());
  int64_t granted = 0;
  for (int64_t us = 0; us < 10'000'000; ++us)
    granted += takes(bucket, later(Duration::nanos(us * 1000)), Units::of(1)) ? 1 : 0;
  EXPECT_EQ(granted, 3);  // 3.5 flowed in
}

TEST(BucketTraps, T21PollingFastRoundsNothingUp) {
  TokenBucket bucket(kStart, spec(100, 10), Units::of(10));
  int64_t granted = 0;
  for (int64_t step = 0; step < 10'000'000; ++step) {
    granted += takes(bucket, later(Duration::nanos(step * 100)), Units::of(1)) ? 1 : 0;
  }
  EXPECT_LE(granted, 10 + 100);
  EXPECT_GE(granted, 10 + 99);
}

TEST(BucketTraps, T23SmallCostsCountAtTheEndOfTheClock) {
  const MonoTime far = MonoTime::from_ns(int64_t{1} << 62);
  TokenBucket bucket(far, spec(1'000'000, 10'000), Units::of(10'000));
  EXPECT_EQ(drain(bucket, far, Units::of(1), 20'000), 10'000);
  TokenBucket fine(far, spec(1'000'000, 10'000), Units::from_micro(10'000));
  EXPECT_EQ(drain(fine, far, Units::from_micro(1), 20'000), 10'000);
}

TEST(BucketTraps, T24TheAgeOfTheHostMakesNoDifference) {
  const BucketSpec rare = {.rate_per_s = Units::from_micro(100), .capacity = Units::of(1)};
  for (const int64_t uptime_s : {0, 1, 6000, 100'000'000}) {
    const MonoTime now = MonoTime::from_ns(uptime_s * 1'000'000'000);
    TokenBucket full(now, rare, Units::of(1));
    EXPECT_TRUE(takes(full, now, Units::of(1)));
    TokenBucket empty(now, rare, Units());
    const auto decision = empty.acquire(now, Units::of(1));
    ASSERT_EQ(decision.verdict, Verdict::kWait);
    // 1 unit at 0.0001/s: 10,000 s; the rate's rounding may add a little, never take away.
    EXPECT_GE(decision.retry_at() - now, Duration::seconds(10'000));
    EXPECT_LE(decision.retry_at() - now, Duration::seconds(10'001));
  }
}

TEST(BucketTraps, T26AWaitBelowAMillisecondIsStillANo) {
  TokenBucket bucket(kStart, spec(5000, 100), Units::of(100));
  int64_t granted = 0;
  for (int64_t us = 0; us < 10'000'000; us += 10) {
    granted += takes(bucket, later(Duration::nanos(us * 1000)), Units::of(1)) ? 1 : 0;
  }
  EXPECT_LE(granted, 100 + 50'000);
  EXPECT_GE(granted, 50'000);
}

TEST(BucketTraps, T28AStalledCallerFindsWhatFlowedInMeanwhile) {
  TokenBucket bucket(kStart, spec(100, 600), Units::of(7));
  const Units after = bucket.level(later(Duration::millis(500)));
  EXPECT_LE(after, Units::of(57));
  EXPECT_GE(after, Units::of(57) - Units::from_micro(1));
  EXPECT_EQ(bucket.level(later(Duration::seconds(500))), Units::of(600));
}

TEST(BucketTraps, T31ARateChangeForgivesNothing) {
  TokenBucket bucket(kStart, spec(100, 600), Units::of(600));
  ASSERT_TRUE(takes(bucket, kStart, Units::of(600)));
  for (int64_t rate = 1; rate <= 1000; ++rate)
    bucket.set_spec(kStart, spec(rate, 600));
  EXPECT_EQ(bucket.level(kStart), Units());
  EXPECT_FALSE(takes(bucket, kStart, Units::from_micro(1)));
}

// A caller whose clock is ahead leaves a debt behind for those who read an earlier one.
TEST(BucketTraps, T31ARateChangeForgivesNoDebt) {
  TokenBucket bucket(kStart, spec(100, 600), Units());
  ASSERT_TRUE(takes(bucket, later(Duration::seconds(2)), Units::of(199)));
  const Units debt = bucket.level(kStart);
  ASSERT_EQ(debt, Units() - Units::of(199));
  for (int64_t rate = 1; rate <= 1000; ++rate)
    bucket.set_spec(kStart, spec(rate, 600));
  EXPECT_EQ(bucket.level(kStart), debt);
}

TEST(BucketTraps, T36ARefundAfterIdlingStaysUnderTheCapacity) {
  TokenBucket bucket(kStart, spec(100, 600), Units::of(600));
  ASSERT_TRUE(takes(bucket, kStart, Units::of(50)));
  const MonoTime idle = later(Duration::seconds(60));
  bucket.refund(Units::of(50));
  EXPECT_EQ(bucket.level(idle), Units::of(600));
  EXPECT_EQ(drain(bucket, idle, Units::of(1), 1000), 600);
}

TEST(BucketTraps, T39T42TheWordIsLockFreeAndStandsAlone) {
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  static_assert(std::atomic<int64_t>::is_always_lock_free);
  // That nothing stands within 128 bytes of the word is asserted in token_bucket.cc.
  static_assert(alignof(TokenBucket) >= 128);
  static_assert(sizeof(TokenBucket) % 128 == 0);
  SUCCEED();
}

// Each denied caller is told an instant that follows from its own cost and from nobody else's.
TEST(BucketTraps, T43ADenialSpeaksOfItsOwnCost) {
  TokenBucket bucket(kStart, spec(1000, 600), Units());
  std::set<int64_t> instants;
  for (int64_t cost = 1; cost <= 500; ++cost) {
    const auto decision = bucket.peek(kStart, Units::of(cost));
    ASSERT_EQ(decision.verdict, Verdict::kWait);
    instants.insert(decision.retry_at().ns());
    EXPECT_GE(decision.retry_at() - kStart, Duration::millis(cost));
    EXPECT_LT(decision.retry_at() - kStart, Duration::millis(cost) + Duration::nanos(1000));
  }
  EXPECT_EQ(instants.size(), 500U);
}

}  // namespace
}  // namespace weir::test
