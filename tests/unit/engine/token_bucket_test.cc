// SPDX-License-Identifier: Apache-2.0
//
// The bucket's promises, on a clock that the test moves. Threads are real, their instants are not.
#include "weir/token_bucket.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "engine/rng.h"
#include "tests/support/buckets.h"

namespace weir::test {
namespace {

using Verdict = TokenBucket::Verdict;

TEST(TokenBucket, StartsAtTheGivenLevelAndNeverAboveItsCapacity) {
  TokenBucket empty(kStart, spec(10, 50), Units());
  EXPECT_EQ(empty.level(kStart), Units());
  TokenBucket full(kStart, spec(10, 50), Units::of(1000));
  EXPECT_EQ(full.level(kStart), Units::of(50));
}

TEST(TokenBucket, IdlesToExactlyItsCapacity) {
  TokenBucket bucket(kStart, spec(10, 50), Units());
  EXPECT_EQ(drain(bucket, later(Duration::seconds(1000)), Units::of(1), 1000), 50);
}

// T2.
TEST(TokenBucket, ADenialWritesNothing) {
  TokenBucket bucket(kStart, spec(10, 50), Units::of(2));
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(bucket.acquire(kStart, Units::of(5)).verdict, Verdict::kWait);
  }
  EXPECT_EQ(bucket.level(kStart), Units::of(2));
}

TEST(TokenBucket, SaysWhenACostNeverFits) {
  TokenBucket bucket(kStart, spec(100, 600), Units::of(600));
  EXPECT_EQ(bucket.acquire(kStart, Units::of(601)).verdict, Verdict::kNeverFits);
  EXPECT_EQ(bucket.level(kStart), Units::of(600));
}

// T7.
TEST(TokenBucket, CostsOfZeroAndBelowAreErrors) {
  TokenBucket bucket(kStart, spec(100, 600), Units::of(10));
  EXPECT_EQ(bucket.acquire(kStart, Units()).verdict, Verdict::kInvalidCost);
  EXPECT_EQ(bucket.acquire(kStart, Units::of(-1)).verdict, Verdict::kInvalidCost);
  EXPECT_EQ(bucket.level(kStart), Units::of(10));
}

// T22, T25.
TEST(TokenBucket, TheRetryInstantIsTheFirstThatSucceeds) {
  Rng rng(7);
  BucketSpec now_spec = spec(100, 600);
  TokenBucket bucket(kStart, now_spec, Units::of(600));
  MonoTime now = kStart;
  for (int i = 0; i < 200'000; ++i) {
    const Units cost = Units::from_micro(1 + rng.up_to(599'999'999));
    const auto decision = bucket.acquire(now, cost);
    if (decision.verdict == Verdict::kGranted) continue;
    ASSERT_EQ(decision.verdict, Verdict::kWait);
    const MonoTime before = MonoTime::from_ns(decision.retry_at().ns() - 1);
    ASSERT_EQ(bucket.peek(before, cost).verdict, Verdict::kWait) << i;
    ASSERT_EQ(bucket.acquire(decision.retry_at(), cost).verdict, Verdict::kGranted) << i;
    now = decision.retry_at();
    if (i % 7 == 0) {
      now_spec.rate_per_s = Units::of(1 + rng.up_to(1000));
      bucket.set_spec(now, now_spec);
    }
  }
}

TEST(TokenBucket, ACallerWhoseClockIsBehindGetsNothingTwice) {
  TokenBucket bucket(kStart, spec(100, 10), Units::of(10));
  int64_t granted = 0;
  for (int ms = 0; ms < 10'000; ++ms) {
    const MonoTime ahead = later(Duration::millis(ms + 20));
    const MonoTime behind = later(Duration::millis(ms));
    granted += drain(bucket, ms % 2 == 0 ? ahead : behind, Units::of(1), 2);
  }
  EXPECT_LE(granted, 10 + 100 * 10 + 2 + 1);
}

// T29.
TEST(TokenBucket, ARateChangeKeepsTheLevelAndTheDebt) {
  Rng rng(3);
  TokenBucket bucket(kStart, spec(100, 600), Units::of(50));
  for (int i = 0; i < 1000; ++i) {
    bucket.set_spec(kStart, spec(1 + rng.up_to(100'000), 600));
    ASSERT_EQ(bucket.level(kStart), Units::of(50));
  }
}

TEST(TokenBucket, ACapacityThatGoesDownAndUpBringsNothingBack) {
  TokenBucket bucket(kStart, spec(100, 600), Units::of(600));
  bucket.set_spec(kStart, spec(100, 60));
  bucket.set_spec(kStart, spec(100, 600));
  EXPECT_EQ(bucket.level(kStart), Units::of(60));
}

// T30.
TEST(TokenBucket, AReloadIsNoBurst) {
  TokenBucket bucket(kStart, spec(10, 600), Units::of(600));
  int64_t granted = 0;
  for (int i = 0; i < 100; ++i) {
    const MonoTime now = later(Duration::millis(100 * i));
    bucket.set_spec(now, spec(10, 600));
    granted += drain(bucket, now, Units::of(1), 1000);
  }
  EXPECT_LE(granted, 600 + 10 * 10);
}

TEST(TokenBucket, ARefundComesBackButNotAboveTheCapacity) {
  TokenBucket bucket(kStart, spec(10, 50), Units::of(50));
  ASSERT_EQ(bucket.acquire(kStart, Units::of(30)).verdict, Verdict::kGranted);
  bucket.refund(Units::of(30));
  EXPECT_EQ(bucket.level(kStart), Units::of(50));
  bucket.refund(Units::of(30));
  EXPECT_EQ(bucket.level(kStart), Units::of(50));
}

TEST(TokenBucket, AFloorKeepsItsSliceAndTheSliceRefillsFirst) {
  BucketSpec with_floor = spec(100, 100);
  with_floor.floors[1] = Units::of(20);
  TokenBucket bucket(kStart, with_floor, Units::of(100));
  EXPECT_EQ(drain(bucket, kStart, Units::of(1), 1), 1);
  int64_t low = 0;
  while (bucket.acquire(kStart, Units::of(1), 1).verdict == Verdict::kGranted)
    low += 1;
  EXPECT_EQ(low, 79);
  EXPECT_EQ(drain(bucket, kStart, Units::of(1), 100), 20);
  // A good 200 ms later 20 units have landed, all of them in the reserve.
  const MonoTime refilled = later(Duration::millis(201));
  EXPECT_EQ(bucket.acquire(refilled, Units::of(1), 1).verdict, Verdict::kWait);
  EXPECT_EQ(drain(bucket, refilled, Units::of(1), 100), 20);
  EXPECT_EQ(bucket.acquire(refilled, Units::of(81), 1).verdict, Verdict::kNeverFits);
}

TEST(TokenBucket, DecadesOfIdlingDoNotOverflow) {
  TokenBucket bucket(kStart, spec(1'000'000, 5'000'000), Units());
  const MonoTime ten_years = later(Duration::seconds(10LL * 365 * 86'400));
  EXPECT_EQ(bucket.level(ten_years), Units::of(5'000'000));
  EXPECT_EQ(drain(bucket, ten_years, Units::of(1'000'000), 10), 5);
  EXPECT_EQ(drain(bucket, ten_years + Duration::seconds(1), Units::of(1'000'000), 10), 1);
}

TEST(TokenBucket, FractionsAreNotLostByPollingOften) {
  BucketSpec slow = {.rate_per_s = Units::from_micro(350'000), .capacity = Units::of(10)};
  TokenBucket bucket(kStart, slow, Units());
  int64_t granted = 0;
  for (int64_t ms = 0; ms <= 3'600'000; ms += 1) {
    granted += drain(bucket, later(Duration::millis(ms)), Units::of(1), 1);
  }
  EXPECT_GE(granted, 1259);
  EXPECT_LE(granted, 1260);
}

// T34. Two threads, refunds and live rate changes: what is kept never passes capacity + supply.
TEST(TokenBucket, ConservesUnderThreads) {
  TokenBucket bucket(kStart, spec(1000, 100), Units::of(100));
  std::atomic<int64_t> clock{kStart.ns()};
  std::atomic<int64_t> net{0};
  std::atomic<int64_t> grants{0};
  std::atomic<bool> stop{false};
  auto work = [&](uint64_t seed) {
    Rng rng(seed);
    while (!stop.load(std::memory_order_relaxed)) {
      const Units cost = Units::from_micro(1 + rng.up_to(3'000'000));
      const MonoTime now = MonoTime::from_ns(clock.load(std::memory_order_relaxed));
      if (bucket.acquire(now, cost).verdict != Verdict::kGranted) continue;
      grants.fetch_add(1, std::memory_order_relaxed);
      if (rng.up_to(15) == 0) {
        bucket.refund(cost);
      } else {
        net.fetch_add(cost.micro(), std::memory_order_relaxed);
      }
    }
  };
  std::thread one(work, 1), two(work, 2);
  int64_t supply = Units::of(100).micro();
  Rng rng(9);
  int64_t rate = 1000;
  // Time goes on until the threads have had their say.
  for (int64_t ms = 0; grants.load(std::memory_order_relaxed) < 2000; ++ms) {
    clock.fetch_add(1'000'000);
    supply += rate * 1000;
    if (ms % 10 == 0) {
      rate = 1 + rng.up_to(2000);
      bucket.set_spec(MonoTime::from_ns(clock.load()), spec(rate, 100));
    }
    std::this_thread::yield();
  }
  stop = true;
  one.join();
  two.join();
  EXPECT_LE(net.load(), supply + Units::of(1).micro());
}

}  // namespace
}  // namespace weir::test
