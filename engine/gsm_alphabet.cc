// SPDX-License-Identifier: Apache-2.0
//
// Method: blocks of bytes are judged together and without a branch a byte, so that the compiler
// turns the inner loops into vector instructions (it does at -O2 with GCC 12 and Clang 14). That is
// what keeps ordinary text within a small multiple of memchr.
#include "engine/gsm_alphabet.h"

#include <bit>

namespace weir::gsm {
namespace {

// Is true of text in which every byte is a character of one septet, from three facts about each
// lane of its blocks. Setting bit 5 moves [ \ ] ^ and _ up to { | } ~ and DEL, so one maximum finds
// both groups and what is not ASCII; a minimum finds the controls; only the backtick is left. Line
// ends and the underscore take one septet too, but to tell them apart here would cost more than it
// saves.
struct Lanes {
  std::array<uint8_t, kBlock> least;
  std::array<uint8_t, kBlock> most{};
  std::array<uint8_t, kBlock> backtick{};

  Lanes() { least.fill(0xFF); }

  void add(const char* block) {
    for (size_t i = 0; i < kBlock; ++i) {
      const auto byte = static_cast<uint8_t>(block[i]);
      const auto raised = static_cast<uint8_t>(byte | 0x20);
      least[i] = byte < least[i] ? byte : least[i];
      most[i] = raised > most[i] ? raised : most[i];
      backtick[i] |= static_cast<uint8_t>(byte == 0x60);
    }
  }

  bool plain() const {
    std::array<uint8_t, kBlock> foreign{};
    for (size_t i = 0; i < kBlock; ++i) {
      foreign[i] = static_cast<uint8_t>((least[i] < 0x20) | (most[i] > 0x7A) | backtick[i]);
    }
    const auto halves = std::bit_cast<std::array<uint64_t, 2>>(foreign);
    return (halves[0] | halves[1]) == 0;
  }
};

template <size_t kBlocks>
bool are_plain(const char* text) {
  Lanes lanes;
  for (size_t i = 0; i < kBlocks; ++i)
    lanes.add(text + i * kBlock);
  return lanes.plain();
}

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

size_t one_septet_run(std::string_view bytes, size_t at) {
  constexpr size_t kStride = 4;
  const size_t begin = at;
  const char* text = bytes.data();
  while (bytes.size() - at >= kStride * kBlock && are_plain<kStride>(text + at)) {
    at += kStride * kBlock;
  }
  while (bytes.size() - at >= kBlock && are_plain<1>(text + at))
    at += kBlock;
  // The end of a run that is no whole block is looked at together with what comes before it.
  const size_t rest = bytes.size() - at;
  if (rest > 0 && rest < kBlock && at - begin >= kBlock - rest &&
      are_plain<1>(text + bytes.size() - kBlock)) {
    at = bytes.size();
  }
  return at - begin;
}

}  // namespace weir::gsm
