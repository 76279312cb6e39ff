// SPDX-License-Identifier: Apache-2.0
//
// What tests of the bucket share: an instant to count from, specs in whole units, and callers that
// take what they get.
#pragma once

#include <cstdint>

#include "weir/token_bucket.h"

namespace weir::test {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

constexpr MonoTime later(Duration after) {
  return kStart + after;
}

constexpr BucketSpec spec(int64_t rate, int64_t capacity) {
  return {.rate_per_s = Units::of(rate), .capacity = Units::of(capacity)};
}

inline bool takes(TokenBucket& bucket, MonoTime now, Units cost) {
  return bucket.acquire(now, cost).verdict == TokenBucket::Verdict::kGranted;
}

// How many of `tries` were granted.
inline int64_t drain(TokenBucket& bucket, MonoTime now, Units cost, int64_t tries) {
  int64_t granted = 0;
  for (int64_t i = 0; i < tries; ++i)
    granted += takes(bucket, now, cost) ? 1 : 0;
  return granted;
}

}  // namespace weir::test
