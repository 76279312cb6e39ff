// SPDX-License-Identifier: Apache-2.0
#include "shim/front/cancel_json.h"

#include <array>
#include <string>
#include <utility>

#include "shim/front/json_fields.h"
#include "shim/front/json_response.h"
#include "shim/front/json_writer.h"
#include "shim/front/submission_json.h"

namespace weir {
namespace {

// What was too late, and what a person may still want to know of it.
constexpr std::array<BatchState, 4> kTooLate = {BatchState::kClaimed, BatchState::kSubmitted,
                                                BatchState::kRefused, BatchState::kUnknown};

HttpResponse counts_response(const CancelCounts& counts) {
  JsonWriter json;
  json.open_object();
  json.key("cancelled_messages").natural(counts.messages);
  json.key("cancelled_batches").natural(counts.batches);
  json.key("cancelled_units").units(counts.cost);
  json.key("too_late_batches").open_object();
  for (BatchState state : kTooLate)
    json.key(name(state)).natural(counts.left[index(state)]);
  json.close_object();
  json.close_object();
  return json_response(json.take());
}

std::string too_late_text(const CancelCounts& counts) {
  std::string text;
  for (size_t i = 0; i < kBatchStates; ++i) {
    if (counts.left[i] == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(counts.left[i]) + " " +
            std::string(kBatchStateNames[i]);
  }
  return text.empty() ? "its batches have left the database" : "its batches: " + text;
}

}  // namespace

std::variant<CancelRequested, Problem> read_cancel(const HttpRequest& request) {
  CancelRequested asked;
  const std::array fields = {
      JsonField{"key", TextField{&asked.target.key}},
      JsonField{"tag", TextField{&asked.target.tag}},
  };
  FieldsRead read = read_fields(request.body, fields);
  if (read.ok() && read.saw(0) == read.saw(1)) {
    read.errors.push_back({"", "names either a key or a tag"});
  }
  // An empty one must not be taken for all that have none.
  if (read.ok() && asked.target.key.empty() && asked.target.tag.empty()) {
    read.errors.push_back({read.saw(0) ? "/key" : "/tag", "must not be empty"});
  }
  if (!read.ok()) return problem_of(std::move(read));
  return asked;
}

HttpResponse cancelled_response(const AnswerCancel& answer) {
  switch (answer.result) {
    case CancelResult::kCancelled: return counts_response(answer.counts);
    case CancelResult::kNone:
      return problem_response({"not_found", "No message of this weir has it.", {}, {}});
    case CancelResult::kTooLate:
      return problem_response(
          {"not_pending",
           "Nothing of it was pending any more; " + too_late_text(answer.counts) + ".",
           {},
           {}});
    case CancelResult::kBusy:
      return problem_response({"busy", "Several cancels are under way; ask again.", {}, {}});
    case CancelResult::kNotWritten: break;
  }
  return problem_response({"store_unavailable",
                           "It could not be written to its end; " +
                               std::to_string(answer.counts.batches) +
                               " batches were cancelled and stay so. Ask again for the rest.",
                           {},
                           {}});
}

}  // namespace weir
