// SPDX-License-Identifier: Apache-2.0
//
// A set of code points as sorted ranges: the form in which this folder keeps its character data.
//
// Pure, any thread. A table is checked at compile time with is_sorted(), so contains() may halve
// it.
#pragma once

#include <algorithm>
#include <span>

namespace weir {

// First and last code point, both inside.
struct CodeRange {
  char32_t first;
  char32_t last;
};

constexpr bool is_sorted(std::span<const CodeRange> ranges) {
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].first > ranges[i].last) return false;
    if (i > 0 && ranges[i - 1].last >= ranges[i].first) return false;
  }
  return true;
}

constexpr bool contains(std::span<const CodeRange> ranges, char32_t code_point) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), code_point,
                       [](char32_t c, const CodeRange& range) { return c < range.first; });
  return after != ranges.begin() && code_point <= (after - 1)->last;
}

}  // namespace weir
