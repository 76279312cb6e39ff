// SPDX-License-Identifier: Apache-2.0
//
// A part, or a multiple, of an amount of units, rounded down: what is derived from a limit never
// passes it by rounding. Pure.
#pragma once

#include <cmath>

#include "weir/units.h"

namespace weir {

inline Units share_of(Units whole, double share) {
  return Units::from_micro(
      static_cast<int64_t>(std::floor(static_cast<double>(whole.micro()) * share)));
}

}  // namespace weir
