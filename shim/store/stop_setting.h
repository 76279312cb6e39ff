// SPDX-License-Identifier: Apache-2.0
//
// Stops of lanes and classes, as settings of the file: "stop lane promotional" and "stop class
// otp", each with the value "paused 1700000000000 words of the person".
//
// Store's thread, and the start's.
#pragma once

#include <vector>

#include "weir/result.h"
#include "weir/stop.h"

#include "shim/store/statements.h"

namespace weir {

// False: the transaction has failed.
bool put_stop(Statements& statements, const StopOrder& order);
Status read_stops(Statements& statements, std::vector<StopOrder>& stops);

}  // namespace weir
