// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/shadow_reply.h"

#include <cmath>

#include <boost/json.hpp>

#include "shim/front/timestamps.h"

namespace weir {
namespace {

namespace json = boost::json;

// Boost.JSON throws where a field is missing or of another kind; that stays in this file.
Units units_at(const json::object& object, const char* name) {
  return Units::from_micro(std::llround(object.at(name).to_number<double>() * Units::kMicro));
}

WallTime time_at(const json::object& object, const char* name) {
  const Result<WallTime> time = parse_timestamp(object.at(name).as_string());
  return time ? *time : WallTime();
}

Duration millis_at(const json::object& object, const char* name) {
  return Duration::millis(object.at(name).to_number<int64_t>());
}

LoadView load_of(const json::object& from) {
  return {.offered = units_at(from, "offered_units"),
          .peak_1s_per_s = from.at("peak_1s_units_per_s").to_number<double>(),
          .peak_10s_per_s = from.at("peak_10s_units_per_s").to_number<double>(),
          .peak_60s_per_s = from.at("peak_60s_units_per_s").to_number<double>(),
          .busy_p99_per_s = from.at("busy_p99_units_per_s").to_number<double>()};
}

ShadowView would_of(const json::object& from) {
  ShadowView would;
  would.waited = units_at(from, "would_wait_units");
  would.shed = units_at(from, "would_shed_units");
  would.refused = units_at(from, "would_refuse_units");
  would.passed = units_at(from, "decided_units") - would.waited - would.shed - would.refused;
  would.in_line = units_at(from, "waiting_units");
  would.wait_p50 = millis_at(from, "wait_p50_ms");
  would.wait_p99 = millis_at(from, "wait_p99_ms");
  return would;
}

ShadowReport report_of(const json::object& from) {
  ShadowReport report;
  report.since = time_at(from, "since");
  report.recorded = millis_at(from, "recorded_ms");
  report.rate_per_s = units_at(from, "rate_units_per_s");
  report.capacity = millis_at(from, "capacity_ms");
  report.dearest_recipient = units_at(from, "dearest_recipient_units");
  report.account = load_of(from.at("account").as_object());
  for (const json::value& one : from.at("lanes").as_array()) {
    const json::object& lane = one.as_object();
    const std::optional<Lane> which = lane_named(lane.at("lane").as_string());
    if (!which) continue;
    ShadowReport::PerLane& out = report.lanes[index(*which)];
    out.shadow = lane.at("shadow").as_bool();
    out.reserve = lane.at("reserve").to_number<double>();
    out.limit = lane.at("limit").to_number<double>();
    out.load = load_of(lane);
    if (lane.at("limits").is_object()) out.would = would_of(lane.at("limits").as_object());
  }
  return report;
}

}  // namespace

std::optional<ShadowReport> read_shadow(const std::string& body) {
  try {
    const json::value value = json::parse(body);
    return report_of(value.as_object());
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace weir
