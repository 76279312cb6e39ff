// SPDX-License-Identifier: Apache-2.0

#include "shim/front/problem.h"

#include <algorithm>
#include <array>
#include <utility>

#include "weir/check.h"

#include "shim/front/json_writer.h"

namespace weir {
namespace {

constexpr std::array kKinds = {
    ProblemKind{"malformed", 400, "The request could not be read"},
    ProblemKind{"unauthorized", 401, "A key is needed"},
    ProblemKind{"not_allowed", 403, "This key does not open that"},
    ProblemKind{"not_found", 404, "There is no such thing here"},
    ProblemKind{"method_not_allowed", 405, "This method is not for this path"},
    ProblemKind{"not_unknown", 409, "Nothing of it is unknown"},
    ProblemKind{"not_pending", 409, "Nothing of it is pending"},
    ProblemKind{"not_quarantined", 409, "There is no quarantine to end"},
    ProblemKind{"db_busy", 409, "The database is being copied or compacted"},
    ProblemKind{"request_timeout", 408, "The request came too slowly"},
    ProblemKind{"too_large", 413, "The body is too large"},
    ProblemKind{"unsupported_media_type", 415, "The body is of a type that is not taken"},
    ProblemKind{"expectation_failed", 417, "This expectation cannot be met"},
    ProblemKind{"head_too_large", 431, "The head of the request is too large"},
    ProblemKind{"copy_damaged", 500, "The copy is not whole"},
    ProblemKind{"not_implemented", 501, "This part of HTTP is not spoken here"},
    ProblemKind{"too_many_connections", 503, "Too many connections are open"},
    ProblemKind{"busy", 503, "Too much is being received at once"},
    ProblemKind{"ceiling_reached", 503, "The units are not there in time"},

    ProblemKind{"invalid", 422, "The request is not valid"},
    ProblemKind{"deadline_passed", 422, "The deadline has passed"},
    ProblemKind{"cost_exceeds_bucket", 422, "The cost is more than can ever be held"},
    ProblemKind{"key_reused", 422, "The key belongs to another message"},
    ProblemKind{"outside_window", 422, "The sending window opens too late for it"},
    ProblemKind{"class_not_allowed", 403, "The producer may not send this class"},
    ProblemKind{"destination_not_allowed", 422, "The class does not go to this number"},
    ProblemKind{"over_quota", 429, "The producer is over its quota"},
    ProblemKind{"deadline_unreachable", 503, "The message would come too late"},
    ProblemKind{"lane_full", 503, "The lane is full"},
    ProblemKind{"store_unavailable", 503, "The disk does not take it"},
    ProblemKind{"draining", 503, "weir is stopping"},
    ProblemKind{"lane_draining", 503, "The lane is being drained"},
    ProblemKind{"class_draining", 503, "The class is being drained"},
    ProblemKind{"recipient_cooldown", 503, "The recipient had one a moment ago"},
    ProblemKind{"recipient_cap", 503, "The recipient has had as many as an hour may bring"},
    ProblemKind{"prefix_cap", 503, "Numbers like this one have had as many as an hour may bring"},
    ProblemKind{"class_cap", 503, "The class has had as many as an hour may bring"},
};

const ProblemKind& kind_of(std::string_view code) {
  const auto* kind = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const ProblemKind& k) { return k.code == code; });
  WEIR_CHECK(kind != kKinds.end());
  return *kind;
}

// Whole seconds, because RFC 9110 knows no fraction, and up, because earlier would be refused
// again.
int64_t whole_seconds(Duration wait) {
  return std::max<int64_t>((wait.ms_ceil() + 999) / 1000, 1);
}

void write_errors(JsonWriter& json, const std::vector<FieldError>& errors) {
  json.key("errors").open_array();
  for (const FieldError& error : errors) {
    json.open_object();
    json.key("pointer").text(error.pointer).key("detail").text(error.detail);
    json.close_object();
  }
  json.close_array();
}

}  // namespace

std::span<const ProblemKind> problem_kinds() {
  return kKinds;
}

Problem problem_of(Refusal refusal) {
  return {name(refusal.code),  std::move(refusal.detail), std::move(refusal.fields),
          refusal.retry_after, refusal.pressure,          refusal.predicted_wait,
          refusal.time_left};
}

HttpResponse problem_response(const Problem& problem) {
  const ProblemKind& kind = kind_of(problem.code);
  HttpResponse response;
  response.status = kind.status;
  response.content_type = "application/problem+json";

  JsonWriter json;
  json.open_object();
  json.key("type").text("/problems/" + std::string(kind.code));
  json.key("title").text(kind.title);
  json.key("status").integer(kind.status);
  json.key("detail").text(problem.detail);
  json.key("code").text(kind.code);
  if (!problem.errors.empty()) write_errors(json, problem.errors);
  // RFC 6750. Why a key is not taken is not said.
  if (kind.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (kind.status == 503 || kind.status == 429) {
    const Duration wait = problem.retry_after.value_or(Duration::seconds(1));
    json.key("retry_after_ms").integer(wait.ms_ceil());
    response.headers.emplace_back("Retry-After", std::to_string(whole_seconds(wait)));
  }
  if (problem.pressure) {
    json.key("pressure").text(name(*problem.pressure));
    response.headers.emplace_back("Weir-Pressure", name(*problem.pressure));
  }
  if (problem.predicted_wait) {
    json.key("predicted_wait_ms").integer(problem.predicted_wait->ms_ceil());
  }
  if (problem.time_left) json.key("time_left_ms").integer(problem.time_left->ms());
  json.close_object();
  response.body = json.take();
  return response;
}

}  // namespace weir
