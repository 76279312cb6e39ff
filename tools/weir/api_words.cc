// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/api_words.h"

#include <cstdio>
#include <utility>

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
  if (const json::value* errors = problem.if_contains("errors"); errors && errors->is_array()) {
    for (const json::value& one : errors->as_array()) {
      if (!one.is_object()) continue;
      std::fprintf(stderr, "  %s %s\n", text_at(one.as_object(), "pointer").c_str(),
                   text_at(one.as_object(), "detail").c_str());
    }
  }
  return exit_code_for(reply.status);
}

namespace {

// The body of a 200; of all else the exit code, and the reason on stderr.
int taken(Result<ApiReply> reply, std::string& body) {
  if (!reply) {
    std::fprintf(stderr, "%s\n", reply.error().detail.c_str());
    return kNotReachable;
  }
  if (reply->status != 200) return complain(*reply);
  body = std::move(reply->body);
  return kDone;
}

}  // namespace

int get(const ApiArgs& api, const std::string& path, std::string& body) {
  return taken(call_api(api, "GET", path), body);
}

int post(const ApiArgs& api, const std::string& path, const std::string& order, std::string& body) {
  constexpr int64_t kHour = 3600;
  return taken(call_api(api, "POST", path, order, kHour), body);
}

}  // namespace weir
