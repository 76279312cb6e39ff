// SPDX-License-Identifier: Apache-2.0
#include "engine/batch_state.h"

namespace weir {

bool may_follow(BatchState from, BatchState to) {
  switch (from) {
    case BatchState::kPending:
      return to == BatchState::kClaimed || to == BatchState::kShed || to == BatchState::kCancelled;
    case BatchState::kClaimed:
      return to == BatchState::kSubmitted || to == BatchState::kRefused ||
             to == BatchState::kUnknown || to == BatchState::kPending || to == BatchState::kShed;
    case BatchState::kUnknown: return to == BatchState::kSubmitted || to == BatchState::kRefused;
    case BatchState::kSubmitted:
    case BatchState::kRefused:
    case BatchState::kShed:
    case BatchState::kCancelled: return false;
  }
  return false;
}

bool is_final(BatchState state) {
  return state != BatchState::kPending && state != BatchState::kClaimed;
}

}  // namespace weir
