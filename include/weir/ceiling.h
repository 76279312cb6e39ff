// SPDX-License-Identifier: Apache-2.0
//
// What the ceiling of a gateway account was, is, and why it moved. The names of the causes are in
// logs, in the database and in JSON.
#pragma once

#include <cstdint>
#include <string_view>

#include "weir/time.h"
#include "weir/units.h"

namespace weir {

enum class RateCause : uint8_t {
  kStart = 0,      // a run began with this rate
  kThrottle = 1,   // the gateway said: too fast
  kGrowth = 2,     // every token was wanted and none was refused
  kSlowStart = 3,  // the same, while nothing is known of the account yet
};
constexpr std::string_view name(RateCause cause) {
  constexpr std::string_view kNames[] = {"start", "throttle", "growth", "slow_start"};
  return kNames[static_cast<size_t>(cause)];
}

struct RateChange {
  WallTime at;
  Units from_per_s;
  Units to_per_s;
  RateCause cause = RateCause::kStart;
  uint32_t epoch = 0;    // of this run: how many cuts there were, this one included
  Units measured_per_s;  // what was really sent
};

}  // namespace weir
