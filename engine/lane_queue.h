// SPDX-License-Identifier: Apache-2.0
//
// The pending batches of one lane, in the order in which they are to leave: priority, then earliest
// deadline, then arrival. A batch that waits for a token stays where it is: only front() is tried,
// so a small one cannot overtake a large one for ever.
//
// Batches that may not go yet (a backoff, a not_before) stand aside until their instant comes;
// those that were parked until unpark(), but not beyond their deadline. Bounds are the engine's
// affair. Called by the engine on its thread.
//
// Cost: O(log n) for each push and pop; 40 bytes a batch, 48 while it stands aside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "weir/message.h"
#include "weir/time.h"

namespace weir {

class LaneQueue {
 public:
  // Due at once when `not_before` is not in the future.
  void push(WallTime now, const Head& head, WallTime not_before);

  // Moves one batch that has become due into line; nothing when none has. Call each turn, before
  // front().
  std::optional<Head> promote_one(WallTime now);

  // The batch whose turn it is, or null. Valid until the next change.
  const Head* front() const;
  void pop_front();

  // The front stands aside until its class is unparked.
  void park_front();
  // Brings up to so many batches of a class back into line; true: there are more.
  bool unpark(ClassId class_id, size_t most);
  int64_t parked_rows() const { return parked_rows_; }
  Units parked_units() const { return parked_units_; }

  // Takes out one batch whose deadline has passed, or nothing.
  std::optional<Head> pop_expired(WallTime now);

  // How far a sweep has come: the lists one after the other, each from its end.
  struct Sweep {
    size_t list = 0;
    size_t left = std::numeric_limits<size_t>::max();
  };
  // Looks at up to `most` batches and takes out those of which `leaves` is true; false: the sweep
  // has seen everything that was here when it began, but for the few that a push has moved
  // meanwhile.
  bool sweep(Sweep& sweep, size_t most, const std::function<bool(const Head&)>& leaves);

  // The earliest instant at which promote_one() or pop_expired() would do something.
  std::optional<WallTime> next_change() const;

  // All that are here.
  int64_t rows() const { return rows_; }
  Units units() const { return units_; }
  std::optional<WallTime> oldest(WallTime now) const;  // since when the oldest has been eligible

 private:
  struct Aside {
    WallTime not_before;
    Head head;
  };
  void enqueue(const Head& head);
  const Head& head_at(size_t list, size_t place) const;
  size_t length(size_t list) const;
  void take_out(size_t list, size_t place);
  void forget_parked(const Head& head);
  void forget(const Head& head);

  // One heap a priority: within it the earliest deadline is in front, so expiry needs no second
  // order over a million rows.
  std::array<std::vector<Head>, kPriorities> ready_;
  std::vector<Aside> aside_;               // heap, earliest not_before in front
  std::vector<std::vector<Head>> parked_;  // by class; heaps, earliest deadline in front
  int64_t rows_ = 0;
  Units units_;
  int64_t parked_rows_ = 0;  // of those
  Units parked_units_;
  // How many batches became eligible in each tenth of a second: the oldest age without an entry a
  // batch.
  std::map<int64_t, uint32_t> eligible_;
};

}  // namespace weir
