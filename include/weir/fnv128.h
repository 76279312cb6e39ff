// SPDX-License-Identifier: Apache-2.0
//
// Fnv128: FNV-1a with 128 bits (Fowler, Noll, Vo), over fields that are handed in one by one.
//
// Wide enough that a million texts do not meet by chance; no defence against somebody who looks for
// two texts of one value, so whoever uses it compares where that would matter.
//
// Pure; an object of its own for each hash. The value of the same calls never changes: it is on
// disk, and in keys that a file is sent again under.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir {

class Fnv128 {
 public:
  // Length first, so that neighbouring fields cannot trade characters.
  void text(std::string_view bytes) {
    number(bytes.size());
    for (char byte : bytes)
      octet(static_cast<unsigned char>(byte));
  }
  void number(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      octet(static_cast<unsigned char>(value >> shift));
  }
  uint64_t high() const { return static_cast<uint64_t>(state_ >> 64); }
  uint64_t low() const { return static_cast<uint64_t>(state_); }

 private:
  __extension__ typedef unsigned __int128 Wide;
  void octet(unsigned char byte) {
    constexpr Wide kPrime = (static_cast<Wide>(1) << 88) + 0x13B;
    state_ = (state_ ^ byte) * kPrime;
  }
  Wide state_ = (static_cast<Wide>(0x6C62272E07BB0142) << 64) | 0x62B821756295C58D;
};

}  // namespace weir
