// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean": the known name that a mistyped one is nearest to.
//
// Pure; any thread may call it. For a refusal, not for every request: it compares with every name.
//
// Limits: at most a third of the name may differ, so that "foo" is not taken for "to"; names above
// 64 bytes are near nothing.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace weir {

std::optional<std::string_view> near_name(std::string_view found,
                                          std::span<const std::string_view> known);

}  // namespace weir
