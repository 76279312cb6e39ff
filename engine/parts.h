// SPDX-License-Identifier: Apache-2.0
//
// Cutting a counted body into the parts that go on the wire.
//
// For boundaries and for bodies that the operator truncates, on any thread. It walks the body again
// and allocates; the price of a message needs neither.
//
// Limits: the body is valid UTF-8 and the count is its own, under the same rules.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/segments.h"

namespace weir {

// One part as cut: its bytes, and the units that count against it.
struct Part {
  ByteRange bytes;
  uint64_t units = 0;
};

// As many as `counted.needed_segments`, or as max_segments where the body is truncated. A body that
// is cut down to one part needs no concatenation header.
std::vector<Part> sent_parts(std::string_view body, const CountingRules& rules,
                             const Counted& counted);

}  // namespace weir
