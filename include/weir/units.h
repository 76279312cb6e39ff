// SPDX-License-Identifier: Apache-2.0
//
// Units: what is billed, limited, bounded and counted.
//
// One unit is one segment to one recipient. It is held as a whole number of micro-units (1e-6 of a
// unit), so that a profile may weigh a segment (0.35 credit, say) without drift: sums and products
// are exact, and a weight is rounded up to a micro-unit once, where it is read.
//
// Limits: +-9.2e18 micro-units, that is 9.2e12 units. Arithmetic that could leave this range is a
// check failure; admission bounds every quantity far below it.
#pragma once

#include <compare>
#include <cstdint>

#include "weir/check.h"

namespace weir {

class Units {
 public:
  static constexpr int64_t kMicro = 1'000'000;

  constexpr Units() = default;
  static constexpr Units from_micro(int64_t micro) { return Units(micro); }
  // Whole units.
  static constexpr Units of(int64_t units) {
    int64_t micro = 0;
    WEIR_CHECK(!__builtin_mul_overflow(units, kMicro, &micro));
    return Units(micro);
  }

  constexpr int64_t micro() const { return micro_; }
  // For people and metrics; never for a decision.
  constexpr double as_double() const { return static_cast<double>(micro_) / kMicro; }

  constexpr Units& operator+=(Units other) {
    WEIR_CHECK(!__builtin_add_overflow(micro_, other.micro_, &micro_));
    return *this;
  }
  constexpr Units& operator-=(Units other) {
    WEIR_CHECK(!__builtin_sub_overflow(micro_, other.micro_, &micro_));
    return *this;
  }
  friend constexpr Units operator+(Units a, Units b) { return a += b; }
  friend constexpr Units operator-(Units a, Units b) { return a -= b; }
  friend constexpr Units operator*(Units a, int64_t times) {
    int64_t micro = 0;
    WEIR_CHECK(!__builtin_mul_overflow(a.micro_, times, &micro));
    return Units(micro);
  }
  friend constexpr auto operator<=>(Units, Units) = default;

 private:
  constexpr explicit Units(int64_t micro) : micro_(micro) {}
  int64_t micro_ = 0;
};

}  // namespace weir
