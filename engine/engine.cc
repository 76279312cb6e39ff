// SPDX-License-Identifier: Apache-2.0
#include "weir/engine.h"

#include <algorithm>
#include <utility>

#include "engine/state.h"

namespace weir {

Engine::State::State(Now now, EngineOptions engine_options)
    : options(std::move(engine_options)),
      calendar(options.classes.size()),
      leases(now, options.max_leases, options.lease_time),
      quotas(now.mono, options),
      limiter(now.mono, options, options.ceiling.rate_per_s),
      started(now),
      ceiling(now.mono, options.ceiling, options.ceiling.rate_per_s),
      last_step(now.mono),
      rng(options.seed) {
  class_stops.resize(options.classes.size());
  make_guards();
  for (const BucketOptions& one : options.buckets)
    buckets.emplace_back(now.mono, one);
  // Slots bound what is in flight, so the table never grows while it works.
  size_t slots = 0;
  for (const LaneOptions& lane : options.lanes)
    slots += lane.slots;
  in_flight.reserve(slots);
  const bool shadow = std::any_of(options.lanes.begin(), options.lanes.end(),
                                  [](const LaneOptions& lane) { return lane.shadow; });
  if (shadow) twin = std::make_unique<ShadowTwin>(now.mono, options, options.ceiling.rate_per_s);
}

void Engine::State::on(Now, StoreHealth& event, Effects& effects) {
  if (event.trouble == store_trouble) return;
  store_trouble = event.trouble;
  if (accepts(store_trouble)) {
    effects.push_back(Note{Note::Level::kInfo, "the store works again"});
    return;
  }
  const char* what = commits(store_trouble) ? "; nothing is accepted, what is here still goes out"
                                            : "; nothing is accepted or sent";
  effects.push_back(Note{Note::Level::kError, "the store is in trouble (" +
                                                  std::string(name(store_trouble)) +
                                                  "): " + event.detail + what});
}

void Engine::State::on(Now, DrainRequested&, Effects& effects) {
  if (draining) return;
  draining = true;
  effects.push_back(Note{Note::Level::kInfo, "stopping: " + std::to_string(in_flight.size()) +
                                                 " batches are in flight"});
}

void Engine::State::on(Now, Wake&, Effects&) {}

bool Engine::State::at_rest() const {
  return persisting == 0 && in_flight.empty() && records_open == 0 && settlements_open == 0 &&
         ceiling_saves_open == 0;
}

Engine::Engine(Now now, EngineOptions options)
    : state_(std::make_unique<State>(now, std::move(options))) {}

Engine::~Engine() = default;

void Engine::step(Now now, Event event, Effects& effects) {
  state_->watch_bound(now.mono);
  state_->advance_twin(now);
  state_->sweep_guards(now);
  state_->look_at_holds(now);
  std::visit([&](auto& one) { state_->on(now, one, effects); }, event);
  state_->look_at_holds(now);
  state_->dispatch(now, effects);
  state_->watch_pressure(now, effects);
  if (state_->draining) state_->save_levels(now, effects);
}

MonoTime Engine::next_wake() const {
  return state_->wake_at;
}

EngineView Engine::view(Now now) const {
  return state_->view(now);
}

ShadowReport Engine::shadow(Now now) const {
  return state_->shadow(now);
}

const EngineOptions& Engine::options() const {
  return state_->options;
}

bool Engine::drained() const {
  return state_->at_rest() && (state_->levels_saved || !state_->draining);
}

const Templates& Engine::templates() const {
  return state_->templates;
}

}  // namespace weir
