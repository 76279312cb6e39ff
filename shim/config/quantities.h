// SPDX-License-Identifier: Apache-2.0
//
// Quantities as an operator writes them: 45s, 64KiB, 20%, 0.35.
//
// Pure; any thread may call them. Exact: nothing is rounded, a text that would need it is refused.
// Errors say what would be right and never repeat the text.
//
// Limits: whole numbers for durations and sizes ("90s", not "1.5m"); no spaces, signs or exponents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weir/result.h"
#include "weir/time.h"
#include "weir/units.h"

namespace weir {

Result<int64_t> parse_integer(std::string_view text);    // 300000; no leading zeros
Result<Duration> parse_duration(std::string_view text);  // 500ms, 45s, 10m, 6h, 31d
Result<uint64_t> parse_size(std::string_view text);      // 512, 64KiB, 8MiB, 1GiB
Result<double> parse_share(std::string_view text);       // 20%, 12.5%, 0.2; from 0 to 1
Result<Units> parse_units(std::string_view text);        // 100, 0.35; to a millionth
Result<uint16_t> parse_time_of_day(std::string_view);    // 10:00; in minutes after midnight

// The largest unit that shows it whole: 45s, 31d, 500ms. parse_duration() reads it back.
std::string format_duration(Duration duration);
// "10:00"
std::string format_time_of_day(uint16_t minute);
// "64KiB", "512 bytes".
std::string format_size(uint64_t bytes);
// Up to six decimals, without trailing zeros: "100", "0.35".
std::string format_units(Units units);

}  // namespace weir
