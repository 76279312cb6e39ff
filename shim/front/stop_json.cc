// SPDX-License-Identifier: Apache-2.0
#include "shim/front/stop_json.h"

#include <array>
#include <string>
#include <utility>

#include "weir/check.h"

#include "shim/front/control_character.h"
#include "shim/front/json_fields.h"
#include "shim/front/json_response.h"
#include "shim/front/submission_json.h"

namespace weir {
namespace {

constexpr size_t kMostReason = 200;

std::optional<StopMode> mode_of(std::string_view verb) {
  if (verb == "pause") return StopMode::kPaused;
  if (verb == "drain") return StopMode::kDraining;
  if (verb == "resume") return StopMode::kNone;
  return std::nullopt;
}

}  // namespace

std::variant<StopRequested, Problem> read_stop(const HttpRequest& request) {
  const std::string_view path = request.path;
  const bool of_lane = path.starts_with(kOneLane);
  const size_t verb = path.rfind('/');
  const size_t head = of_lane ? kOneLane.size() : kOneClass.size();
  const std::string_view subject = path.substr(head, verb - head);
  const auto mode = mode_of(path.substr(verb + 1));
  WEIR_CHECK(mode.has_value());
  StopRequested asked;
  asked.order.stop.mode = *mode;
  if (of_lane) {
    asked.order.lane = lane_named(subject);
    if (!asked.order.lane) {
      return Problem{
          "not_found", "There is no such lane; they are otp, transactional, promotional.", {}, {}};
    }
  } else {
    asked.order.class_name = subject;
  }
  // Of a resume the path says it all.
  if (*mode == StopMode::kNone) return asked;
  std::string& reason = asked.order.stop.reason;
  const std::array fields = {JsonField{"reason", TextField{&reason}, Need::kFilled}};
  FieldsRead read = read_fields(request.body, fields);
  if (read.ok() && (reason.size() > kMostReason || has_control_character(reason))) {
    read.errors.push_back({"/reason", "is up to " + std::to_string(kMostReason) +
                                          " bytes without control characters"});
  }
  if (!read.ok()) return problem_of(std::move(read));
  return asked;
}

void write_stop(JsonWriter& json, const Stop& stop) {
  if (stop.mode == StopMode::kNone) {
    json.null();
    return;
  }
  json.open_object();
  json.key("mode").text(name(stop.mode));
  json.key("reason").text(stop.reason);
  json.key("since").time(stop.since);
  json.close_object();
}

HttpResponse stopped_response(const AnswerStop& answer) {
  const StopOrder& order = answer.order;
  switch (answer.result) {
    case StopResult::kDone: {
      JsonWriter json;
      json.open_object();
      if (order.lane) json.key("lane").text(name(*order.lane));
      if (!order.lane) json.key("class").text(order.class_name);
      json.key("stop");
      write_stop(json, order.stop);
      json.close_object();
      return json_response(json.take());
    }
    case StopResult::kNone:
      return problem_response({"not_found", "There is no class of this name.", {}, {}});
    case StopResult::kNotWritten: break;
  }
  return problem_response(
      {"store_unavailable", "It could not be written; nothing was changed.", {}, {}});
}

}  // namespace weir
