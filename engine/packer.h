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

  constexpr void add(uint64_t width) {
    if (width == 1) {
      ++open_;
      return;
    }
    settle();
    const bool opens = open_ + width > capacity_;
    parts_ += opens;
    open_ = opens ? width : open_ + width;
  }

  // `count` characters of one unit each. They fill every part, so they need no look at its end
  // until a wider one comes.
  constexpr void add_singles(uint64_t count) { open_ += count; }

  constexpr uint64_t parts() {
    settle();
    return parts_;
  }

  // Units left in the last part.
  constexpr uint64_t room() {
    settle();
    return capacity_ - open_;
  }

  constexpr uint64_t capacity() const { return capacity_; }

 private:
  constexpr void settle() {
    if (open_ <= capacity_) return;
    const uint64_t full = (open_ - 1) / capacity_;
    parts_ += full;
    open_ -= full * capacity_;
  }

  uint64_t capacity_;
  uint64_t parts_ = 1;
  // Units in the last part, and those of later parts that are not settled yet.
  uint64_t open_ = 0;
};

}  // namespace weir
