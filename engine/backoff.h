// SPDX-License-Identifier: Apache-2.0
//
// Full jitter: see BackoffOptions for the rule and its source.
#pragma once

#include <algorithm>

#include "weir/options.h"

#include "engine/rng.h"

namespace weir {

// The wait after `attempts` failed tries (from 1).
inline Duration full_jitter(const BackoffOptions& options, uint32_t attempts, Rng& rng) {
  const uint32_t doublings = std::min(attempts > 0 ? attempts - 1 : 0, 30U);
  const int64_t grown = options.base.ns() > (options.cap.ns() >> doublings)
                            ? options.cap.ns()
                            : options.base.ns() << doublings;
  return Duration::nanos(rng.up_to(std::min(grown, options.cap.ns())));
}

}  // namespace weir
