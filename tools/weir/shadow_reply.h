// SPDX-License-Identifier: Apache-2.0
//
// The answer of GET /v1/shadow, read back: the counterpart of shim/front/shadow_json.h.
#pragma once

#include <optional>
#include <string>

#include "weir/shadow.h"

namespace weir {

// Nothing when the text is not such an answer.
std::optional<ShadowReport> read_shadow(const std::string& body);

}  // namespace weir
