// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/verify_subjects.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>
#include <utility>

#include <boost/json.hpp>

#include "weir/rewrite.h"
#include "weir/template.h"

#include "tools/weir/api_client.h"
#include "tools/weir/body_lines.h"

namespace weir {
namespace {

namespace json = boost::json;

constexpr const char* kRoute = "/v1/templates";
// What variables are filled with: a letter of either encoding, so that the template decides.
constexpr char kLetter = 'n';

Subjects subjects_in(std::istream& input, bool json_strings) {
  std::vector<Subject> subjects;
  size_t number = 0;
  for (std::string line; std::getline(input, line);) {
    const std::string name = "line " + std::to_string(++number);
    Result<std::string> body = body_of_line(line, json_strings);
    if (!body) return NoSubjects{kUsage, name + ": " + body.error().detail};
    if (body->empty()) continue;
    const CountResult counted = count(*body, CountingRules());
    if (const auto* invalid = std::get_if<InvalidText>(&counted)) {
      return NoSubjects{kUsage, name + ": the body " + describe(*invalid)};
    }
    if (subjects.size() == kMaxSubjects) {
      return NoSubjects{kUsage,
                        "more than " + std::to_string(kMaxSubjects) + " bodies; split the file"};
    }
    subjects.push_back({name, *std::move(body)});
  }
  return subjects;
}

bool read_variable(const json::value& value, Template& out) {
  const json::object* object = value.if_object();
  const json::value* name = object ? object->if_contains("name") : nullptr;
  const json::value* most = object ? object->if_contains("max_chars") : nullptr;
  if (name == nullptr || !name->is_string() || most == nullptr || !most->is_int64()) return false;
  if (most->get_int64() < 0 || most->get_int64() > UINT32_MAX) return false;
  out.max_chars[std::string(name->get_string())] = static_cast<uint32_t>(most->get_int64());
  return true;
}

// Only what a price depends on.
std::optional<Template> read_template(const json::value& value) {
  const json::object* object = value.if_object();
  const json::value* id = object ? object->if_contains("id") : nullptr;
  const json::value* body = object ? object->if_contains("body") : nullptr;
  if (id == nullptr || !id->is_string() || body == nullptr || !body->is_string()) {
    return std::nullopt;
  }
  Template one;
  one.id = std::string(id->get_string());
  one.body = std::string(body->get_string());
  if (const json::value* name = object->if_contains("class"); name && name->is_string()) {
    one.class_name = std::string(name->get_string());
  }
  if (const json::value* smart = object->if_contains("smart"); smart && smart->is_bool()) {
    one.smart = smart->get_bool();
  }
  const json::value* variables = object->if_contains("variables");
  if (variables == nullptr || !variables->is_array()) return std::nullopt;
  for (const json::value& variable : variables->get_array()) {
    if (!read_variable(variable, one)) return std::nullopt;
  }
  return one;
}

bool is_smart(const Template& one, const EngineOptions& options) {
  return one.smart || std::any_of(options.classes.begin(), options.classes.end(),
                                  [&](const ClassOptions& known) {
                                    return known.name == one.class_name && known.smart;
                                  });
}

// Nothing: the template is not one that weir would have taken.
std::optional<std::string> longest_body(const Template& one, const EngineOptions& options) {
  const auto names = variables_of(one.body);
  if (!std::holds_alternative<std::vector<std::string>>(names)) return std::nullopt;
  Vars vars;
  for (const std::string& name : std::get<std::vector<std::string>>(names)) {
    const auto most = one.max_chars.find(name);
    vars.emplace_back(name, std::string(most == one.max_chars.end() ? 0 : most->second, kLetter));
  }
  auto rendered = render(one, vars);
  if (!std::holds_alternative<std::string>(rendered)) return std::nullopt;
  std::string body = std::get<std::string>(std::move(rendered));
  if (!is_smart(one, options)) return body;
  std::optional<SmartRewrite> better = smart_rewrite(body, options.counting);
  return better ? std::move(better->text) : std::move(body);
}

NoSubjects not_understood() {
  return {kFailed, std::string("the answer of GET ") + kRoute +
                       " is not understood; is the running weir of this version?"};
}

}  // namespace

Subjects subjects_in_file(const std::string& path, bool json_strings) {
  if (path == "-") return subjects_in(std::cin, json_strings);
  std::ifstream file(path);
  if (!file) return NoSubjects{kUsage, "--file: " + path + " cannot be read"};
  return subjects_in(file, json_strings);
}

Subjects subjects_of_templates(const ApiArgs& api, const EngineOptions& options) {
  const auto reply = call_api(api, "GET", kRoute);
  if (!reply) return NoSubjects{kNotReachable, reply.error().detail};
  if (reply->status != 200) {
    return NoSubjects{exit_code_for(reply->status),
                      std::string("GET ") + kRoute + ": HTTP " + std::to_string(reply->status)};
  }
  json::error_code failed;
  const json::value answer = json::parse(reply->body, failed);
  const json::object* object = failed ? nullptr : answer.if_object();
  const json::value* list = object ? object->if_contains("templates") : nullptr;
  if (list == nullptr || !list->is_array()) return not_understood();
  std::vector<Subject> subjects;
  for (const json::value& value : list->get_array()) {
    const auto one = read_template(value);
    auto body = one ? longest_body(*one, options) : std::nullopt;
    if (!body) return not_understood();
    if (subjects.size() == kMaxSubjects) {
      return NoSubjects{kUsage, "more than " + std::to_string(kMaxSubjects) + " templates"};
    }
    subjects.push_back({"template " + one->id, *std::move(body)});
  }
  return subjects;
}

}  // namespace weir
