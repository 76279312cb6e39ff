// SPDX-License-Identifier: Apache-2.0
//
// The engine's view in the words of the API: lanes, pressure, readiness.
//
// Threads: the loop's; pure.
#pragma once

#include <string>

#include "weir/engine.h"
#include "weir/time.h"

namespace weir {

std::string lanes_json(const EngineView& view, WallTime now);
std::string pressure_json(const EngineView& view, WallTime now);

struct Readiness {
  bool ready = false;
  std::string json;
};
// Ready: a message that comes now can be written, and can be sent.
Readiness readiness(const EngineView& view);

}  // namespace weir
