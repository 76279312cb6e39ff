// SPDX-License-Identifier: Apache-2.0
//
// Characters that belong to the one before them, and characters that are pictures.
//
// Data for grapheme.cc and character_names.cc. From the general categories of Unicode 14.
#pragma once

namespace weir {

// Combining and spacing marks, joiners, variation selectors, skin tones and tag characters.
bool is_mark(char32_t code_point);

// Emoji, and the symbols that can be shown as emoji. Skin tones are marks instead.
bool is_pictograph(char32_t code_point);

}  // namespace weir
