// SPDX-License-Identifier: Apache-2.0
//
// Withdrawn: batches that a person took back and that may still stand in a lane.
//
// A lane has no index by batch, and its heads do not know their message; so what was cancelled on
// disk is noted here as ranges of batches, and taken out of the lanes when it comes to the front or
// when a sweep (cancelling.cc) meets it. After a sweep the ranges that it began with are forgotten:
// one that was missed is claimed, found cancelled on disk, and dropped then.
//
// Ranges that touch are joined. At worst, one message of a batch each with others between them, it
// is 16 bytes a batch until the next sweep.
//
// Called by the engine on its thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/cancel.h"

namespace weir {

class Withdrawn {
 public:
  // Rising, and above all that were added before.
  void add(const BatchRange& range) {
    unswept_ += static_cast<uint64_t>(raw(range.last) - raw(range.first) + 1);
    const bool joins =
        ranges_.size() > swept_ranges_ && raw(ranges_.back().last) + 1 == raw(range.first);
    if (joins) {
      ranges_.back().last = range.last;
    } else {
      ranges_.push_back(range);
    }
  }

  // A batch that was under way when it was taken back, and has come back into its lane: pending on
  // disk, so that its cancellation has still to be recorded.
  void recall(BatchId batch) {
    unswept_ += 1;
    recalled_.push_back(batch);
  }

  bool contains(BatchId batch) const {
    const auto after = std::upper_bound(
        ranges_.begin(), ranges_.end(), batch,
        [](BatchId id, const BatchRange& range) { return raw(id) < raw(range.first); });
    return after != ranges_.begin() && raw(batch) <= raw(std::prev(after)->last);
  }
  bool recalls(BatchId batch) const {
    return std::find(recalled_.begin(), recalled_.end(), batch) != recalled_.end();
  }

  bool empty() const { return ranges_.empty() && recalled_.empty(); }
  // Batches that no sweep has looked for yet.
  uint64_t unswept() const { return unswept_; }

  void begin_sweep() {
    swept_ranges_ = ranges_.size();
    swept_recalled_ = recalled_.size();
    unswept_ = 0;
  }
  void end_sweep() {
    ranges_.erase(ranges_.begin(), ranges_.begin() + static_cast<ptrdiff_t>(swept_ranges_));
    recalled_.erase(recalled_.begin(), recalled_.begin() + static_cast<ptrdiff_t>(swept_recalled_));
    swept_ranges_ = 0;
    swept_recalled_ = 0;
  }

 private:
  std::vector<BatchRange> ranges_;
  std::vector<BatchId> recalled_;  // as many as there are slots, at most
  // Of both, what the sweep under way looks for.
  size_t swept_ranges_ = 0;
  size_t swept_recalled_ = 0;
  uint64_t unswept_ = 0;
};

}  // namespace weir
