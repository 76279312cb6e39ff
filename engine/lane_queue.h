// SPDX-License-Identifier: Apache-2.0
//
// The pending batches of one lane, in the order in which they are to leave: priority, then earliest
// deadline, then arrival. A batch that waits for a token stays where it is: only front() is tried,
// so a small one cannot overtake a large one for ever.
//
// Batches that may not go yet (a backoff, a not_before, a window that is to open) stand aside until
// their instant comes. A class that is held keeps its place and is passed by: so a window that
// closes on a million batches moves none of them.
// Bounds are the engine's affair. Called by the engine on its thread.
//
// Cost: O(log n) for each push and pop; 40 bytes a batch, 48 while it stands aside.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "weir/message.h"
#include "weir/time.h"

#include "engine/deadline_profile.h"

namespace weir {

class LaneQueue {
 public:
  // Batches of these classes are not in front of anybody; they expire all the same.
  void hold(const ClassSet& classes) { held_ = classes; }

  // Due at once when `not_before` is not in the future.
  void push(WallTime now, const Head& head, WallTime not_before);

  // Moves one batch that has become due into line; nothing when none has. Call each turn, before
  // front().
  std::optional<Head> promote_one(WallTime now);

  // The batch whose turn it is, or null. Valid until the next change.
  const Head* front() const;
  void pop_front();

  // Takes out one batch whose deadline has passed, or nothing.
  std::optional<Head> pop_expired(WallTime now);

  // How far a sweep has come: those aside, then line after line, each from its end.
  struct Sweep {
    uint32_t list = 0;  // 0: aside; else above the key of the line before
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
  Units units_of(ClassId one) const { return by_class_[index(one)]; }
  Units units_of(ProducerId one) const { return by_producer_[index(one)]; }
  const DeadlineProfile& profile() const { return profile_; }
  std::optional<WallTime> oldest(WallTime now) const;  // since when the oldest has been eligible

 private:
  struct Aside {
    WallTime not_before;
    Head head;
  };
  // A heap for each priority and class: within it the earliest deadline is in front, so expiry
  // needs no second order over a million rows.
  struct Line {
    uint8_t priority;
    ClassId class_id;
    std::vector<Head> heap;
  };
  static bool goes_later(const Aside& a, const Aside& b);
  static uint32_t key_of(uint8_t priority, ClassId class_id);
  std::vector<Line>::iterator line_from(uint32_t key);
  void enqueue(const Head& head);
  void forget(const Head& head);
  const Line* front_line() const;
  Head take_front(Line& line);

  std::vector<Line> lines_;  // by priority, then class; one that has become empty stays
  ClassSet held_;
  std::vector<Aside> aside_;  // heap, the next to come due in front
  int64_t rows_ = 0;
  Units units_;
  std::array<Units, 256> by_class_{};
  std::array<Units, 256> by_producer_{};
  DeadlineProfile profile_;
  // How many batches became eligible in each tenth of a second: the oldest age without an entry a
  // batch.
  std::map<int64_t, uint32_t> eligible_;
};

}  // namespace weir
