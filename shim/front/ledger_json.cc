// SPDX-License-Identifier: Apache-2.0
#include "shim/front/ledger_json.h"

#include <algorithm>
#include <array>
#include <utility>

#include "shim/front/control_character.h"
#include "shim/front/json_fields.h"
#include "shim/front/json_response.h"
#include "shim/front/json_writer.h"
#include "shim/front/message_json.h"
#include "shim/front/query_fields.h"
#include "shim/front/submission_json.h"

namespace weir {
namespace {

constexpr std::array<std::string_view, 6> kFields = {"state", "class",  "key",
                                                     "tag",   "cursor", "limit"};
constexpr uint32_t kMostMessages = 500;
constexpr size_t kMostEvidence = 500;

std::string text_of(const QueryFields& fields, std::string_view name) {
  const auto field = fields.find(name);
  return field == fields.end() ? std::string() : field->second;
}

std::string state_names() {
  std::string names;
  for (std::string_view one : kBatchStateNames)
    names += (names.empty() ? "" : ", ") + std::string(one);
  return names;
}

bool is_class(const EngineOptions& options, std::string_view name) {
  return std::any_of(options.classes.begin(), options.classes.end(),
                     [name](const ClassOptions& one) { return one.name == name; });
}

// b42; one spelling for each id, as of messages.
std::optional<BatchId> parse_batch_id(const std::string& text) {
  if (text.empty() || text[0] != 'b') return std::nullopt;
  const std::optional<MessageId> number = parse_message_id("m" + text.substr(1));
  return number ? std::optional(BatchId{raw(*number)}) : std::nullopt;
}

}  // namespace

std::variant<ListMessages, Problem> read_list_query(const HttpRequest& request,
                                                    const EngineOptions& options) {
  auto read = read_query(request.query, kFields);
  if (auto* problem = std::get_if<Problem>(&read)) return std::move(*problem);
  const QueryFields& fields = std::get<QueryFields>(read);

  Problem problem{"invalid", "The query is not valid.", {}, {}};
  // One that is empty would ask for nothing, or be taken for asking for all.
  for (const auto& [name, value] : fields) {
    if (!value.empty()) continue;
    problem.errors.push_back({"/" + name, "must not be empty; leave it out to ask for all"});
  }
  if (!problem.errors.empty()) return problem;
  ListMessages query;
  query.class_name = text_of(fields, "class");
  query.key = text_of(fields, "key");
  query.tag = text_of(fields, "tag");
  if (fields.contains("state")) {
    query.state = batch_state_named(text_of(fields, "state"));
    if (!query.state) problem.errors.push_back({"/state", "is one of " + state_names()});
  }
  if (!query.class_name.empty() && !is_class(options, query.class_name)) {
    problem.errors.push_back({"/class", "there is no class of this name"});
  }
  if (fields.contains("cursor")) {
    query.before = parse_message_id(text_of(fields, "cursor"));
    if (!query.before) {
      problem.errors.push_back({"/cursor", "is the next_cursor of an earlier answer, like m42"});
    }
  }
  read_limit(fields, kMostMessages, query.limit, problem);
  if (!problem.errors.empty()) return problem;
  return query;
}

std::variant<ResolveRequested, Problem> read_resolve(const HttpRequest& request,
                                                     MessageId message) {
  std::string outcome;
  std::string batch;
  ResolveRequested asked;
  asked.message = message;
  const std::array fields = {
      JsonField{"outcome", TextField{&outcome}, Need::kFilled},
      JsonField{"evidence", TextField{&asked.evidence}, Need::kFilled},
      JsonField{"batch", TextField{&batch}},
  };
  FieldsRead read = read_fields(request.body, fields);
  if (read.ok() && outcome != "submitted" && outcome != "not_submitted") {
    read.errors.push_back({"/outcome", "is submitted or not_submitted"});
  }
  if (read.ok() &&
      (asked.evidence.size() > kMostEvidence || has_control_character(asked.evidence))) {
    read.errors.push_back({"/evidence", "is up to " + std::to_string(kMostEvidence) +
                                            " bytes without control characters"});
  }
  if (read.ok() && read.saw(2)) {  // an empty one must not be taken for all of them
    asked.batch = parse_batch_id(batch);
    if (!asked.batch) read.errors.push_back({"/batch", "is a batch id, like b17"});
  }
  if (!read.ok()) return problem_of(std::move(read));
  asked.to = outcome == "submitted" ? BatchState::kSubmitted : BatchState::kRefused;
  return asked;
}

std::string list_json(const Listed& listed) {
  JsonWriter json;
  json.open_object();
  json.key("messages").open_array();
  for (const MessageSummary& one : listed.messages) {
    json.open_object();
    write_summary(json, one);
    json.key("reason").text(one.reason);
    json.close_object();
  }
  json.close_array();
  json.key("next_cursor");
  listed.next ? json.text(message_id_text(*listed.next)) : json.null();
  json.close_object();
  return json.take();
}

HttpResponse resolved_response(const AnswerResolve& answer) {
  switch (answer.result) {
    case ResolveResult::kResolved: {
      JsonWriter json;
      json.open_object();
      json.key("resolved_batches").natural(answer.batches);
      json.close_object();
      return json_response(json.take());
    }
    case ResolveResult::kNoMessage:
      return problem_response({"not_found", "There is no such message.", {}, {}});
    case ResolveResult::kNotUnknown:
      return problem_response(
          {"not_unknown", "Nothing of what was named is unknown, so nothing was changed.", {}, {}});
    case ResolveResult::kNotWritten: break;
  }
  return problem_response(
      {"store_unavailable", "It could not be written; nothing was changed.", {}, {}});
}

}  // namespace weir
