// SPDX-License-Identifier: Apache-2.0
//
// Method: the edit distance (insert, delete, replace, swap two neighbours) by dynamic programming
// over three rows; "optimal string alignment", which is enough for one slip of the hand.

#include "shim/front/near_name.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace weir {
namespace {

constexpr size_t kLongest = 64;

size_t distance(std::string_view a, std::string_view b) {
  std::array<size_t, kLongest + 1> two_up{};
  std::array<size_t, kLongest + 1> up{};
  std::array<size_t, kLongest + 1> row{};
  for (size_t j = 0; j <= b.size(); ++j) up[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = up[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_up[j - 2] + 1);
    }
    two_up = up;
    up = row;
  }
  return up[b.size()];
}

}  // namespace

std::optional<std::string_view> near_name(std::string_view found,
                                          std::span<const std::string_view> known) {
  if (found.size() > kLongest) return std::nullopt;
  std::optional<std::string_view> nearest;
  size_t best = std::max(found.size(), size_t{3}) / 3 + 1;
  for (std::string_view name : known) {
    if (name.size() > kLongest) continue;
    const size_t apart = distance(found, name);
    if (apart < best) {
      best = apart;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace weir
