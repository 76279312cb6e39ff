// SPDX-License-Identifier: Apache-2.0
#include "shim/front/shadow_json.h"

#include "shim/front/json_writer.h"

namespace weir {
namespace {

void write_load(JsonWriter& json, const LoadView& load) {
  json.key("offered_units").units(load.offered);
  json.key("peak_1s_units_per_s").rate(load.peak_1s_per_s);
  json.key("peak_10s_units_per_s").rate(load.peak_10s_per_s);
  json.key("peak_60s_units_per_s").rate(load.peak_60s_per_s);
  json.key("busy_p99_units_per_s").rate(load.busy_p99_per_s);
}

void write_would(JsonWriter& json, const ShadowView& would) {
  json.open_object();
  json.key("decided_units").units(would.decided());
  json.key("waiting_units").units(would.in_line);
  json.key("would_wait_units").units(would.waited);
  json.key("wait_p50_ms").integer(would.wait_p50.ms_ceil());
  json.key("wait_p99_ms").integer(would.wait_p99.ms_ceil());
  json.key("would_shed_units").units(would.shed);
  json.key("would_refuse_units").units(would.refused);
  json.close_object();
}

void write_lane(JsonWriter& json, Lane lane, const ShadowReport::PerLane& own) {
  json.open_object();
  json.key("lane").text(name(lane));
  json.key("shadow").flag(own.shadow);
  json.key("reserve").rate(own.reserve);
  json.key("limit").rate(own.limit);
  write_load(json, own.load);
  json.key("limits");
  own.shadow ? write_would(json, own.would) : static_cast<void>(json.null());
  json.close_object();
}

}  // namespace

std::string shadow_json(const ShadowReport& report, WallTime now) {
  JsonWriter json;
  json.open_object();
  json.key("at").time(now);
  json.key("since").time(report.since);
  json.key("recorded_ms").integer(report.recorded.ms());
  json.key("rate_units_per_s").units(report.rate_per_s);
  json.key("capacity_ms").integer(report.capacity.ms());
  json.key("dearest_recipient_units").units(report.dearest_recipient);
  json.key("account").open_object();
  write_load(json, report.account);
  json.close_object();
  json.key("lanes").open_array();
  for (Lane lane : kAllLanes)
    write_lane(json, lane, report.lanes[index(lane)]);
  json.close_array();
  json.close_object();
  return json.take();
}

}  // namespace weir
