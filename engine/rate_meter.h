// SPDX-License-Identifier: Apache-2.0
//
// RateMeter: units per second over the last 10 whole seconds, in 11 counters.
//
// Whole seconds, because a partial one would make the figure jump at each tick. Reading it does not
// change it.
#pragma once

#include <array>
#include <cstdint>

#include "weir/time.h"
#include "weir/units.h"

namespace weir {

class RateMeter {
 public:
  void add(MonoTime now, Units units) {
    Cell& cell = cells_[slot(second(now))];
    if (cell.second != second(now)) cell = {second(now), Units()};
    cell.units += units;
  }

  double per_second(MonoTime now) const {
    Units sum;
    for (const Cell& cell : cells_) {
      const int64_t age = second(now) - cell.second;
      if (age >= 1 && age <= kSeconds) sum += cell.units;
    }
    return sum.as_double() / kSeconds;
  }

 private:
  static constexpr int64_t kSeconds = 10;
  struct Cell {
    int64_t second = INT64_MIN / 2;
    Units units;
  };
  static int64_t second(MonoTime t) { return t.ns() / 1'000'000'000; }
  static size_t slot(int64_t second) { return static_cast<size_t>(second) % (kSeconds + 1); }

  std::array<Cell, kSeconds + 1> cells_;
};

}  // namespace weir
