// SPDX-License-Identifier: Apache-2.0
//
// Names that the operator gives to gateways, classes, buckets and producers. Each becomes a file
// name, a metric's label or a key in JSON, so they are of one alphabet. Pure.
#pragma once

#include <algorithm>
#include <string_view>

namespace weir {

inline bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}
inline constexpr const char* kNameHelp = "write 1 to 64 characters of a to z, 0 to 9, _ and -";

}  // namespace weir
