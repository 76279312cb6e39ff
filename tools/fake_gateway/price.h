// SPDX-License-Identifier: Apache-2.0
//
// The fake gateway's other call: POST /SMSApi/info/msg, what a text costs. It counts as weir does,
// unless it is told to disagree, so that a disagreement can be rehearsed.
//
// Threads: any; pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weir/result.h"

namespace weir {

enum class Disagreement : uint8_t {
  kNone,
  kDivided,       // credits by dividing the length, also where a pair has to stay whole
  kGsmAsUnicode,  // every text is Unicode
  kOffByOne,      // one credit too many
};

// Empty text: kNone.
Result<Disagreement> parse_disagreement(std::string_view text);

// The provider's reply for a text that is UTF-8, else its refusal.
std::string price_json(std::string_view body, Disagreement disagreement);

}  // namespace weir
