// SPDX-License-Identifier: Apache-2.0
//
// The monotonic clock, for the parts of the egress: when a request left, and how long a call may
// still take. It is the loop's clock, read now and not as of the turn's start.
#pragma once

#include <uv.h>

#include "weir/time.h"

namespace weir {

inline MonoTime clock_now() {
  return MonoTime::from_ns(static_cast<int64_t>(uv_hrtime()));
}

}  // namespace weir
