// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the database that stand for words: read, and checked against what weir writes.
#pragma once

#include <cstdint>
#include <optional>

#include "weir/types.h"

namespace weir {

constexpr bool below(int64_t value, size_t count) {
  return value >= 0 && value < static_cast<int64_t>(count);
}

// Nothing: no weir wrote it.
constexpr std::optional<Lane> lane_at(int64_t value) {
  return below(value, kLanes) ? std::optional(static_cast<Lane>(value)) : std::nullopt;
}
constexpr std::optional<BatchState> state_at(int64_t value) {
  return below(value, kBatchStates) ? std::optional(static_cast<BatchState>(value)) : std::nullopt;
}

}  // namespace weir
