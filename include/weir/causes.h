// SPDX-License-Identifier: Apache-2.0
//
// Why a body costs what it costs: the characters that forced it out of GSM-7, and the way back.
//
// Pure; any thread may call it. It allocates and walks the body a few times, so it is for a person
// or a refusal, not for every send.
//
// Limits: names are given for the usual offenders, then by script or block, else as U+XXXX. An
// offender and its position are shown; the text around it never is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/rewrite.h"
#include "weir/segments.h"

namespace weir {

// "curly apostrophe", "emoji", "Devanagari letter", or "U+2E3A".
std::string character_name(char32_t code_point);

struct Offender {
  size_t byte_offset = 0;
  // Counted in code points from 0.
  size_t index = 0;
  char32_t code_point = 0;
  std::string name;
};

struct Explanation {
  Counted counted;
  // The first ones in the body, at most as many as asked for; `offenders_total` counts all.
  std::vector<Offender> offenders;
  size_t offenders_total = 0;
  std::optional<SmartRewrite> rewrite;
};

// Enough to mend a body by; a Hindi text has hundreds of offenders and needs no list.
inline constexpr size_t kShownOffenders = 10;

std::variant<Explanation, InvalidText> explain(std::string_view utf8, const CountingRules& rules,
                                               size_t shown = kShownOffenders);

// One sentence: "1 curly apostrophe makes this 3 segments of UCS2 instead of 1 of GSM7." Empty for
// a GSM-7 body, and where no offender was asked for.
std::string summary(const Explanation& explanation);

}  // namespace weir
