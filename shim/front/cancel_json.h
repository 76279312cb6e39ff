// SPDX-License-Identifier: Apache-2.0
//
// What a person takes back, in the words of the API.
//
// Threads: the loop's; pure.
#pragma once

#include <variant>

#include "weir/effect.h"
#include "weir/event.h"

#include "shim/front/http_server.h"
#include "shim/front/problem.h"

namespace weir {

// `request` is not set.
std::variant<CancelRequested, Problem> read_cancel(const HttpRequest& request);
HttpResponse cancelled_response(const AnswerCancel& answer);

}  // namespace weir
