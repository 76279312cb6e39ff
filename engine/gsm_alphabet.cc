// SPDX-License-Identifier: Apache-2.0
//
// Method: a block is judged without a branch a byte, so that the compiler turns the inner loop into
// vector compares (it does at -O2 with GCC 12 and Clang 14). That is what keeps ordinary text
// within a small multiple of memchr.
#include "engine/gsm_alphabet.h"

namespace weir::gsm {
namespace {

bool is_one_septet_block(const char* block) {
  uint8_t foreign = 0;
  for (size_t i = 0; i < kBlock; ++i) {
    const auto byte = static_cast<uint8_t>(block[i]);
    const bool upper = static_cast<uint8_t>(byte - 0x20) <= 0x5A - 0x20;
    const bool lower = static_cast<uint8_t>(byte - 0x61) <= 0x7A - 0x61;
    const bool other = (byte == 0x5F) | (byte == 0x0A) | (byte == 0x0D);
    foreign |= static_cast<uint8_t>(!(upper | lower | other));
  }
  return foreign == 0;
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
  const size_t begin = at;
  while (at + kBlock <= bytes.size() && is_one_septet_block(bytes.data() + at))
    at += kBlock;
  return at - begin;
}

}  // namespace weir::gsm
