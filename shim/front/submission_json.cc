// SPDX-License-Identifier: Apache-2.0

#include "shim/front/submission_json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace weir {
namespace {

struct HeaderKey {
  std::string key;
  std::string fault;
};

// Takes the quotes of a structured string (RFC 8941) off, if there are any.
std::optional<std::string> unquoted(std::string_view value) {
  if (value.empty() || value.front() != '"') return std::string(value);
  std::string text;
  for (size_t i = 1; i < value.size(); ++i) {
    if (value[i] == '"') return i + 1 == value.size() ? std::optional(text) : std::nullopt;
    if (value[i] == '\\' && ++i == value.size()) return std::nullopt;
    text += value[i];
  }
  return std::nullopt;
}

HeaderKey header_key(const HttpRequest& request) {
  std::optional<std::string_view> value;
  for (const auto& [name, found] : request.headers) {
    if (name != "idempotency-key") continue;
    if (value) return {{}, "the Idempotency-Key header is there twice; send it once"};
    value = found;
  }
  if (!value) return {};
  const bool printable =
      std::all_of(value->begin(), value->end(), [](char c) { return c >= ' ' && c <= '~'; });
  std::optional<std::string> key = unquoted(*value);
  if (!printable || !key || key->empty()) {
    return {{},
            "the Idempotency-Key header must be printable ASCII and not empty; put another key "
            "into the field"};
  }
  return {std::move(*key), {}};
}

// Settles the two places in which a key may stand.
void settle_key(const HttpRequest& request, Submission& submission, FieldsRead& read) {
  HeaderKey header = header_key(request);
  if (!header.fault.empty()) {
    read.errors.push_back({"/key", std::move(header.fault)});
  } else if (submission.key.empty()) {
    submission.key = std::move(header.key);
  } else if (!header.key.empty() && header.key != submission.key) {
    read.errors.push_back(
        {"/key", "differs from the Idempotency-Key header; send one of them, or the same in both"});
  }
}

struct Given {
  bool seen;
  const std::string& text;
};

// A template brings its body, and may bring its class.
void need_without_template(std::string_view pointer, Given given, const Submission& submission,
                           FieldsRead& read) {
  if (!submission.template_id.empty() || !given.text.empty()) return;
  const bool known = std::any_of(read.errors.begin(), read.errors.end(),
                                 [&](const FieldError& error) { return error.pointer == pointer; });
  if (known) return;
  read.errors.push_back(
      {std::string(pointer), given.seen ? "must not be empty" : "is missing; it must be a string"});
}

}  // namespace

Problem problem_of(FieldsRead read) {
  if (!read.malformed.empty()) return {"malformed", std::move(read.malformed), {}, {}};
  const size_t count = read.errors.size();
  std::string detail =
      count == 1 ? "1 field is wrong" : std::to_string(count) + " fields are wrong";
  if (count >= kMostFieldErrors) detail = "At least " + detail;
  return {"invalid", std::move(detail), std::move(read.errors), {}};
}

std::variant<Submission, Problem> read_submission(const HttpRequest& request,
                                                  const EngineOptions& options) {
  Submission submission;
  std::optional<int64_t> priority;
  const std::array fields = {
      JsonField{"class", TextField{&submission.class_name}},
      JsonField{"to", TextListField{&submission.to, options.max_recipients}, Need::kFilled},
      JsonField{"body", TextField{&submission.body}},
      JsonField{"sender", TextField{&submission.sender}},
      JsonField{"key", TextField{&submission.key}},
      JsonField{"deadline", TimeField{&submission.deadline}},
      JsonField{"event_at", TimeField{&submission.event_at}},
      JsonField{"session_expires_at", TimeField{&submission.session_expires_at}},
      JsonField{"not_before", TimeField{&submission.not_before}},
      JsonField{"priority", IntegerField{&priority, 0, kPriorities - 1}},
      JsonField{"tag", TextField{&submission.tag}},
      JsonField{"test", FlagField{&submission.test}},
      JsonField{"params", TextMapField{&submission.params, options.max_params}},
      JsonField{"template", TextField{&submission.template_id}},
      JsonField{"vars", TextMapField{&submission.vars, kMaxVariables}},
  };
  FieldsRead read = read_fields(request.body, fields);
  if (read.malformed.empty()) {
    need_without_template("/class", {read.saw(0), submission.class_name}, submission, read);
    need_without_template("/body", {read.saw(2), submission.body}, submission, read);
    settle_key(request, submission, read);
  }
  if (!read.ok()) return problem_of(std::move(read));
  if (priority) submission.priority = static_cast<uint8_t>(*priority);
  return submission;
}

}  // namespace weir
