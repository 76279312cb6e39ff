// SPDX-License-Identifier: Apache-2.0
//
// A submission out of the request that carries it: POST /v1/messages.
//
// The form is checked here (names, types, times, what is required); whether it may be sent is for
// the engine. The key comes from the field or from the Idempotency-Key header, which may be written
// bare or as a quoted string; two different ones are refused, because one of them is a mistake.
//
// Threads: the loop's; pure.
#pragma once

#include <string>
#include <variant>

#include "weir/message.h"
#include "weir/options.h"

#include "shim/front/http_server.h"
#include "shim/front/json_fields.h"
#include "shim/front/problem.h"

namespace weir {

std::variant<Submission, Problem> read_submission(const HttpRequest& request,
                                                  const EngineOptions& options);

// The refusal of an object whose fields are wrong, or that is none.
Problem problem_of(FieldsRead read);

}  // namespace weir
