// SPDX-License-Identifier: Apache-2.0
//
// Method: the optimal string alignment distance, three rows of its table at a time.
#include "shim/config/did_you_mean.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir {
namespace {

constexpr size_t kLongest = 64;

size_t distance(std::string_view a, std::string_view b) {
  std::array<size_t, kLongest + 1> before_last{};
  std::array<size_t, kLongest + 1> last{};
  std::array<size_t, kLongest + 1> row{};
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view wrong, std::span<const std::string> names) {
  if (wrong.size() > kLongest) return "";
  size_t nearest = std::clamp<size_t>(wrong.size() / 3, 1, 3) + 1;
  const std::string* found = nullptr;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    const size_t away = distance(wrong, name);
    if (away >= nearest) continue;
    nearest = away;
    found = &name;
  }
  return found == nullptr ? "" : "; did you mean " + *found + "?";
}

}  // namespace weir
