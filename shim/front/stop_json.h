// SPDX-License-Identifier: Apache-2.0
//
// What a person pauses, drains and resumes, in the words of the API.
//
// Threads: the loop's; pure.
#pragma once

#include <string_view>
#include <variant>

#include "weir/effect.h"
#include "weir/event.h"

#include "shim/front/http_server.h"
#include "shim/front/json_writer.h"
#include "shim/front/problem.h"

namespace weir {

inline constexpr std::string_view kOneLane = "/v1/lanes/";
inline constexpr std::string_view kOneClass = "/v1/classes/";

// Of a path below one of the two, which ends in /pause, /drain or /resume. `request` is not set.
std::variant<StopRequested, Problem> read_stop(const HttpRequest& request);
HttpResponse stopped_response(const AnswerStop& answer);
// {mode, reason, since}, or null when it is not stopped.
void write_stop(JsonWriter& json, const Stop& stop);

}  // namespace weir
