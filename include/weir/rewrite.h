// SPDX-License-Identifier: Apache-2.0
//
// Rewriting a body so that it stays in GSM-7: quotes, dashes, spaces, an ellipsis, what is
// invisible.
//
// Pure functions; any thread may call them. Nothing here runs unless a class, a template or a
// person asks for it: a rewrite changes what the producer wrote.
//
// Two maps share one table (engine/rewrite_table.cc):
//   kWeir    what weir itself may do. It leaves alone every URL (http://, https:// or www., up to
//            white space) and every digit: none is replaced, and no fraction is spelt out beside
//            one (1 1/2 written together would read 11/2). Combining marks stay, because what they
//            belong to would have to be composed first.
//   kTwilio  what that provider's published map does on its side, with none of those guards. It is
//            for predicting a bill, not for changing a body.
//
// smart_rewrite() is all or nothing: if one character would still force UCS-2, nothing is gained,
// so nothing is changed.
//
// Limits: no Unicode normalisation. A class whose bodies carry codes (otp) should not ask for it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "weir/segments.h"

namespace weir {

enum class RewriteMap : uint8_t { kWeir, kTwilio };

struct Rewritten {
  std::string text;
  // Characters of the original that were replaced or removed.
  size_t replaced = 0;
};

// Replaces all that the map names, whatever that gains.
std::variant<Rewritten, InvalidText> rewrite(std::string_view utf8, RewriteMap map);

struct SmartRewrite {
  std::string text;
  size_t replaced = 0;
  Counted counted;
};

// The rewrite by kWeir, if it brings a body that is not GSM-7 wholly into GSM-7 under these rules.
// Nothing for a body that is GSM-7 already, that cannot be brought there, that would take more
// segments so (an ellipsis becomes three dots), or that is not UTF-8.
std::optional<SmartRewrite> smart_rewrite(std::string_view utf8, const CountingRules& rules);

}  // namespace weir
