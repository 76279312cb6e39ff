// SPDX-License-Identifier: Apache-2.0
//
// What was recorded since the start for those who set the limits: how much was offered and how
// fast, and, for a lane in shadow, what its limits would have done to it.
//
// Filled by Engine::shadow(); GET /v1/shadow, `weir shadow report` and `weir size` show it.
#pragma once

#include <array>

#include "weir/time.h"
#include "weir/types.h"
#include "weir/units.h"

namespace weir {

// What producers handed in, refused for want of room or time included.
struct LoadView {
  Units offered;
  // The most units of any window of that length, as units/s.
  double peak_1s_per_s = 0;
  double peak_10s_per_s = 0;
  double peak_60s_per_s = 0;
  // 99 of 100 seconds in which something came had no more.
  double busy_p99_per_s = 0;
};

// What the limits would have decided. `decided` is passed + waited + shed + refused.
struct ShadowView {
  Units passed;   // sent at once
  Units waited;   // sent later
  Units shed;     // its deadline would have passed while it waited, or it would never have fitted
  Units refused;  // at the door: no room, or no time
  Units in_line;  // still waits for the decision
  // Of the units that would have waited, and are through.
  Duration wait_p50;
  Duration wait_p99;

  Units decided() const { return passed + waited + shed + refused; }
};

struct ShadowReport {
  struct PerLane {
    bool shadow = false;
    double reserve = 0;  // the lane's shares of the ceiling, as configured
    double limit = 0;
    LoadView load;
    ShadowView would;  // zero unless in shadow
  };
  WallTime since;
  Duration recorded;
  Units rate_per_s;  // the ceiling at present
  Duration capacity;
  // One recipient at limits.max_segments: what every lane's bucket has to hold.
  Units dearest_recipient;
  LoadView account;
  std::array<PerLane, kLanes> lanes;
};

}  // namespace weir
