// SPDX-License-Identifier: Apache-2.0
//
// did_you_mean: the name that was probably meant, as the end of an error's sentence.
//
// Pure. Counts insertions, deletions, replacements and swaps of neighbours; a third of the name may
// differ, and never more than three characters. Of equally near names the first wins.
//
// Limits: names above 64 bytes are near nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weir {

// "; did you mean NAME?", or empty.
std::string did_you_mean(std::string_view wrong, std::span<const std::string> names);

}  // namespace weir
