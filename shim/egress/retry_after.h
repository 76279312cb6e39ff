// SPDX-License-Identifier: Apache-2.0
//
// Retry-After (RFC 9110 section 10.2.3), read by ourselves: curl's own reading answers 1 for "1.5",
// 0 for twenty digits and a large negative number for a past date.
//
// Pure; any thread may call it.
//
// Limits: seconds have one to nine digits; a date is an IMF-fixdate and is measured against the
// reply's own Date, so that neither side's clock matters. A date without a Date says nothing.
#pragma once

#include <optional>
#include <string_view>

#include "weir/time.h"

namespace weir {

// What is asked for, never negative, at most 999,999,999 seconds; a date in the past asks for none.
// Absent where the value is not what the RFC describes: fractional, negative, too long, malformed.
std::optional<Duration> parse_retry_after(std::string_view value, std::string_view date);

}  // namespace weir
