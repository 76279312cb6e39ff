// SPDX-License-Identifier: Apache-2.0
//
// CsvHeader: which column is the recipient, and which fill the places of the text.
//
// A column is the variable of its name in small letters, with an underscore for each blank or dash:
// "First Name" fills {{first_name}}. Columns that the text does not name are left alone.
//
// Pure. Errors name the column and the fix. They repeat no name that could be a number, because a
// file without a header begins with one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/result.h"

#include "tools/weir/csv_rows.h"

namespace weir {

struct CsvHeader {
  size_t columns = 0;
  size_t to = 0;
  // Name and column, sorted by name, so that the order of the columns changes no key.
  std::vector<std::pair<std::string, size_t>> variables;
};

std::string variable_name(std::string_view column);

// `wanted`: the places of the text; nothing: they are not known, so every other column is one.
Result<CsvHeader> read_header(const CsvRow& row, std::string_view to_column,
                              const std::optional<std::vector<std::string>>& wanted);

}  // namespace weir
