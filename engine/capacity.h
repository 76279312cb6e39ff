// SPDX-License-Identifier: Apache-2.0
//
// How many units fit a message of one part, and a part of several.
//
// For the counter, on any thread. What the header takes is what the text loses.
//
// Limits: the header holds a concatenation reference and national tables, nothing else.
#pragma once

#include <cstdint>

#include "weir/segments.h"

#include "engine/septets.h"

namespace weir {

struct Capacity {
  uint64_t single;
  uint64_t part;
};

// 3GPP TS 23.040, 9.2.3.24: 140 octets of user data, less the header. A concatenation element takes
// 5 octets or 6, a table element 3, and the header as a whole one more for its length.
constexpr Capacity capacity_of(Encoding encoding, ConcatReference reference, unsigned tables) {
  constexpr unsigned kUserData = 140;
  const auto units_after = [encoding](unsigned header) -> uint64_t {
    const unsigned octets = kUserData - header;
    return encoding == Encoding::kGsm7 ? octets * 8 / 7 : octets / 2;
  };
  const unsigned elements = 3 * tables;
  const unsigned concatenation = reference == ConcatReference::k8Bits ? 5 : 6;
  return {units_after(elements == 0 ? 0 : elements + 1), units_after(elements + concatenation + 1)};
}

inline Capacity capacity_of(const Counted& counted, const CountingRules& rules) {
  const Tables tables{counted.locking_table, counted.single_shift_table};
  return capacity_of(counted.encoding, rules.concat_reference, tables.announced());
}

}  // namespace weir
