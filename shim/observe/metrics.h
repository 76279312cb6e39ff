// SPDX-License-Identifier: Apache-2.0
//
// The engine's view in the Prometheus text format, made anew at each scrape. Labels come from the
// configuration only (lane, code), never from what a producer sends.
#pragma once

#include <string>

#include "weir/engine.h"

namespace weir {

std::string metrics_text(const EngineView& view, const std::string& version);

}  // namespace weir
