// SPDX-License-Identifier: Apache-2.0
#include "engine/prediction.h"

#include <algorithm>

namespace weir {

double lane_rate_per_s(const EngineOptions& options, double ceiling_per_s, Lane lane,
                       const std::array<double, kLanes>& taken) {
  const LaneOptions& own = options.lanes[index(lane)];
  double left = ceiling_per_s;
  for (size_t above = 0; above < index(lane); ++above) {
    // A lane in shadow sends more than it takes.
    left -= std::min(taken[above], options.lanes[above].limit * ceiling_per_s);
  }
  const double rate =
      std::max(own.reserve * ceiling_per_s, std::min(own.limit * ceiling_per_s, left));
  // A lane without a reserve under lanes that take everything still has a finite prediction.
  return std::max(rate, ceiling_per_s / 1000);
}

Duration time_to_flow(Units missing, double rate_per_s) {
  if (missing <= Units()) return Duration();
  constexpr double kAYear = 31'536'000;
  const double wait_s = std::min(missing.as_double() / rate_per_s, kAYear);
  return Duration::millis(static_cast<int64_t>(wait_s * 1000));
}

}  // namespace weir
