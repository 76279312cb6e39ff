// SPDX-License-Identifier: Apache-2.0
//
// What a person takes back, how far that has come, and what came of it.
//
// Values only. A cancel covers what was handed in before it; a message that comes later with the
// same tag is not of it. Only batches that are pending are cancelled; all others are counted and
// left as they are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/types.h"
#include "weir/units.h"

namespace weir {

// Exactly one is set.
struct CancelTarget {
  std::optional<MessageId> message;
  std::string key;
  std::string tag;
};

// Where the next slice goes on.
struct CancelCursor {
  MessageId message{};
  BatchId batch{};
  bool counted = false;  // something of this message was cancelled already
};

struct CancelCounts {
  uint64_t found = 0;     // messages that were named
  uint64_t messages = 0;  // of which something was cancelled
  uint64_t batches = 0;
  Units cost;
  std::array<uint64_t, kBatchStates> left{};  // batches by state, that were not pending any more

  CancelCounts& operator+=(const CancelCounts& more) {
    found += more.found;
    messages += more.messages;
    batches += more.batches;
    cost += more.cost;
    for (size_t i = 0; i < kBatchStates; ++i)
      left[i] += more.left[i];
    return *this;
  }
};

enum class CancelResult : uint8_t {
  kCancelled,
  kNone,        // no message was named
  kTooLate,     // nothing of it was pending any more
  kNotWritten,  // not to its end; what was cancelled stays so, and asking again goes on
  kBusy,        // as many are under way as may
};

// On disk, beside a batch that is cancelled.
inline constexpr std::string_view kCancelledReason = "cancelled";

// Both are of it.
struct BatchRange {
  BatchId first{};
  BatchId last{};
};

}  // namespace weir
