// SPDX-License-Identifier: Apache-2.0
//
// What is shown: the four numbers (offered rate, admitted rate, depth, oldest age) and the state of
// everything that an operator asks about.
#include <algorithm>

#include "engine/prediction.h"
#include "engine/state.h"

namespace weir {

EngineView Engine::State::view(Now now) const {
  const auto leases_of = [](const LeaseDesk& desk) {
    return LeaseView{desk.line.size(), desk.line.units(), desk.granted, desk.denied};
  };
  EngineView view;
  for (Lane lane : kAllLanes) {
    const LaneState& state = lanes[index(lane)];
    const LaneOptions& own = options.lanes[index(lane)];
    const double whole = limiter.ceiling_per_s().as_double();
    LaneView& out = view.lanes[index(lane)];
    out.lane = lane;
    out.shadow = own.shadow;
    out.offered_units_per_s = state.offered.per_second(now.mono);
    out.admitted_units_per_s = state.admitted.per_second(now.mono);
    out.pending_rows = state.queue.rows() + state.persisting_rows;
    out.pending_units = state.queue.units() + state.persisting_units;
    out.in_flight = state.slots_used;
    out.in_flight_units = state.in_flight_units;
    if (const auto oldest = state.queue.oldest(now.wall)) {
      out.oldest_age = std::max(Duration(), now.wall - *oldest);
    }
    out.level = limiter.available(now.mono, lane);
    out.capacity = limiter.most(lane);
    out.reserve_units_per_s = own.reserve * whole;
    out.limit_units_per_s = own.limit * whole;
    out.stop = state.stop;
    const bool paused = state.stop.mode == StopMode::kPaused;
    out.predicted_wait = paused ? std::nullopt : std::optional(predicted_wait(now, lane, Units()));
    out.pressure = state.pressure;
    out.suggested_delay = suggested_delay(now, lane, options.weight);
    out.leases = leases_of(state.desk);
    view.totals[index(lane)] = state.totals;
    if (own.shadow) count_shadow(lane, view.totals[index(lane)]);
  }
  view.ceiling_per_s = limiter.ceiling_per_s();
  view.ceiling_cuts = ceiling.epoch();
  for (const PrivateBucket& bucket : buckets) {
    const BucketSpec spec = bucket.tokens.spec();
    view.buckets.push_back({bucket.name, bucket.tokens.level(now.mono), spec.capacity,
                            spec.rate_per_s, leases_of(bucket.desk)});
  }
  for (size_t i = 0; i < options.classes.size(); ++i)
    view.classes.push_back({options.classes[i].name, options.classes[i].lane, class_stops[i]});
  view.windows = windows(now);
  view.producers = quotas.view();
  for (size_t i = 0; i < view.producers.size(); ++i)
    view.producers[i].unsettled = depth_of(static_cast<ProducerId>(i));
  view.refusals = refusals;
  view.unknown_batches = unknown_batches;
  view.store_trouble = store_trouble;
  view.quarantine = quarantine;
  view.draining = draining;
  view.gateway_paused = now.mono < paused_until;
  if (view.gateway_paused) view.gateway_pause_reason = pause_reason;
  return view;
}

}  // namespace weir
