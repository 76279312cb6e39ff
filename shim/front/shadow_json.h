// SPDX-License-Identifier: Apache-2.0
//
// GET /v1/shadow: what was offered since the start, and what the limits of lanes in shadow would
// have done.
//
// Threads: the loop's; pure.
#pragma once

#include <string>

#include "weir/shadow.h"

namespace weir {

std::string shadow_json(const ShadowReport& report, WallTime now);

}  // namespace weir
