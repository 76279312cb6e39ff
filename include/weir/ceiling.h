// SPDX-License-Identifier: Apache-2.0
//
// What the ceiling of a gateway account was, is, and why it moved, and what an orderly stop leaves
// to the next run. The names of the causes are in logs, in the database and in JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "weir/time.h"
#include "weir/types.h"
#include "weir/units.h"

namespace weir {

enum class RateCause : uint8_t {
  kStart = 0,      // a run began with another rate than the last one had
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
  uint32_t epoch = 0;    // how many cuts there have been, this one included
  Units measured_per_s;  // what was really sent
};

// How full the buckets were when an orderly stop had ended all that was under way.
struct LimiterLevels {
  MonoTime at;  // says nothing once the machine has been started again
  Units account;
  std::array<Units, kLanes> lanes;
};

}  // namespace weir
