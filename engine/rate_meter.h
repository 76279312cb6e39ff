// SPDX-License-Identifier: Apache-2.0
//
// RateMeter: units per second over the last `Cells` whole cells of `CellMs` each.
//
// Whole cells, because a partial one would make the figure jump at each tick. Reading it does not
// change it. Called by the engine on its thread.
#pragma once

#include <array>
#include <cstdint>

#include "weir/time.h"
#include "weir/units.h"

namespace weir {

template <int64_t CellMs, int64_t Cells>
class RateMeter {
 public:
  void add(MonoTime now, Units units) {
    Cell& cell = cells_[slot(number(now))];
    if (cell.number != number(now)) cell = {number(now), Units()};
    cell.units += units;
  }

  Units units(MonoTime now) const {
    Units sum;
    for (const Cell& cell : cells_) {
      const int64_t age = number(now) - cell.number;
      if (age >= 1 && age <= Cells) sum += cell.units;
    }
    return sum;
  }

  double per_second(MonoTime now) const {
    return units(now).as_double() * 1000.0 / static_cast<double>(CellMs * Cells);
  }

 private:
  struct Cell {
    int64_t number = INT64_MIN / 2;
    Units units;
  };
  static int64_t number(MonoTime t) { return t.ns() / (CellMs * 1'000'000); }
  static size_t slot(int64_t number) { return static_cast<size_t>(number) % (Cells + 1); }

  std::array<Cell, Cells + 1> cells_;
};

using TenSecondMeter = RateMeter<1000, 10>;
using OneSecondMeter = RateMeter<100, 10>;

}  // namespace weir
