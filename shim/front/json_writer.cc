// SPDX-License-Identifier: Apache-2.0

#include "shim/front/json_writer.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "shim/front/timestamps.h"

namespace weir {
namespace {

// The length of the UTF-8 character at the front of `text`, or 0 if none begins there (Unicode 15,
// table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
size_t character_length(std::string_view text) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto continues = [&](size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(0);
  const unsigned second = byte(1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return second >= low && second <= high && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

void append_control(std::string& out, unsigned char c) {
  switch (c) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  char escaped[8];
  std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
  out += escaped;
}

// How many bytes of ASCII at the front are written as they are.
size_t plain_run(std::string_view text) {
  size_t run = 0;
  for (; run < text.size(); ++run) {
    const auto c = static_cast<unsigned char>(text[run]);
    if (c < 0x20 || c > 0x7F || c == '"' || c == '\\') break;
  }
  return run;
}

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const size_t plain = plain_run(text);
    out.append(text, 0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto c = static_cast<unsigned char>(text.front());
    const size_t length = character_length(text);
    if (length == 0) {
      out += "\\ufffd";
    } else if (c < 0x20) {
      append_control(out, c);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out.append(text, 0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

// Cuts "1.500" to "1.5" and "2.000" to "2".
void drop_trailing_zeros(std::string& digits) {
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
}

}  // namespace

void JsonWriter::separate() {
  if (comma_) out_ += ',';
  comma_ = true;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_quoted(out_, name);
  out_ += ':';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::open_object() {
  separate();
  out_ += '{';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close_object() {
  out_ += '}';
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::open_array() {
  separate();
  out_ += '[';
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close_array() {
  out_ += ']';
  comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  append_quoted(out_, value);
  return *this;
}

JsonWriter& JsonWriter::integer(int64_t value) {
  separate();
  out_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::natural(uint64_t value) {
  separate();
  out_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::units(Units value) {
  separate();
  const int64_t micro = value.micro();
  // Split before the sign is dropped: -INT64_MIN does not exist.
  const int64_t whole = micro / Units::kMicro;
  const int64_t part = micro % Units::kMicro;
  if (micro < 0) out_ += '-';
  char digits[40];
  std::snprintf(digits, sizeof digits, "%lld.%06lld", std::llabs(whole), std::llabs(part));
  std::string text = digits;
  drop_trailing_zeros(text);
  out_ += text;
  return *this;
}

JsonWriter& JsonWriter::rate(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  char digits[400];  // a double has at most 309 digits before the point
  const auto written =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 3);
  std::string text(digits, written.ptr);
  drop_trailing_zeros(text);
  out_ += text == "-0" ? "0" : text;
  return *this;
}

JsonWriter& JsonWriter::flag(bool value) {
  separate();
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::time(WallTime value) {
  separate();
  out_ += '"';
  out_ += format_timestamp(value);
  out_ += '"';
  return *this;
}

}  // namespace weir
