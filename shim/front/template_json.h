// SPDX-License-Identifier: Apache-2.0
//
// Templates as JSON: PUT /v1/templates/{id}, and what every answer about templates holds: the
// template, its variables, and the range of its cost.
//
// Threads: any; pure.
#pragma once

#include <string>
#include <variant>

#include "weir/options.h"
#include "weir/template.h"

#include "shim/front/http_server.h"
#include "shim/front/problem.h"

namespace weir {

// Well-formed, not yet judged: the engine checks what it says.
std::variant<Template, Problem> read_template(const HttpRequest& request, std::string id,
                                              const EngineOptions& options);

std::string template_json(const Template& one, const EngineOptions& options);
std::string templates_json(const Templates& all, const EngineOptions& options);

}  // namespace weir
