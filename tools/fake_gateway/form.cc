// SPDX-License-Identifier: Apache-2.0
#include "tools/fake_gateway/form.h"

#include <charconv>

namespace weir {
namespace {

std::string decoded(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* first = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(first, first + 2, byte, 16).ptr == first + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    if (end != 0) parts.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

std::map<std::string, std::string> read_form(std::string_view text) {
  std::map<std::string, std::string> fields;
  for (const std::string& pair : split(text, '&')) {
    const size_t equals = pair.find('=');
    const std::string_view view = pair;
    fields[decoded(view.substr(0, equals))] =
        equals == std::string::npos ? "" : decoded(view.substr(equals + 1));
  }
  return fields;
}

}  // namespace weir
