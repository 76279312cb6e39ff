// SPDX-License-Identifier: Apache-2.0
//
// What a body would cost, and why: POST /v1/cost, question and answer.
//
// It uses the rules by which submissions are priced, so the figures agree with the 202. Nothing is
// stored and nothing is sent.
//
// Threads: the loop's; pure.
#pragma once

#include <string>
#include <variant>

#include "weir/options.h"

#include "shim/front/http_server.h"
#include "shim/front/problem.h"

namespace weir {

// The answer as JSON.
std::variant<std::string, Problem> answer_cost(const HttpRequest& request,
                                               const EngineOptions& options);

}  // namespace weir
