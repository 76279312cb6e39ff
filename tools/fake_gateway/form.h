// SPDX-License-Identifier: Apache-2.0
//
// application/x-www-form-urlencoded, read (WHATWG URL standard, section 5.1).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

// The last of equal names counts. A percent sign that begins no byte stands for itself.
std::map<std::string, std::string> read_form(std::string_view text);

// Parts between separators; empty ones are left out.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace weir
