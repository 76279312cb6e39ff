// SPDX-License-Identifier: Apache-2.0
#include "engine/septets.h"

#include <algorithm>

#include "engine/gsm_alphabet.h"
#include "engine/national_tables.h"

namespace weir {
namespace {

bool is_seven_bit_text(char32_t code_point) {
  return (code_point >= 0x20 && code_point <= 0x7E) || code_point == '\n' || code_point == '\r';
}

}  // namespace

unsigned Septets::of(char32_t code_point) const {
  if (std::find(rules_.excluded.begin(), rules_.excluded.end(), code_point) !=
      rules_.excluded.end()) {
    return 0;
  }
  if (rules_.alphabet == Alphabet::kAscii) return is_seven_bit_text(code_point) ? 1 : 0;
  const unsigned standard = gsm::septets(code_point);
  const bool single = tables_.locking != Language::kNone
                          ? in_locking_table(tables_.locking, code_point)
                          : standard == 1;
  if (single) return 1;
  const bool shifted = tables_.single_shift != Language::kNone
                           ? in_single_shift_table(tables_.single_shift, code_point)
                           : standard == 2;
  return shifted ? 2 : 0;
}

}  // namespace weir
