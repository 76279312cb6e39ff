// SPDX-License-Identifier: Apache-2.0
//
// The one place where weir reads its two clocks. The loop calls it once a turn.
#pragma once

#include <string>

#include "weir/time.h"

namespace weir {

// CLOCK_MONOTONIC and CLOCK_REALTIME.
Now read_clocks();

// Another one each time that the machine is started, and so for each life of CLOCK_MONOTONIC; empty
// where the kernel does not tell.
std::string read_boot_id();

}  // namespace weir
