// SPDX-License-Identifier: Apache-2.0
//
// What `weir shadow report` prints: a table of the lanes, and a sentence for each in shadow.
//
// Pure.
#pragma once

#include <string>

#include "weir/shadow.h"

namespace weir {

std::string shadow_text(const ShadowReport& report);

// For a person: "90 s", "45 min", "26 h", "9 days".
std::string span_text(Duration span);

}  // namespace weir
