// SPDX-License-Identifier: Apache-2.0
//
// What is shown and predicted: the four numbers (offered rate, admitted rate, depth, oldest age),
// the wait of a message that comes now, and the pressure.
#include <algorithm>

#include "engine/state.h"

namespace weir {

// What a lane will get per second: its limit, less what the lanes above it take just now, but never
// less than its own reserve.
double Engine::State::expected_rate(Now now, Lane lane) const {
  const double whole = limiter.ceiling_per_s().as_double();
  const LaneOptions& own = options.lanes[index(lane)];
  double left = whole;
  for (size_t above = 0; above < index(lane); ++above) {
    left -= lanes[above].admitted.per_second(now.mono);
  }
  const double rate = std::max(own.reserve * whole, std::min(own.limit * whole, left));
  // A lane without a reserve under lanes that take everything still has a finite prediction.
  return std::max(rate, whole / 1000);
}

Duration Engine::State::predicted_wait(Now now, Lane lane, Units cost) const {
  const LaneState& state = lanes[index(lane)];
  const Duration pause = now.mono < paused_until ? paused_until - now.mono : Duration();
  const Units missing = state.queue.units() + state.persisting_units + state.desk.line.units() +
                        cost - limiter.headroom(now.mono, lane);
  if (missing <= Units()) return pause;
  const double wait_s = missing.as_double() / expected_rate(now, lane);
  constexpr double kAYear = 31'536'000;
  return std::max(pause, Duration::millis(static_cast<int64_t>(std::min(wait_s, kAYear) * 1000)));
}

double Engine::State::filled(Lane lane) const {
  const LaneState& state = lanes[index(lane)];
  const LaneOptions& bounds = options.lanes[index(lane)];
  const auto rows = static_cast<double>(state.queue.rows() + state.persisting_rows);
  const double units = (state.queue.units() + state.persisting_units).as_double();
  return std::max(rows / static_cast<double>(bounds.max_rows),
                  units / bounds.max_units.as_double());
}

Pressure Engine::State::pressure(Now now, Lane lane) const {
  // The class of this lane with the shortest time decides: it is the first to be late.
  Duration shortest = options.max_deadline;
  for (const ClassOptions& one : options.classes) {
    if (one.lane == lane) shortest = std::min(shortest, one.within);
  }
  if (predicted_wait(now, lane, Units()) > shortest) return Pressure::kShed;
  const double depth = filled(lane);
  if (depth >= options.lanes[index(lane)].pause_at) return Pressure::kPause;
  if (depth >= options.lanes[index(lane)].slow_at) return Pressure::kSlow;
  return Pressure::kClear;
}

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
    out.predicted_wait = predicted_wait(now, lane, Units());
    out.pressure = pressure(now, lane);
    out.leases = leases_of(state.desk);
    view.totals[index(lane)] = state.totals;
  }
  view.ceiling_per_s = limiter.ceiling_per_s();
  view.ceiling_cuts = ceiling.epoch();
  for (const PrivateBucket& bucket : buckets) {
    const BucketSpec spec = bucket.tokens.spec();
    view.buckets.push_back({bucket.name, bucket.tokens.level(now.mono), spec.capacity,
                            spec.rate_per_s, leases_of(bucket.desk)});
  }
  view.refusals = refusals;
  view.unknown_batches = unknown_batches;
  view.store_writable = store_writable;
  view.draining = draining;
  view.gateway_paused = now.mono < paused_until;
  if (view.gateway_paused) view.gateway_pause_reason = pause_reason;
  return view;
}

}  // namespace weir
