// SPDX-License-Identifier: Apache-2.0
//
// The list of messages, and what a person says of unknown ones, in the words of the API.
//
// Threads: the loop's; pure.
#pragma once

#include <string>
#include <variant>

#include "weir/effect.h"
#include "weir/event.h"
#include "weir/options.h"

#include "shim/front/http_server.h"
#include "shim/front/problem.h"
#include "shim/store/reports.h"

namespace weir {

// `request` of both is not set.
std::variant<ListMessages, Problem> read_list_query(const HttpRequest& request,
                                                    const EngineOptions& options);
std::variant<ResolveRequested, Problem> read_resolve(const HttpRequest& request, MessageId message);

std::string list_json(const Listed& listed);
HttpResponse resolved_response(const AnswerResolve& answer);

}  // namespace weir
