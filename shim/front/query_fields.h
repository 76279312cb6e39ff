// SPDX-License-Identifier: Apache-2.0
//
// The fields of a query string: "since=2030-01-31T18:30:00Z&limit=50".
//
// Strict, as the bodies are: a field that is not known, that comes twice or whose percent-encoding
// is broken is an error that names it. A '+' is a plus, not a space.
//
// Threads: the loop's; pure.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "shim/front/problem.h"

namespace weir {

using QueryFields = std::map<std::string, std::string, std::less<>>;

std::variant<QueryFields, Problem> read_query(std::string_view query,
                                              std::span<const std::string_view> known);

// The field "limit", a whole number from 1 to `most`; `out` stays when it is not there. False: it
// is wrong, and `problem` has the error.
bool read_limit(const QueryFields& fields, uint32_t most, uint32_t& out, Problem& problem);

}  // namespace weir
