// SPDX-License-Identifier: Apache-2.0
//
// Text of HTTP: letters without their case (A to Z and nothing else, whatever the locale), and what
// stands between blanks.
#pragma once

#include <algorithm>
#include <string_view>

namespace weir {

constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// `lower` is in lower case.
inline bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return ascii_lower(a) == b; });
}

// Without the spaces and tabs around it.
inline std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace weir
