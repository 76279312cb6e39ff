// SPDX-License-Identifier: Apache-2.0
//
// Two callers whose clocks differ by 20 ms ask in turn, for 10 s, at 100 units/s and a capacity of
// 10: 1,010 grants are legal. The same questions go to weir's bucket and to a bucket in Lua on a
// real Redis, written as it is often written: it believes the time that its caller brings and
// stores it. Whoever comes with the older time then turns the stored one back, and the next caller
// is credited the same 20 ms again.
#include <cstdio>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/buckets.h"
#include "tests/support/redis.h"

namespace weir::test {
namespace {

constexpr int64_t kLegal = 10 + 100 * 10;
constexpr int64_t kSkewMs = 20;

constexpr const char* kTrustingLua =
    "local had = redis.call('HMGET', KEYS[1], 'level', 'at') "
    "local now = tonumber(ARGV[1]) "
    "local level = tonumber(had[1]) or 10 "
    "local passed = now - (tonumber(had[2]) or now) "
    "if passed > 0 then level = math.min(10, level + passed * 100) end "
    "local yes = 0 "
    "if level >= 1 then level = level - 1 yes = 1 end "
    "redis.call('HSET', KEYS[1], 'level', tostring(level), 'at', tostring(now)) "
    "return yes";

// Each caller asks once a millisecond; `ask` gets the caller's own idea of the time.
int64_t grants(const std::function<bool(int64_t)>& ask) {
  int64_t granted = 0;
  for (int64_t ms = 0; ms < 10'000; ++ms) {
    granted += ask(ms + kSkewMs) ? 1 : 0;
    granted += ask(ms) ? 1 : 0;
  }
  return granted;
}

TEST(RedisSkew, T04WeirGrantsWhatIsLegal) {
  TokenBucket bucket(kStart, spec(100, 10), Units::of(10));
  const int64_t granted =
      grants([&](int64_t ms) { return takes(bucket, later(Duration::millis(ms)), Units::of(1)); });
  // The clock that is ahead sees 20 ms more of the supply: 2 units.
  EXPECT_LE(granted * 100, kLegal * 101);
  EXPECT_GE(granted, kLegal - 10);
}

TEST(RedisSkew, T04ABucketThatBelievesItsCallersGrantsSeveralTimesThat) {
  Redis redis;
  const Redis::Start started = redis.start();
  if (started == Redis::Start::kNotInstalled) GTEST_SKIP() << "redis-server is not installed";
  ASSERT_EQ(started, Redis::Start::kRunning);
  const int64_t granted = grants([&](int64_t ms) {
    const std::string at = std::to_string(static_cast<double>(ms) / 1e3);
    return redis.ask({"EVAL", kTrustingLua, "1", "bucket", at}) == ":1\r\n";
  });
  std::printf("Redis, Lua, 20 ms of skew: %lld granted where %lld are legal\n",
              static_cast<long long>(granted), static_cast<long long>(kLegal));
  EXPECT_GT(granted, 2 * kLegal);
}

}  // namespace
}  // namespace weir::test
