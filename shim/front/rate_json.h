// SPDX-License-Identifier: Apache-2.0
//
// GET /v1/rate/history: its query, and the changes of the ceiling in words.
//
// Threads: the loop's; pure.
#pragma once

#include <string>
#include <variant>

#include "shim/front/http_server.h"
#include "shim/front/problem.h"
#include "shim/store/store.h"

namespace weir {

// `now` is the end of what is asked for where the query names none.
std::variant<FindRates, Problem> read_rates_query(const HttpRequest& request, WallTime now);
std::string rates_json(const FoundRates& found);

}  // namespace weir
