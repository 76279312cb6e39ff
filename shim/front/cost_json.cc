// SPDX-License-Identifier: Apache-2.0

#include "shim/front/cost_json.h"

#include <array>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/causes.h"
#include "weir/recipients.h"

#include "shim/front/json_fields.h"
#include "shim/front/json_writer.h"
#include "shim/front/submission_json.h"

namespace weir {
namespace {

// More than any list that is sent at once, and few enough to be multiplied without care.
constexpr int64_t kMostRecipients = 100'000'000;

struct Question {
  std::string body;
  std::vector<std::string> to;
  std::optional<int64_t> recipients;
};

std::variant<Question, Problem> read_question(const HttpRequest& request,
                                              const EngineOptions& options) {
  Question question;
  const std::array fields = {
      JsonField{"body", TextField{&question.body}, Need::kPresent},
      JsonField{"to", TextListField{&question.to, options.max_recipients}},
      JsonField{"recipients", IntegerField{&question.recipients, 0, kMostRecipients}},
  };
  FieldsRead read = read_fields(request.body, fields);
  if (read.saw(1) && read.saw(2)) {
    read.errors.push_back({"/recipients", "and \"to\" are both given; leave one of the two out"});
  }
  if (!read.ok()) return problem_of(std::move(read));
  // Neither is given: the price of one.
  if (!read.saw(1) && !read.saw(2)) question.recipients = 1;
  return question;
}

Recipients recipients_of(const Question& question, const EngineOptions& options) {
  const std::vector<std::string_view> raw(question.to.begin(), question.to.end());
  return parse_recipients(raw, options.recipients);
}

std::string_view fit_name(Fit fit) {
  switch (fit) {
    case Fit::kWhole: return "whole";
    case Fit::kTooLong: return "too_long";
    case Fit::kTruncated: return "truncated";
  }
  return "";
}

void write_counted(JsonWriter& json, const Counted& counted) {
  json.key("encoding").text(encoding_name(counted.encoding));
  json.key("units").natural(counted.units);
  json.key("segments").natural(counted.segments);
  json.key("remaining").natural(counted.remaining);
}

size_t utf8_bytes(char32_t code_point) {
  if (code_point < 0x80) return 1;
  if (code_point < 0x800) return 2;
  return code_point < 0x10000 ? 3 : 4;
}

void write_causes(JsonWriter& json, const Explanation& explanation, std::string_view body) {
  json.key("causes").open_array();
  for (const Offender& offender : explanation.offenders) {
    char code_point[16];
    std::snprintf(code_point, sizeof code_point, "U+%04X",
                  static_cast<unsigned>(offender.code_point));
    json.open_object();
    json.key("index").natural(offender.index);
    json.key("byte_offset").natural(offender.byte_offset);
    json.key("char").text(body.substr(offender.byte_offset, utf8_bytes(offender.code_point)));
    json.key("code_point").text(code_point);
    json.key("name").text(offender.name);
    json.close_object();
  }
  json.close_array();
  json.key("causes_total").natural(explanation.offenders_total);
  json.key("summary").text(summary(explanation));
}

void write_dropped(JsonWriter& json, const Recipients& recipients) {
  json.key("duplicates").open_array();
  for (const DuplicateRecipient& duplicate : recipients.duplicates)
    json.natural(duplicate.index);
  json.close_array();
  json.key("invalid").open_array();
  for (const InvalidRecipient& invalid : recipients.invalid) {
    json.open_object();
    json.key("pointer").text("/to/" + std::to_string(invalid.index));
    json.key("detail").text(fault_text(invalid.fault));
    json.close_object();
  }
  json.close_array();
}

// Segments are bounded by the body and recipients by the question, but a weight is the operator's.
bool can_be_priced(const Counted& counted, size_t recipients, Units weight) {
  int64_t product = 0;
  return !__builtin_mul_overflow(counted.segments, recipients, &product) &&
         !__builtin_mul_overflow(product, weight.micro(), &product);
}

void write_rewrite(JsonWriter& json, const Explanation& explanation, Units cost_of_it) {
  json.key("rewrite");
  if (!explanation.rewrite) {
    json.null();
    return;
  }
  json.open_object();
  json.key("text").text(explanation.rewrite->text);
  json.key("replaced").natural(explanation.rewrite->replaced);
  write_counted(json, explanation.rewrite->counted);
  json.key("cost_units").units(cost_of_it);
  json.close_object();
}

struct Priced {
  size_t recipients;
  Units weight;
};

void write_cost(JsonWriter& json, std::string_view body, const Explanation& explanation,
                Priced priced) {
  const Counted& counted = explanation.counted;
  write_counted(json, counted);
  json.key("fit").text(fit_name(counted.fit));
  json.key("needed_segments").natural(counted.needed_segments);
  json.key("recipients").natural(priced.recipients);
  json.key("cost_units").units(cost(counted, priced.recipients, priced.weight));
  write_causes(json, explanation, body);
  // A rewrite is GSM-7 where the body was not, so it has no more segments and its cost fits too.
  const Units rewritten = explanation.rewrite
                              ? cost(explanation.rewrite->counted, priced.recipients, priced.weight)
                              : Units();
  write_rewrite(json, explanation, rewritten);
}

}  // namespace

std::string cost_json(std::string_view body, const Explanation& explanation, size_t recipients,
                      Units weight) {
  JsonWriter json;
  json.open_object();
  write_cost(json, body, explanation, {recipients, weight});
  json.close_object();
  return json.take();
}

std::variant<std::string, Problem> answer_cost(const HttpRequest& request,
                                               const EngineOptions& options) {
  auto asked = read_question(request, options);
  if (auto* problem = std::get_if<Problem>(&asked)) return std::move(*problem);
  const Question& question = std::get<Question>(asked);
  const auto explained = explain(question.body, options.counting);
  if (const auto* invalid = std::get_if<InvalidText>(&explained)) {
    return Problem{"invalid", "1 field is wrong", {{"/body", describe(*invalid)}}, {}};
  }
  const Explanation& explanation = std::get<Explanation>(explained);
  const Counted& counted = explanation.counted;
  const Recipients recipients = recipients_of(question, options);
  const size_t count =
      question.recipients ? static_cast<size_t>(*question.recipients) : recipients.valid.size();
  if (!can_be_priced(counted, count, options.weight)) {
    return Problem{"invalid",
                   "1 field is wrong",
                   {{"/recipients", "times the segments of the body is beyond any price"}},
                   {}};
  }

  JsonWriter json;
  json.open_object();
  write_cost(json, question.body, explanation, {count, options.weight});
  write_dropped(json, recipients);
  json.close_object();
  return json.take();
}

}  // namespace weir
