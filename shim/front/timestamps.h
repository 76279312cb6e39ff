// SPDX-License-Identifier: Apache-2.0
//
// Times as producers write and read them: RFC 3339, UTC only, "2030-01-31T18:30:00.250Z".
//
// Pure; any thread may call it. What format_timestamp() writes, parse_timestamp() reads back.
//
// Reading is strict: upper-case T and Z, two digits everywhere, a real date, "+00:00" as the one
// other way to say UTC. Another offset is refused rather than converted, so that a producer whose
// clock speaks local time learns it from the first call and not from a late message.
//
// Limits: milliseconds; finer digits are cut off. No leap seconds (Unix time has none). Years 1970
// to 2199: the difference of two such times fits a Duration.
#pragma once

#include <string>
#include <string_view>

#include "weir/result.h"
#include "weir/time.h"

namespace weir {

Result<WallTime> parse_timestamp(std::string_view text);

std::string format_timestamp(WallTime time);

}  // namespace weir
