// SPDX-License-Identifier: Apache-2.0
//
// The GSM 03.38 default alphabet: how many septets a character takes, and which runs of bytes take
// one each.
//
// For the counter, on any thread. 127 characters take one septet and ten take two (the escape and a
// code of the extension table); every other one has no septets, which is written as 0.
//
// Limits: sizes only. Which code a character has is nobody's business here: the gateway encodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir {

namespace gsm {

// Bytes are looked at in blocks of this size: one SSE or NEON register.
inline constexpr size_t kBlock = 16;

constexpr bool is_one_septet_ascii(uint8_t byte) {
  return (byte >= 0x20 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || byte == 0x5F ||
         byte == 0x0A || byte == 0x0D;
}

// The ten of the extension table, without the euro.
inline constexpr std::u32string_view kTwoSeptets = U"\f^{}\\[~]|";

// pound, yen, the vowels and consonants of western Europe, section sign, inverted marks, currency.
inline constexpr std::u32string_view kOneSeptetLatin1 =
    U"\u00A1\u00A3\u00A4\u00A5\u00A7\u00BF\u00C4\u00C5\u00C6\u00C7\u00C9\u00D1\u00D6\u00D8\u00DC"
    U"\u00DF\u00E0\u00E4\u00E5\u00E6\u00E8\u00E9\u00EC\u00F1\u00F2\u00F6\u00F8\u00F9\u00FC";

constexpr std::array<uint8_t, 256> make_latin1_septets() {
  std::array<uint8_t, 256> septets{};
  for (unsigned c = 0; c < 0x80; ++c)
    septets[c] = is_one_septet_ascii(static_cast<uint8_t>(c));
  for (const char32_t c : kOneSeptetLatin1)
    septets[c] = 1;
  for (const char32_t c : kTwoSeptets)
    septets[c] = 2;
  return septets;
}

inline constexpr std::array<uint8_t, 256> kLatin1Septets = make_latin1_septets();

// Beyond Latin-1 there are the ten Greek capitals that look like no Latin letter, and the euro.
unsigned septets_beyond_latin1(char32_t code_point);

inline unsigned septets(char32_t code_point) {
  return code_point < kLatin1Septets.size() ? kLatin1Septets[code_point]
                                            : septets_beyond_latin1(code_point);
}

// True only if each byte is a character of one septet. A text that holds a line end or an
// underscore may be called not plain although it is.
bool all_plain(std::string_view bytes);

// How many bytes from `at` on are plain by whole blocks; the true run may be a block longer.
size_t plain_run(std::string_view bytes, size_t at);

}  // namespace gsm
}  // namespace weir
