// SPDX-License-Identifier: Apache-2.0

#include "shim/front/views_json.h"

#include "shim/front/json_writer.h"
#include "shim/front/stop_json.h"

namespace weir {
namespace {

void write_pressure(JsonWriter& json, const LaneView& lane) {
  json.key("lane").text(name(lane.lane));
  json.key("pressure").text(name(lane.pressure));
  json.key("suggested_delay_ms").integer(lane.suggested_delay.ms_ceil());
  json.key("predicted_wait_ms");
  lane.predicted_wait ? json.integer(lane.predicted_wait->ms_ceil()) : json.null();
  json.key("oldest_age_ms");
  lane.oldest_age ? json.integer(lane.oldest_age->ms()) : json.null();
}

void write_totals(JsonWriter& json, const LaneTotals& totals) {
  json.key("totals").open_object();
  json.key("offered_units").units(totals.offered);
  json.key("admitted_units").units(totals.admitted);
  json.key("submitted_units").units(totals.submitted);
  json.key("refused_by_gateway_units").units(totals.refused_by_gateway);
  json.key("unknown_units").units(totals.unknown);
  json.key("shed_units").units(totals.shed);
  json.key("throttled_batches").natural(totals.throttled_batches);
  json.key("unreachable_batches").natural(totals.unreachable_batches);
  json.close_object();
}

void write_lane(JsonWriter& json, const LaneView& lane, const LaneTotals& totals) {
  json.open_object();
  write_pressure(json, lane);
  json.key("stop");
  write_stop(json, lane.stop);
  json.key("shadow").flag(lane.shadow);
  json.key("pending_batches").integer(lane.pending_rows);
  json.key("pending_units").units(lane.pending_units);
  json.key("in_flight_batches").natural(lane.in_flight);
  json.key("in_flight_units").units(lane.in_flight_units);
  json.key("waiting_leases").natural(lane.leases.waiting);
  json.key("waiting_lease_units").units(lane.leases.waiting_units);
  json.key("level_units").units(lane.level);
  json.key("capacity_units").units(lane.capacity);
  json.key("reserve_units_per_s").rate(lane.reserve_units_per_s);
  json.key("limit_units_per_s").rate(lane.limit_units_per_s);
  json.key("offered_units_per_s").rate(lane.offered_units_per_s);
  json.key("admitted_units_per_s").rate(lane.admitted_units_per_s);
  write_totals(json, totals);
  json.close_object();
}

void write_time(JsonWriter& json, std::string_view key, const std::optional<WallTime>& t) {
  json.key(key);
  t ? json.time(*t) : json.null();
}

void write_window(JsonWriter& json, const WindowView& window) {
  json.open_object();
  json.key("class").text(window.class_name);
  json.key("lane").text(name(window.lane));
  json.key("open").flag(window.open);
  write_time(json, "opens_at", window.opens_at);
  write_time(json, "closes_at", window.closes_at);
  json.close_object();
}

void write_check(JsonWriter& json, std::string_view check, bool ok, std::string_view detail) {
  json.open_object();
  json.key("name").text(check).key("ok").flag(ok);
  if (!ok) json.key("detail").text(detail);
  json.close_object();
}

}  // namespace

std::string lanes_json(const EngineView& view, WallTime now) {
  JsonWriter json;
  json.open_object();
  json.key("at").time(now);
  json.key("lanes").open_array();
  for (Lane lane : kAllLanes)
    write_lane(json, view.lanes[index(lane)], view.totals[index(lane)]);
  json.close_array();
  json.key("windows").open_array();
  for (const WindowView& window : view.windows)
    write_window(json, window);
  json.close_array();
  json.key("classes").open_array();
  for (const ClassView& one : view.classes) {
    json.open_object();
    json.key("class").text(one.name).key("lane").text(name(one.lane)).key("stop");
    write_stop(json, one.stop);
    json.close_object();
  }
  json.close_array();
  json.key("ceiling_units_per_s").units(view.ceiling_per_s);
  json.key("ceiling_cuts").natural(view.ceiling_cuts);
  json.key("store_writable").flag(commits(view.store_trouble));
  json.key("store_trouble").text(name(view.store_trouble));
  json.key("quarantined").flag(!view.quarantine.empty());
  json.key("draining").flag(view.draining);
  json.key("gateway_paused").flag(view.gateway_paused);
  json.key("gateway_pause_reason").text(view.gateway_pause_reason);
  json.key("unknown_batches").natural(view.unknown_batches);
  json.close_object();
  return json.take();
}

std::string pressure_json(const EngineView& view, WallTime now) {
  JsonWriter json;
  json.open_object();
  json.key("at").time(now);
  json.key("lanes").open_array();
  for (const LaneView& lane : view.lanes) {
    json.open_object();
    write_pressure(json, lane);
    json.close_object();
  }
  json.close_array();
  json.close_object();
  return json.take();
}

Readiness readiness(const EngineView& view) {
  Readiness result;
  const bool store_works = view.store_trouble == StoreTrouble::kNone;
  // A gateway that is paused does not stop intake: what comes in waits. Nor does a quarantine; but
  // what is not sent until a person comes must not look well.
  result.ready = store_works && view.quarantine.empty() && !view.draining;
  JsonWriter json;
  json.open_object();
  json.key("status").text(result.ready ? "ready" : "not_ready");
  json.key("checks").open_array();
  write_check(json, "store", store_works, name(view.store_trouble));
  write_check(json, "quarantine", view.quarantine.empty(), view.quarantine);
  write_check(json, "accepting", !view.draining, "weir is stopping");
  write_check(json, "gateway", !view.gateway_paused, view.gateway_pause_reason);
  json.close_array();
  json.close_object();
  result.json = json.take();
  return result;
}

}  // namespace weir
