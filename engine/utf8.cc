// SPDX-License-Identifier: Apache-2.0
//
// Method: the lead byte says how many bytes follow; only the first of them has a range of its own
// (it is what rules out overlong forms, surrogates and what is above U+10FFFF), the others are 80
// to BF. A sequence that breaks off ends before the byte that broke it, which is how browsers count
// replacement characters and why a bad byte never swallows a good one.
#include "engine/utf8.h"

namespace weir {
namespace {

uint8_t byte_at(std::string_view bytes, size_t at) {
  return static_cast<uint8_t>(bytes[at]);
}

bool is_continuation(uint8_t byte) {
  return (byte & 0xC0) == 0x80;
}

Decoded broken(TextFault fault, uint8_t length) {
  return {0, length, false, fault};
}

// What a byte that begins no character is.
TextFault fault_of_lead(uint8_t lead) {
  if (lead < 0xC0) return TextFault::kStrayContinuation;
  if (lead < 0xC2) return TextFault::kOverlong;
  if (lead < 0xF8) return TextFault::kAboveUnicode;
  return TextFault::kNeverUtf8;
}

// What a continuation byte outside of its lead's own range makes of the sequence.
TextFault fault_of_second(uint8_t lead) {
  if (lead == 0xED) return TextFault::kSurrogate;
  if (lead == 0xF4) return TextFault::kAboveUnicode;
  return TextFault::kOverlong;
}

struct SecondRange {
  uint8_t low;
  uint8_t high;
};

SecondRange second_range(uint8_t lead) {
  switch (lead) {
    case 0xE0: return {0xA0, 0xBF};
    case 0xED: return {0x80, 0x9F};
    case 0xF0: return {0x90, 0xBF};
    case 0xF4: return {0x80, 0x8F};
    default: return {0x80, 0xBF};
  }
}

}  // namespace

Decoded decode_beyond_ascii(std::string_view bytes, size_t at) {
  const uint8_t lead = byte_at(bytes, at);
  if (lead < 0xC2 || lead > 0xF4) return broken(fault_of_lead(lead), 1);
  const uint8_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (at + 1 >= bytes.size()) return broken(TextFault::kCutShort, 1);
  const uint8_t second = byte_at(bytes, at + 1);
  if (!is_continuation(second)) return broken(TextFault::kCutShort, 1);
  const SecondRange range = second_range(lead);
  if (second < range.low || second > range.high) return broken(fault_of_second(lead), 1);
  char32_t code_point = ((lead & (0x7Fu >> length)) << 6) | (second & 0x3Fu);
  for (uint8_t i = 2; i < length; ++i) {
    if (at + i >= bytes.size() || !is_continuation(byte_at(bytes, at + i))) {
      return broken(TextFault::kCutShort, i);
    }
    code_point = (code_point << 6) | (byte_at(bytes, at + i) & 0x3Fu);
  }
  return {code_point, length, true, {}};
}

std::optional<InvalidText> find_invalid(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const Decoded decoded = decode(bytes, at);
    if (!decoded.valid) return InvalidText{at, decoded.fault};
    at += decoded.length;
  }
  return std::nullopt;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto tail = [&](int shift) {
    text.push_back(static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)));
  };
  if (code_point < 0x80) {
    text.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    text.push_back(static_cast<char>(0xC0 | (code_point >> 6)));
    tail(0);
  } else if (code_point < 0x10000) {
    text.push_back(static_cast<char>(0xE0 | (code_point >> 12)));
    tail(6);
    tail(0);
  } else {
    text.push_back(static_cast<char>(0xF0 | (code_point >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string repaired(std::string_view bytes) {
  constexpr char32_t kReplacement = 0xFFFD;
  std::string text;
  text.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    const Decoded decoded = decode(bytes, at);
    append_utf8(text, decoded.valid ? decoded.code_point : kReplacement);
    at += decoded.length;
  }
  return text;
}

}  // namespace weir
