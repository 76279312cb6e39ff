// SPDX-License-Identifier: Apache-2.0
//
// The one place where weir reads its two clocks. The loop calls it once a turn.
#pragma once

#include "weir/time.h"

namespace weir {

// CLOCK_MONOTONIC and CLOCK_REALTIME.
Now read_clocks();

}  // namespace weir
