// SPDX-License-Identifier: Apache-2.0
//
// What each character that is not GSM-7 may be written as, as data.
//
// For rewrite.cc, on any thread. One row a code point with two columns: what weir does, and what
// Twilio's published list does (the 271 entries of its calculator, version 1.3.0). Where the
// columns differ, weir keeps a combining mark, a control character, a digit or a letter of another
// alphabet that only looks alike, puts one space for one space, keeps a line separator a line end,
// and knows characters that the other list lacks: more dashes, primes, direction marks, the soft
// hyphen, and signs that Unicode itself holds equal to a GSM-7 letter (ohm, angstrom, kelvin).
//
// Limits: no digit is a row of weir's column; what spells a fraction is guarded in rewrite.cc.
#pragma once

#include <optional>
#include <string_view>

#include "weir/rewrite.h"

namespace weir {

// Nothing for a character that stays; an empty text for one that is removed.
std::optional<std::string_view> replacement_for(char32_t code_point, RewriteMap map);

}  // namespace weir
