// SPDX-License-Identifier: Apache-2.0
//
// The alphabet that one set of counting rules spans: how many septets a character takes under it.
//
// For the counter and for naming what made a body expensive, on any thread. It borrows the rules.
//
// Limits: slower than gsm::septets() by a look through the excluded characters and the tables, so
// the counter takes it only for rules that need it.
#pragma once

#include "weir/segments.h"

namespace weir {

// Which national tables a message announces; kNone for those it does not.
struct Tables {
  Language locking = Language::kNone;
  Language single_shift = Language::kNone;

  constexpr unsigned announced() const {
    return (locking != Language::kNone) + (single_shift != Language::kNone);
  }
};

class Septets {
 public:
  Septets(const CountingRules& rules, Tables tables) : rules_(rules), tables_(tables) {}

  // 1, 2, or 0 for a character that cannot be sent in septets.
  unsigned of(char32_t code_point) const;

 private:
  const CountingRules& rules_;
  Tables tables_;
};

}  // namespace weir
