// SPDX-License-Identifier: Apache-2.0

#include "shim/front/template_json.h"

#include <array>
#include <optional>
#include <utility>

#include "shim/front/json_fields.h"
#include "shim/front/json_writer.h"
#include "shim/front/submission_json.h"

namespace weir {
namespace {

// As check_template() has it.
constexpr uint32_t kMostChars = 1000;

void write_counted(JsonWriter& json, std::string_view name, const Counted& counted, Units weight) {
  json.key(name).open_object();
  json.key("encoding").text(encoding_name(counted.encoding));
  json.key("units").natural(counted.units);
  json.key("segments").natural(counted.needed_segments);
  json.key("remaining").natural(counted.remaining);
  json.key("cost_units").units(cost(counted, 1, weight));
  json.close_object();
}

void write_variables(JsonWriter& json, const Template& one) {
  json.key("variables").open_array();
  const auto names = variables_of(one.body);
  if (const auto* good = std::get_if<std::vector<std::string>>(&names)) {
    for (const std::string& name : *good) {
      const auto limit = one.max_chars.find(name);
      json.open_object();
      json.key("name").text(name);
      json.key("max_chars")
          .natural(limit == one.max_chars.end() ? kDefaultVariableChars : limit->second);
      json.close_object();
    }
  }
  json.close_array();
}

void write_template(JsonWriter& json, const Template& one, const EngineOptions& options) {
  json.open_object();
  json.key("id").text(one.id);
  json.key("body").text(one.body);
  json.key("class").text(one.class_name);
  json.key("sender").text(one.sender);
  json.key("params").open_object();
  for (const auto& [name, value] : one.params)
    json.key(name).text(value);
  json.close_object();
  write_variables(json, one);
  json.key("max_segments").natural(one.max_segments);
  json.key("smart").flag(one.smart);
  const CostRange range = cost_range(one, options.counting);
  json.key("cost").open_object();
  write_counted(json, "shortest", range.shortest, options.weight);
  write_counted(json, "longest_gsm7", range.longest_gsm7, options.weight);
  write_counted(json, "longest_ucs2", range.longest_ucs2, options.weight);
  json.close_object();
  json.close_object();
}

}  // namespace

std::variant<Template, Problem> read_template(const HttpRequest& request, std::string id,
                                              const EngineOptions& options) {
  Template one;
  one.id = std::move(id);
  std::optional<int64_t> max_segments;
  const std::array fields = {
      JsonField{"body", TextField{&one.body}, Need::kFilled},
      JsonField{"class", TextField{&one.class_name}},
      JsonField{"sender", TextField{&one.sender}},
      JsonField{"params", TextMapField{&one.params, options.max_params}},
      JsonField{"max_chars", IntegerMapField{&one.max_chars, kMostChars, kMaxVariables}},
      JsonField{"max_segments", IntegerField{&max_segments, 0, options.max_segments}},
      JsonField{"smart", FlagField{&one.smart}},
  };
  FieldsRead read = read_fields(request.body, fields);
  if (one.body.size() > kMaxTemplateBytes) {
    read.errors.push_back({"/body", std::to_string(one.body.size()) + " bytes; at most " +
                                        std::to_string(kMaxTemplateBytes)});
  }
  if (!read.ok()) return problem_of(std::move(read));
  one.max_segments = static_cast<uint32_t>(max_segments.value_or(0));
  return one;
}

std::string template_json(const Template& one, const EngineOptions& options) {
  JsonWriter json;
  write_template(json, one, options);
  return json.take();
}

std::string templates_json(const Templates& all, const EngineOptions& options) {
  JsonWriter json;
  json.open_object();
  json.key("templates").open_array();
  for (const auto& [id, one] : all)
    write_template(json, one, options);
  json.close_array();
  json.close_object();
  return json.take();
}

}  // namespace weir
