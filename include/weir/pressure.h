// SPDX-License-Identifier: Apache-2.0
//
// The signal to producers, per lane.
//
// It rises at once and falls late: a level is left only when the lane is a fifth below the bound
// at which it was entered (kPressureMargin), so that a depth around a bound does not flap. It is
// looked at with every message that is accepted, and at least each kPressureLook.
#pragma once

#include <cstdint>
#include <string_view>

#include "weir/time.h"

namespace weir {

inline constexpr double kPressureMargin = 0.8;
inline constexpr Duration kPressureLook = Duration::millis(200);

enum class Pressure : uint8_t {
  kClear,  // send on
  kSlow,   // the soft bound is passed: send slower
  kPause,  // the hard bound is near or passed: bulk stops
  kShed,   // what is at the head will not make its deadline
};
constexpr std::string_view name(Pressure pressure) {
  constexpr std::string_view kNames[] = {"clear", "slow", "pause", "shed"};
  return kNames[static_cast<size_t>(pressure)];
}

}  // namespace weir
