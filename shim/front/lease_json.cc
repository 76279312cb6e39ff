// SPDX-License-Identifier: Apache-2.0

#include "shim/front/lease_json.h"

#include <array>
#include <charconv>
#include <utility>

#include "shim/front/json_fields.h"
#include "shim/front/json_response.h"
#include "shim/front/json_writer.h"
#include "shim/front/submission_json.h"

namespace weir {
namespace {

// Above what any lane holds (1e6 units/s for an hour).
constexpr Units kMostUnits = Units::of(10'000'000'000);

std::string granted_json(const AnswerLease& answer) {
  JsonWriter json;
  json.open_object();
  json.key("lease").text(lease_id_text(answer.lease));
  if (answer.bucket.empty()) {
    json.key("class").text(answer.class_name);
  } else {
    json.key("bucket").text(answer.bucket);
  }
  json.key("cost_units").units(answer.cost);
  json.key("waited_ms").integer(answer.waited.ms());
  if (answer.would_wait) json.key("would_wait_ms").integer(answer.would_wait->ms_ceil());
  json.close_object();
  return json.take();
}

std::string refunded_json(const AnswerLease& answer) {
  JsonWriter json;
  json.open_object();
  json.key("lease").text(lease_id_text(answer.lease));
  json.key("refunded_units").units(answer.cost);
  json.close_object();
  return json.take();
}

}  // namespace

std::string lease_id_text(LeaseId id) {
  return "l" + std::to_string(raw(id));
}

std::optional<LeaseId> parse_lease_id(std::string_view text) {
  // One spelling for each id: no sign, no leading zero.
  if (text.size() < 2 || text[0] != 'l' || text[1] < '1' || text[1] > '9') return std::nullopt;
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + 1, end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return LeaseId{number};
}

std::variant<AcquireRequested, Problem> read_acquire(const HttpRequest& request,
                                                     const EngineOptions& options) {
  AcquireRequested asked;
  std::optional<int64_t> max_wait_ms;
  const std::array fields = {
      JsonField{"class", TextField{&asked.class_name}},
      JsonField{"bucket", TextField{&asked.bucket}},
      JsonField{"cost_units", UnitsField{&asked.cost, kMostUnits}, Need::kPresent},
      JsonField{"max_wait_ms", IntegerField{&max_wait_ms, 0, options.max_acquire_wait.ms()}},
      JsonField{"shadow", FlagField{&asked.shadow}},
  };
  FieldsRead read = read_fields(request.body, fields);
  const bool readable = read.malformed.empty();
  if (readable && asked.class_name.empty() && asked.bucket.empty() && read.errors.empty()) {
    read.errors.push_back({"/class", "is missing; give a class or a bucket"});
  }
  if (readable && !asked.class_name.empty() && !asked.bucket.empty()) {
    read.errors.push_back({"/bucket", "and \"class\" are both given; leave one of the two out"});
  }
  if (!read.ok()) return problem_of(std::move(read));
  asked.max_wait = Duration::millis(max_wait_ms.value_or(0));
  return asked;
}

HttpResponse lease_response(const AnswerLease& answer) {
  switch (answer.result) {
    case AnswerLease::Result::kGranted: return json_response(granted_json(answer));
    case AnswerLease::Result::kRefunded: return json_response(refunded_json(answer));
    case AnswerLease::Result::kDenied:
      return problem_response({"ceiling_reached",
                               "The units are not there within the time that was given.",
                               {},
                               answer.retry_after});
    case AnswerLease::Result::kFull:
      return problem_response(
          {"busy", "Too many requests wait for units.", {}, answer.retry_after});
    case AnswerLease::Result::kNeverFits:
      return problem_response({"cost_exceeds_bucket",
                               "No wait will help.",
                               {{"/cost_units", "is more than a full bucket holds"}},
                               {}});
    case AnswerLease::Result::kUnknownLease: break;
  }
  return problem_response(
      {"not_found", "There is no such lease that could be given back (any more).", {}, {}});
}

}  // namespace weir
