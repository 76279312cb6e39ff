// SPDX-License-Identifier: Apache-2.0
//
// The engine's view and the store's totals in the Prometheus text format, made anew at each scrape.
// Labels come from the configuration only (lane, code), never from what a producer sends.
#pragma once

#include <string>

#include "weir/engine.h"

#include "shim/store/store.h"

namespace weir {

std::string metrics_text(const EngineView& view, const StoreTotals& store, WallTime now,
                         const std::string& version);

}  // namespace weir
