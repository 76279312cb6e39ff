// SPDX-License-Identifier: Apache-2.0
//
// The engine's only source of randomness: SplitMix64 (Steele, Lea, Flood, 2014), seeded by the
// options, so that a run can be repeated. For jitter; not for secrets.
#pragma once

#include <cstdint>

namespace weir {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  // Even over [0, bound]; bound >= 0. The bias of the remainder is below bound / 2^64.
  int64_t up_to(int64_t bound) {
    return static_cast<int64_t>(next() % (static_cast<uint64_t>(bound) + 1));
  }

 private:
  uint64_t state_;
};

}  // namespace weir
