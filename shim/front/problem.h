// SPDX-License-Identifier: Apache-2.0
//
// Every "no" on the wire: application/problem+json (RFC 9457) with a stable `code`.
//
// One table (problem.cc) holds each code, its status and its title; API.md explains each under an
// anchor that `type` points to. Codes are never renamed. The first part of the table is HTTP's and
// the door's, the second the engine's (RefusalCode, by the same names).
//
// Threads: the loop's; pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/refusal.h"
#include "weir/time.h"

#include "shim/front/http_server.h"

namespace weir {

struct ProblemKind {
  std::string_view code;
  int status;
  std::string_view title;
};

std::span<const ProblemKind> problem_kinds();

struct Problem {
  std::string_view code;  // one of the table; nothing else
  std::string detail;
  std::vector<FieldError> errors;
  // For a 503 or 429. Absent there: one second.
  std::optional<Duration> retry_after;
  // Of a lane that says no; and what deadline_unreachable compares.
  std::optional<Pressure> pressure = {};
  std::optional<Duration> predicted_wait = {};
  std::optional<Duration> time_left = {};
};

Problem problem_of(Refusal refusal);

// Close it yourself where the rest of the request was not read.
HttpResponse problem_response(const Problem& problem);

}  // namespace weir
