// SPDX-License-Identifier: Apache-2.0
//
// How fast a lane will go and how long that takes: for what is told to producers, and for the door
// that refuses what will be late. Predictions only; no grant hangs on them.
//
// Pure.
#pragma once

#include <array>

#include "weir/options.h"

namespace weir {

// What a lane will get per second: its limit, less what the lanes above it take just now, but never
// less than its own reserve. `taken` is by lane, per second.
double lane_rate_per_s(const EngineOptions& options, double ceiling_per_s, Lane lane,
                       const std::array<double, kLanes>& taken);

// Zero when nothing is missing; a year at the most.
Duration time_to_flow(Units missing, double rate_per_s);

}  // namespace weir
