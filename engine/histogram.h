// SPDX-License-Identifier: Apache-2.0
//
// Histogram: how often which value came, in fixed memory (10 kB), as a table of log-linear buckets.
//
// Below 32 every value has a bucket of its own; from there on each power of two has 32 of equal
// width, so a percentile is never below the truth and at most 1/32 above it. A value is a whole
// number of whatever unit its owner counts in; it comes with a weight, so that a batch of 200
// recipients counts 200 times. Values from 2^42 on (50 days in microseconds) share the last bucket,
// which reads as 2^42.
//
// Called by the engine on its thread. The sum of all weights must stay below 2^63.
//
// Source: the bucket layout of HdrHistogram (Gil Tene).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "weir/check.h"

namespace weir {

class Histogram {
 public:
  static constexpr int64_t kTop = int64_t{1} << 42;

  void add(int64_t value, int64_t weight) {
    WEIR_CHECK(value >= 0 && weight >= 0);
    counts_[bucket(value)] += weight;
    total_ += weight;
  }

  int64_t total() const { return total_; }

  // The value that the share `q` (0 to 1) of all weight does not pass; 0 when nothing came.
  int64_t percentile(double q) const {
    WEIR_CHECK(q >= 0 && q <= 1);
    if (total_ == 0) return 0;
    const double exact = std::ceil(q * static_cast<double>(total_));
    int64_t left = std::max<int64_t>(1, static_cast<int64_t>(exact));
    for (size_t i = 0; i + 1 < kBuckets; ++i) {
      left -= counts_[i];
      if (left <= 0) return highest(i);
    }
    return kTop;
  }

 private:
  static constexpr int kSubBits = 5;
  static constexpr size_t kSub = size_t{1} << kSubBits;
  // Those below 32, 32 a power of two from 2^5 to 2^41, and the last one.
  static constexpr size_t kBuckets = kSub + (42 - kSubBits) * kSub + 1;

  static size_t bucket(int64_t value) {
    if (value >= kTop) return kBuckets - 1;
    const auto bits = static_cast<uint64_t>(value);
    if (bits < kSub) return bits;
    const int shift = static_cast<int>(std::bit_width(bits)) - 1 - kSubBits;
    return static_cast<size_t>(shift) * kSub + static_cast<size_t>(bits >> shift);
  }
  // The greatest value that falls into it.
  static int64_t highest(size_t bucket) {
    if (bucket < kSub) return static_cast<int64_t>(bucket);
    const size_t shift = bucket / kSub - 1;
    const uint64_t first = kSub + bucket % kSub;
    return static_cast<int64_t>(((first + 1) << shift) - 1);
  }

  std::array<int64_t, kBuckets> counts_{};
  int64_t total_ = 0;
};

}  // namespace weir
