// SPDX-License-Identifier: Apache-2.0
//
// Filling segments from left to right with characters that are not cut.
//
// For segments.cc, on any thread. A part is opened when a character needs it, not when the last one
// fills up, so an exact multiple has no empty part at its end. Characters are at most two units
// wide (a cluster at most a part), and then filling greedily gives the fewest parts that can be
// had.
//
// Limits: widths are at most `capacity`.
#pragma once

#include <cstdint>

namespace weir {

class Packer {
 public:
  constexpr explicit Packer(uint64_t capacity) : capacity_(capacity) {}

  // True if this opened a new part.
  constexpr bool add(uint64_t width) {
    const bool opens = used_ + width > capacity_;
    parts_ += opens;
    used_ = opens ? width : used_ + width;
    return opens;
  }

  // `count` characters of one unit each.
  constexpr void add_singles(uint64_t count) {
    used_ += count;
    if (used_ <= capacity_) return;
    const uint64_t full = (used_ - 1) / capacity_;
    parts_ += full;
    used_ -= full * capacity_;
  }

  constexpr uint64_t parts() const { return parts_; }
  constexpr uint64_t used() const { return used_; }
  constexpr uint64_t room() const { return capacity_ - used_; }
  constexpr uint64_t capacity() const { return capacity_; }

 private:
  uint64_t capacity_;
  uint64_t parts_ = 1;
  uint64_t used_ = 0;
};

}  // namespace weir
