// SPDX-License-Identifier: Apache-2.0
//
// What a body would cost, and why: POST /v1/cost, question and answer.
//
// It uses the rules by which submissions are priced, so the figures agree with the 202. Nothing is
// stored and nothing is sent.
//
// Pure; any thread may call it. `weir cost --json` prints the same object.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "weir/causes.h"
#include "weir/options.h"

#include "shim/front/http_server.h"
#include "shim/front/problem.h"

namespace weir {

// The price of a body to so many recipients, and what makes it that.
std::string cost_json(std::string_view body, const Explanation& explanation, size_t recipients,
                      Units weight);

// The answer as JSON.
std::variant<std::string, Problem> answer_cost(const HttpRequest& request,
                                               const EngineOptions& options);

}  // namespace weir
