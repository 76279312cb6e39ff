// SPDX-License-Identifier: Apache-2.0
//
// LoadRecord: how much was offered since the start, and how fast at its fastest: what `weir size`
// reasons from.
//
// A peak is the most units that came within one window of that length. Windows move in steps of a
// twentieth of their length, so a peak is never above the truth and at most 5% below it. Seconds in
// which nothing came are not counted among the busy ones.
//
// In memory only: a restart begins anew. Called by the engine on its thread.
#pragma once

#include <array>
#include <cstdint>

#include "weir/shadow.h"
#include "weir/time.h"
#include "weir/units.h"

#include "engine/histogram.h"

namespace weir {

// The most units in any window of `LengthMs`.
template <int64_t LengthMs>
class PeakWindow {
 public:
  void add(MonoTime now, Units units) {
    move_to(now.ns() / (kCellMs * 1'000'000));
    cells_[slot(newest_)] += units;
    sum_ += units;
    if (sum_ > peak_) peak_ = sum_;
  }
  double peak_per_s() const { return peak_.as_double() * 1000 / LengthMs; }

 private:
  static constexpr int64_t kCells = 20;
  static constexpr int64_t kCellMs = LengthMs / kCells;
  static_assert(LengthMs % kCells == 0);

  static size_t slot(int64_t number) { return static_cast<size_t>(number) % kCells; }

  void move_to(int64_t number) {
    if (number - newest_ >= kCells) {
      cells_ = {};
      sum_ = Units();
      newest_ = number;
    }
    while (newest_ < number) {
      newest_ += 1;
      sum_ -= cells_[slot(newest_)];
      cells_[slot(newest_)] = Units();
    }
  }

  std::array<Units, kCells> cells_{};
  int64_t newest_ = 0;
  Units sum_;
  Units peak_;
};

class LoadRecord {
 public:
  void add(MonoTime now, Units units) {
    offered_ += units;
    second_.add(now, units);
    ten_seconds_.add(now, units);
    minute_.add(now, units);
    const int64_t number = now.ns() / 1'000'000'000;
    if (number != busy_second_) close_second();
    busy_second_ = number;
    in_second_ += units;
  }

  LoadView view() const {
    return {.offered = offered_,
            .peak_1s_per_s = second_.peak_per_s(),
            .peak_10s_per_s = ten_seconds_.peak_per_s(),
            .peak_60s_per_s = minute_.peak_per_s(),
            .busy_p99_per_s = Units::from_micro(seconds_.percentile(0.99)).as_double()};
  }

 private:
  // A second counts when the next one begins, so the last one of all is still open.
  void close_second() {
    if (in_second_ > Units()) seconds_.add(in_second_.micro(), 1);
    in_second_ = Units();
  }

  Units offered_;
  PeakWindow<1'000> second_;
  PeakWindow<10'000> ten_seconds_;
  PeakWindow<60'000> minute_;
  int64_t busy_second_ = 0;
  Units in_second_;
  Histogram seconds_;  // micro-units of a second
};

}  // namespace weir
