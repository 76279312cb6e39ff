// SPDX-License-Identifier: Apache-2.0
//
// Letters of HTTP without their case: A to Z and nothing else, whatever the locale.
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

}  // namespace weir
