// SPDX-License-Identifier: Apache-2.0
//
// When producers are told to go slower (weir/pressure.h has the rule against flapping).
#include <algorithm>

#include "engine/prediction.h"
#include "engine/state.h"

namespace weir {

double Engine::State::filled(Lane lane) const {
  const Depth depth = lanes[index(lane)].depth();
  const LaneOptions& bounds = options.lanes[index(lane)];
  return std::max(static_cast<double>(depth.rows) / static_cast<double>(bounds.max_rows),
                  depth.units.as_double() / bounds.max_units.as_double());
}

// With every bound at `margin` of what it is.
Pressure Engine::State::level(Now now, Lane lane, double margin) const {
  // The class of this lane with the shortest time decides: it is the first to be late.
  Duration shortest = options.max_deadline;
  for (const ClassOptions& one : options.classes) {
    if (one.lane == lane) shortest = std::min(shortest, one.within);
  }
  const double bound_s = shortest.as_seconds() * margin;
  if (predicted_wait(now, lane, options.weight).as_seconds() > bound_s) return Pressure::kShed;
  const double depth = filled(lane);
  if (depth >= options.lanes[index(lane)].pause_at * margin) return Pressure::kPause;
  if (depth >= options.lanes[index(lane)].slow_at * margin) return Pressure::kSlow;
  return Pressure::kClear;
}

void Engine::State::settle_pressure(Now now, Lane lane, Effects& effects) {
  Pressure& held = lanes[index(lane)].pressure;
  const Pressure risen = level(now, lane, 1.0);
  const Pressure next = risen >= held ? risen : std::min(held, level(now, lane, kPressureMargin));
  if (next == held) return;
  effects.push_back(PressureChanged{lane, held, next});
  effects.push_back(Note{next >= Pressure::kPause ? Note::Level::kWarning : Note::Level::kInfo,
                         "pressure of lane " + std::string(name(lane)) + " is " +
                             std::string(name(next)) + ", was " + std::string(name(held))});
  held = next;
}

void Engine::State::watch_pressure(Now now, Effects& effects) {
  if (now.mono >= pressure_at) {
    for (Lane lane : kAllLanes)
      settle_pressure(now, lane, effects);
    pressure_at = now.mono + kPressureLook;
  }
  // Without pressure it is the next message that brings it.
  const bool any = std::any_of(lanes.begin(), lanes.end(), [](const LaneState& lane) {
    return lane.pressure != Pressure::kClear;
  });
  if (any) wake_at = std::min(wake_at, pressure_at);
}

// Who waits this long after each message sends no faster than the lane drains. From `pause` on it
// is how long the lane needs to leave that level.
Duration Engine::State::suggested_delay(Now now, Lane lane, Units cost) const {
  const LaneState& state = lanes[index(lane)];
  if (state.pressure == Pressure::kClear) return {};
  const double rate = expected_rate(now, lane);
  const Duration own = time_to_flow(cost, rate);
  if (state.pressure == Pressure::kSlow) return own;
  const double low = options.lanes[index(lane)].pause_at * kPressureMargin;
  const double depth = filled(lane);
  if (depth <= low) return own;
  const Duration all = time_to_flow(state.queue.units() + state.persisting_units, rate);
  const double part = (depth - low) / depth;
  return std::max(own, Duration::nanos(static_cast<int64_t>(static_cast<double>(all.ns()) * part)));
}

}  // namespace weir
