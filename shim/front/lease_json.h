// SPDX-License-Identifier: Apache-2.0
//
// Leases in JSON: POST /v1/acquire and POST /v1/leases/{id}/refund.
//
// The form is checked here; whether the units are there is for the engine.
//
// Threads: the loop's; pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "weir/effect.h"
#include "weir/event.h"
#include "weir/options.h"

#include "shim/front/http_server.h"
#include "shim/front/problem.h"

namespace weir {

std::string lease_id_text(LeaseId id);  // l17
std::optional<LeaseId> parse_lease_id(std::string_view text);

// Without the request's number, which is the caller's.
std::variant<AcquireRequested, Problem> read_acquire(const HttpRequest& request,
                                                     const EngineOptions& options);

// The answer to either, whatever it is.
HttpResponse lease_response(const AnswerLease& answer);

}  // namespace weir
