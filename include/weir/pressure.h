// SPDX-License-Identifier: Apache-2.0
//
// The signal to producers, per lane.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {

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
