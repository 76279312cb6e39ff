// SPDX-License-Identifier: Apache-2.0
//
// The national language tables of 3GPP TS 23.038, annex A: which characters they hold.
//
// For the counter, on any thread. A locking table stands in for the default alphabet (one septet a
// character), a single shift table for the extension table (two). Each that is used is announced in
// the header of every part, which costs room there; segments.cc knows how much.
//
// Limits: membership only, not codes. Characters are as the standard names them, without
// normalisation: a letter and a nukta in two code points take two septets.
#pragma once

#include "weir/segments.h"

namespace weir {

// False for kNone and for Spanish, which has a single shift table only.
bool has_locking_table(Language language);

bool in_locking_table(Language language, char32_t code_point);
bool in_single_shift_table(Language language, char32_t code_point);

}  // namespace weir
