// SPDX-License-Identifier: Apache-2.0
//
// What a person stops: a lane or a class, until it is resumed. Kept over restarts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/time.h"
#include "weir/types.h"

namespace weir {

// The names are on disk.
enum class StopMode : uint8_t {
  kNone,
  kPaused,    // taken and kept, with its deadlines; nothing of it is claimed
  kDraining,  // nothing new is taken; what waits goes out
};
inline constexpr std::array<std::string_view, 3> kStopModeNames = {"none", "paused", "draining"};
constexpr std::string_view name(StopMode mode) {
  return kStopModeNames[static_cast<size_t>(mode)];
}
constexpr std::optional<StopMode> stop_mode_named(std::string_view text) {
  for (size_t i = 0; i < kStopModeNames.size(); ++i) {
    if (kStopModeNames[i] == text) return static_cast<StopMode>(i);
  }
  return std::nullopt;
}

struct Stop {
  StopMode mode = StopMode::kNone;
  std::string reason;  // in the person's words; empty for kNone
  WallTime since;
};

// Exactly one of lane and class is named. kNone resumes it.
struct StopOrder {
  std::optional<Lane> lane;
  std::string class_name;
  Stop stop;
};

enum class StopResult : uint8_t {
  kDone,
  kNone,        // there is no class of this name
  kNotWritten,  // the disk did not take it; nothing was changed
};

}  // namespace weir
