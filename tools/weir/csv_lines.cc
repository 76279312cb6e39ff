// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/csv_lines.h"

#include <limits>
#include <utility>

#include <boost/json.hpp>

#include "weir/check.h"
#include "weir/segments.h"

#include "tools/weir/message_key.h"

namespace weir {
namespace {

namespace json = boost::json;

// The body as it is written; how long a field may be is the message's affair, not a template's.
Template body_of(const BulkForm& form, const std::optional<std::vector<std::string>>& places) {
  Template one;
  one.body = form.text;
  if (!places) return one;
  for (const std::string& place : *places)
    one.max_chars[place] = std::numeric_limits<uint32_t>::max();
  return one;
}

json::object pairs(const std::vector<std::pair<std::string, std::string>>& all) {
  json::object object;
  for (const auto& [name, value] : all)
    object[name] = value;
  return object;
}

}  // namespace

CsvLines::CsvLines(BulkForm form, std::string to_column,
                   std::optional<std::vector<std::string>> places, Refuse refuse)
    : BulkLines(std::move(refuse)),
      form_(std::move(form)),
      text_(body_of(form_, places)),
      to_column_(std::move(to_column)),
      places_(std::move(places)) {}

Status CsvLines::feed(std::string_view bytes) {
  rows_.feed(bytes);
  return take_rows();
}

Status CsvLines::end() {
  rows_.end();
  const Status taken = take_rows();
  if (taken && !header_) return Error{"it is empty; the first row has to be the header"};
  return taken;
}

Status CsvLines::take_rows() {
  for (CsvRow row; rows_.next(row);) {
    if (header_) {
      take_row(row);
      continue;
    }
    auto header = read_header(row, to_column_, places_);
    if (!header) return header.error();
    header_ = std::move(*header);
  }
  return Done{};
}

void CsvLines::take_row(const CsvRow& row) {
  if (!row.fault.empty()) return refuse(row.line, "malformed", "the row " + row.fault);
  if (row.fields.size() != header_->columns) {
    const bool more = row.fields.size() > header_->columns;
    return refuse(row.line, "malformed",
                  "the row has " + std::to_string(row.fields.size()) +
                      (row.fields.size() == 1 ? " field" : " fields") + ", the header has " +
                      std::to_string(header_->columns) +
                      (more ? "; put a field with a comma in it in quotes"
                            : "; put a comma for each that is empty"));
  }
  if (std::string fault = fault_of(row); !fault.empty()) {
    return refuse(row.line, "invalid", std::move(fault));
  }
  give(row.line, message_of(row));
}

std::string CsvLines::fault_of(const CsvRow& row) const {
  if (row.fields[header_->to].find_first_not_of(' ') == std::string::npos) {
    return "column " + to_column_ + " is empty; it has to be a telephone number";
  }
  const auto fault = [&row](const std::string& name, size_t column) -> std::string {
    const auto text = count(row.fields[column], {});
    const auto* invalid = std::get_if<InvalidText>(&text);
    if (invalid == nullptr) return "";
    return "column " + name + ": " + describe(*invalid) + "; save the file as UTF-8";
  };
  std::string found = fault(to_column_, header_->to);
  for (const auto& [name, column] : header_->variables) {
    if (found.empty()) found = fault(name, column);
  }
  return found;
}

std::string CsvLines::message_of(const CsvRow& row) const {
  Vars vars;
  for (const auto& [name, column] : header_->variables)
    vars.emplace_back(name, row.fields[column]);
  json::object message;
  const std::string& to = row.fields[header_->to];
  message["to"] = to;
  std::vector<std::string_view> parts = {form_.class_name, form_.test ? "test" : "", to};
  std::string body;
  if (form_.template_id.empty()) {
    auto rendered = render(text_, vars);
    WEIR_CHECK(std::holds_alternative<std::string>(rendered));  // the header has every place
    body = std::get<std::string>(std::move(rendered));
    message["body"] = body;
    parts.insert(parts.end(), {"body", body});
  } else {
    message["template"] = form_.template_id;
    message["vars"] = pairs(vars);
    parts.insert(parts.end(), {"template", form_.template_id});
    for (const auto& [name, value] : vars)
      parts.insert(parts.end(), {name, value});
  }
  message["key"] = message_key(form_.campaign, parts);
  message["tag"] = form_.campaign;
  if (!form_.class_name.empty()) message["class"] = form_.class_name;
  if (!form_.sender.empty()) message["sender"] = form_.sender;
  if (!form_.deadline.empty()) message["deadline"] = form_.deadline;
  if (form_.test) message["test"] = true;
  if (!form_.params.empty()) message["params"] = pairs(form_.params);
  return json::serialize(message);
}

}  // namespace weir
