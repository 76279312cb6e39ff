// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/csv_header.h"

#include <algorithm>

#include "weir/segments.h"

#include "shim/config/did_you_mean.h"

namespace weir {
namespace {

// More digits in a row than a column's name has, and fewer than a telephone number.
constexpr size_t kMostDigits = 4;

bool may_be_number(std::string_view name) {
  const auto digits =
      std::count_if(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return static_cast<size_t>(digits) > kMostDigits;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (may_be_number(name)) {
      return "; the first row has a number in it, but it has to be the header, with the names";
    }
    text += (text.empty() ? "; the columns are: " : ", ") + name;
  }
  if (names.size() == 1 && names[0].find_first_of(";\t") != std::string::npos) {
    text += "; fields are separated by commas";
  }
  return text;
}

Error wrong(const CsvRow& row, const std::string& what) {
  return Error{"line " + std::to_string(row.line) + ", the header: " + what};
}

Result<std::vector<std::string>> names_of(const CsvRow& row) {
  if (!row.fault.empty()) return wrong(row, "it " + row.fault);
  std::vector<std::string> names;
  for (const std::string& field : row.fields) {
    if (const auto text = count(field, {}); std::holds_alternative<InvalidText>(text)) {
      return wrong(row, "column " + std::to_string(names.size() + 1) +
                            " is not UTF-8; save the file as UTF-8");
    }
    if (field.find('\r') != field.npos) {
      return wrong(row, "a carriage return stands alone; save the file with LF or CRLF line ends");
    }
    names.push_back(variable_name(field));
  }
  return names;
}

Status add_variable(CsvHeader& header, const CsvRow& row, const std::vector<std::string>& names,
                    const std::string& wanted) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) {
    return wrong(row,
                 "no column for {{" + wanted + "}}" + did_you_mean(wanted, names) + listed(names));
  }
  if (std::find(found + 1, names.end(), wanted) != names.end()) {
    return wrong(row, "two columns for {{" + wanted + "}}; rename one");
  }
  header.variables.emplace_back(wanted, found - names.begin());
  return Done{};
}

}  // namespace

std::string variable_name(std::string_view column) {
  const size_t begin = column.find_first_not_of(' ');
  if (begin == column.npos) return "";
  std::string name(column.substr(begin, column.find_last_not_of(' ') + 1 - begin));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '-') c = '_';
  }
  return name;
}

Result<CsvHeader> read_header(const CsvRow& row, std::string_view to_column,
                              const std::optional<std::vector<std::string>>& wanted) {
  const auto names = names_of(row);
  if (!names) return names.error();
  const std::string to = variable_name(to_column);
  const auto count_of_to = std::count(names->begin(), names->end(), to);
  if (count_of_to == 0) {
    return wrong(row, "no column \"" + to + "\" with the recipients; --to-column NAME names it" +
                          did_you_mean(to, *names) + listed(*names));
  }
  if (count_of_to > 1) return wrong(row, "two columns \"" + to + "\"; rename one");
  CsvHeader header;
  header.columns = names->size();
  header.to = std::find(names->begin(), names->end(), to) - names->begin();
  std::vector<std::string> places = wanted ? *wanted : *names;
  if (!wanted) std::erase(places, to);
  std::sort(places.begin(), places.end());
  for (const std::string& place : places) {
    const Status added = add_variable(header, row, *names, place);
    if (!added) return added.error();
  }
  return header;
}

}  // namespace weir
