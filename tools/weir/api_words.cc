// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/api_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "shim/config/quantities.h"
#include "shim/front/control_character.h"

namespace weir {

namespace json = boost::json;

std::string text_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || value->is_null()) return "";
  return value->is_string() ? std::string(value->as_string().c_str()) : json::serialize(*value);
}

std::string number_at(const json::object& object, std::string_view name, int decimals) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) return value && !value->is_null() ? "?" : "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", decimals, value->to_number<double>());
  return text;
}

std::string units_at(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_number()) return "-";
  return format_units(Units::from_micro(std::llround(value->to_number<double>() * Units::kMicro)));
}

std::string shown(std::string_view text) {
  if (text.empty()) return "-";
  std::string line;
  for (size_t i = 0; i < text.size();) {
    const size_t control = control_character_at(text, i);
    line += control > 0 ? '?' : text[i];
    i += std::max<size_t>(control, 1);
  }
  return line;
}

std::vector<json::object> objects_at(const json::object& object, std::string_view name) {
  std::vector<json::object> found;
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_array()) return found;
  for (const json::value& one : value->as_array()) {
    if (one.is_object()) found.push_back(one.as_object());
  }
  return found;
}

json::object parsed(const std::string& body) {
  json::error_code failed;
  json::value value = json::parse(body, failed);
  return !failed && value.is_object() ? std::move(value.as_object()) : json::object();
}

int complain(const ApiReply& reply) {
  const json::object problem = parsed(reply.body);
  const std::string detail = text_at(problem, "detail");
  std::fprintf(stderr, "%s: %s\n", text_at(problem, "code").c_str(),
               detail.empty() ? text_at(problem, "title").c_str() : detail.c_str());
  for (const json::object& error : objects_at(problem, "errors")) {
    std::fprintf(stderr, "  %s %s\n", text_at(error, "pointer").c_str(),
                 text_at(error, "detail").c_str());
  }
  return exit_code_for(reply.status);
}

std::variant<ApiReply, int> checked(const Result<ApiReply>& reply) {
  if (!reply) {
    std::fprintf(stderr, "%s\n", reply.error().detail.c_str());
    return kNotReachable;
  }
  if (reply->status != 200) return complain(*reply);
  return *reply;
}

int complain_of_version() {
  std::fprintf(stderr, "the answer is not that of a weir of this version\n");
  return kFailed;
}

int get(const ApiArgs& api, const std::string& path, std::string& body) {
  auto answer = checked(call_api(api, "GET", path));
  if (const int* code = std::get_if<int>(&answer)) return *code;
  body = std::move(std::get<ApiReply>(answer).body);
  return kDone;
}

}  // namespace weir
