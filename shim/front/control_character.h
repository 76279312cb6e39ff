// SPDX-License-Identifier: Apache-2.0
//
// What could move a terminal's cursor when a producer's or a person's text is shown on it: C0, DEL
// and C1 (Unicode, general category Cc).
#pragma once

#include <cstddef>
#include <string_view>

namespace weir {

// How many bytes of UTF-8 the control character at text[at] takes; 0: there is none. `at` is below
// the text's size.
constexpr size_t control_character_at(std::string_view text, size_t at) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(at) < 0x20 || byte(at) == 0x7f) return 1;
  const bool c1 = byte(at) == 0xc2 && at + 1 < text.size() && byte(at + 1) < 0xa0;
  return c1 ? 2 : 0;
}

constexpr bool has_control_character(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (control_character_at(text, i) > 0) return true;
  }
  return false;
}

}  // namespace weir
