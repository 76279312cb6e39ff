// SPDX-License-Identifier: Apache-2.0
//
// Reading UTF-8 one code point at a time, strictly.
//
// For the counter and the rewriter, on any thread. decode() never reads past the end of its bytes
// and always moves on: `length` is at least 1, also where the bytes are no character.
//
// Limits: well-formedness by Unicode table 3-7, nothing about whether a code point is assigned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/segments.h"

namespace weir {

struct Decoded {
  char32_t code_point = 0;
  // Bytes of the character or, where `valid` is false, of the longest beginning of one.
  uint8_t length = 1;
  bool valid = true;
  TextFault fault = TextFault::kStrayContinuation;
};

// decode() of what is not ASCII.
Decoded decode_beyond_ascii(std::string_view bytes, size_t at);

// The character that begins at byte `at`, which is inside of `bytes`.
inline Decoded decode(std::string_view bytes, size_t at) {
  const auto lead = static_cast<uint8_t>(bytes[at]);
  if (lead < 0x80) return {lead, 1, true, TextFault::kStrayContinuation};
  return decode_beyond_ascii(bytes, at);
}

// Where the text stops being UTF-8, if it does.
std::optional<InvalidText> find_invalid(std::string_view bytes);

void append_utf8(std::string& text, char32_t code_point);

// The text with one U+FFFD for each maximal subpart that is no character, as web browsers do it.
// For comparing with counters that repair; weir refuses such a text.
std::string repaired(std::string_view bytes);

// UTF-16 units of a code point: 2 above U+FFFF.
constexpr unsigned utf16_units(char32_t code_point) {
  return code_point > 0xFFFF ? 2 : 1;
}

}  // namespace weir
