// SPDX-License-Identifier: Apache-2.0
//
// A number as the engine's notes and errors show it: six digits at the most. Pure.
#pragma once

#include <cstdio>
#include <string>

namespace weir {

inline std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace weir
