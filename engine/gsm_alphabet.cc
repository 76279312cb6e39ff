// SPDX-License-Identifier: Apache-2.0
//
// Method: blocks of bytes are judged together and without a branch a byte, in vector registers.
// That is what keeps ordinary text within a small multiple of memchr.
#include "engine/gsm_alphabet.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace weir::gsm {
namespace {

// Is true of text in which every byte is a character of one septet, from three facts about each
// lane of its blocks. Setting bit 5 moves [ \ ] ^ and _ up to { | } ~ and DEL, so one maximum finds
// both groups and what is not ASCII; a minimum finds the controls; only the backtick is left. Line
// ends and the underscore take one septet too, but to tell them apart here would cost more than it
// saves.
class Lanes {
 public:
  void add(const char* block) {
    Bytes bytes;
    std::memcpy(&bytes, block, sizeof bytes);
    const Bytes raised = bytes | 0x20;
    least_ = bytes < least_ ? bytes : least_;
    most_ = raised > most_ ? raised : most_;
    backtick_ |= Bytes(bytes == 0x60);
  }

  bool plain() const {
    const Bytes foreign = Bytes(least_ < 0x20) | Bytes(most_ > 0x7A) | backtick_;
    const auto halves = std::bit_cast<std::array<uint64_t, 2>>(foreign);
    return (halves[0] | halves[1]) == 0;
  }

 private:
  // GCC's vector extension, which Clang has too: 16 lanes, whatever the optimisation level. A loop
  // over an array became vector instructions at -O2 only, and was twelve times slower at -O3.
  typedef uint8_t Bytes __attribute__((vector_size(kBlock)));

  Bytes least_ = Bytes{} | 0xFF;
  Bytes most_{};
  Bytes backtick_{};
};

}  // namespace

unsigned septets_beyond_latin1(char32_t code_point) {
  switch (code_point) {
    case 0x0393:  // Gamma
    case 0x0394:  // Delta
    case 0x0398:  // Theta
    case 0x039B:  // Lambda
    case 0x039E:  // Xi
    case 0x03A0:  // Pi
    case 0x03A3:  // Sigma
    case 0x03A6:  // Phi
    case 0x03A8:  // Psi
    case 0x03A9:  // Omega
      return 1;
    case 0x20AC:  // Euro sign, in the extension table.
      return 2;
    default: return 0;
  }
}

bool all_plain(std::string_view bytes) {
  if (bytes.size() < kBlock) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [](char c) { return is_one_septet_ascii(static_cast<uint8_t>(c)); });
  }
  Lanes lanes;
  const char* const last = bytes.data() + bytes.size() - kBlock;
  for (const char* block = bytes.data(); block < last; block += kBlock)
    lanes.add(block);
  // The last block ends with the text and may overlap the one before it.
  lanes.add(last);
  return lanes.plain();
}

size_t plain_run(std::string_view bytes, size_t at) {
  const size_t begin = at;
  while (bytes.size() - at >= kBlock) {
    Lanes lanes;
    lanes.add(bytes.data() + at);
    if (!lanes.plain()) break;
    at += kBlock;
  }
  return at - begin;
}

}  // namespace weir::gsm
