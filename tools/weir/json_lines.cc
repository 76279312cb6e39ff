// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/json_lines.h"

#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "tools/weir/message_key.h"

namespace weir {
namespace {

namespace json = boost::json;

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed_line(std::string_view line) {
  const size_t begin = line.find_first_not_of(kBlanks);
  if (begin == line.npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
}

}  // namespace

JsonLines::JsonLines(BulkForm form, Refuse refuse)
    : BulkLines(std::move(refuse)), form_(std::move(form)) {}

Status JsonLines::feed(std::string_view bytes) {
  for (;;) {
    const size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (line_.size() + piece.size() > kMostLineBytes) too_long_ = true;
    if (!too_long_) line_.append(piece);
    if (end == bytes.npos) return Done{};
    bytes.remove_prefix(end + 1);
    take_line();
  }
}

Status JsonLines::end() {
  if (!line_.empty() || too_long_) take_line();
  return Done{};
}

void JsonLines::take_line() {
  number_ += 1;
  const std::string whole = std::exchange(line_, {});
  if (std::exchange(too_long_, false)) {
    return refuse(number_, "too_large", "the line is above 16 MiB");
  }
  std::string_view line = whole;
  if (number_ == 1 && line.starts_with(kMark)) line.remove_prefix(kMark.size());
  line = trimmed_line(line);
  if (line.empty()) return;
  json::error_code failed;
  const json::value value = json::parse(line, failed);
  if (failed || !value.is_object()) {
    return refuse(number_, "malformed",
                  failed ? "the line is not JSON in UTF-8: " + failed.message()
                         : "the line is JSON, but not an object");
  }
  std::string more = lacking(line, value.get_object());
  if (more.empty()) return give(number_, line);
  std::string message(line.substr(0, line.size() - 1));
  if (!value.get_object().empty()) message += ',';
  give(number_, message + more + '}');
}

std::string JsonLines::lacking(std::string_view line, const json::object& has) const {
  json::object more;
  const auto add = [&](std::string_view name, const std::string& common) {
    if (!common.empty() && !has.contains(name)) more[name] = common;
  };
  if (!has.contains("key")) {
    const std::vector<std::string_view> parts = {form_.class_name, form_.test ? "test" : "",
                                                 form_.template_id, form_.text, line};
    more["key"] = message_key(form_.campaign, parts);
  }
  add("tag", form_.campaign);
  add("class", form_.class_name);
  add("sender", form_.sender);
  add("deadline", form_.deadline);
  if (!has.contains("body") && !has.contains("template")) {
    add("template", form_.template_id);
    add("body", form_.text);
  }
  if (form_.test && !has.contains("test")) more["test"] = true;
  if (!form_.params.empty() && !has.contains("params")) {
    json::object& params = more["params"].emplace_object();
    for (const auto& [name, value_of] : form_.params)
      params[name] = value_of;
  }
  const std::string text = json::serialize(more);
  return text.substr(1, text.size() - 2);
}

}  // namespace weir
