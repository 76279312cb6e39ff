// SPDX-License-Identifier: Apache-2.0
//
// Sending windows for the classes of a World, in minutes from its start.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/world.h"

namespace weir::test {

inline const WallTime kWorldStart = WallTime::from_unix_ms(1'796'000'000'000);

inline WallTime minute(int64_t after_start) {
  return kWorldStart + Duration::seconds(60 * after_start);
}

// The engine does not look at the hours that the options say, only whether there is a window.
inline EngineOptions with_window(std::string_view class_name, AtClose at_close,
                                 EngineOptions options = test_options()) {
  for (ClassOptions& one : options.classes) {
    if (one.name == class_name) one.window = SendingWindow{600, 1260, at_close, "UTC"};
  }
  return options;
}

// Minutes of opening and close, the same for every class.
inline Calendar open_between(const std::vector<std::pair<int64_t, int64_t>>& minutes,
                             const EngineOptions& options = test_options()) {
  std::vector<Opening> list;
  for (const auto& [open, close] : minutes)
    list.push_back({minute(open), minute(close)});
  return Calendar(options.classes.size(), Openings(list));
}

}  // namespace weir::test
