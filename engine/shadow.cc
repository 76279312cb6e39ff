// SPDX-License-Identifier: Apache-2.0
//
// What the limits of lanes in shadow would do: which batches the twin is shown, and what is told of
// it.
#include <algorithm>

#include "engine/admission.h"
#include "engine/state.h"

namespace weir {

void Engine::State::advance_twin(Now now) {
  if (twin) twin->advance(now, options.slice);
}

// A message that is on disk, whether it waits in line or goes at once. The door of the twin is
// asked here and not where the message came in, so that one whose commit fails is not counted.
void Engine::State::show_twin(Now now, const Draft& draft) {
  const Message& message = draft.message;
  if (!twin) return;
  const ClassId class_id = class_named(options, message.class_name);
  const WallTime chance = first_chance(class_id, std::max(message.created, message.not_before));
  if (chance > now.wall) return;  // its batches come when they are due
  const Policy policy = options.classes[index(class_id)].policy;
  if (!twin->admits(now, message, draft.batches.size(), policy)) return;
  for (const BatchCut& cut : draft.batches)
    twin->enter(now.mono, message.lane, cut.cost, message.deadline, message.priority);
}

// Once a batch: one that is tried again was in line already. Retries that there are because a lane
// in shadow went past the ceiling would count against its limits.
void Engine::State::show_twin(Now now, Lane lane, const Head& head) {
  if (twin && head.attempt == 0)
    twin->enter(now.mono, lane, head.cost, head.deadline, head.priority);
}

// A lease is taken like a batch that has until its patience ends. (A millisecond more: at its
// deadline itself a batch is late, and a lease is not.)
void Engine::State::show_twin(Now now, const Waiter& waiter) {
  if (!twin || !waiter.wanted.lane || waiter.shadow) return;
  const WallTime until = now.wall + (waiter.gives_up - now.mono) + Duration::millis(1);
  twin->enter(now.mono, *waiter.wanted.lane, waiter.wanted.cost, until, kDefaultPriority);
}

void Engine::State::note_shadow(Effects& effects) const {
  for (Lane lane : kAllLanes) {
    if (!options.lanes[index(lane)].shadow) continue;
    effects.push_back(
        Note{Note::Level::kWarning, "lane " + std::string(name(lane)) +
                                        " is in shadow: its limits are counted and hold nothing "
                                        "back; weir shadow report says what they would do"});
  }
}

void Engine::State::count_shadow(Lane lane, LaneTotals& totals) const {
  const ShadowView& counts = twin->counts(lane);
  totals.shadow_waited = counts.waited;
  totals.shadow_shed = counts.shed;
  totals.shadow_refused = counts.refused;
}

ShadowReport Engine::State::shadow(Now now) const {
  ShadowReport report;
  report.since = started.wall;
  report.recorded = now.mono - started.mono;
  report.rate_per_s = limiter.ceiling_per_s();
  report.capacity = options.ceiling.capacity;
  report.dearest_recipient = options.weight * options.max_segments;
  report.account = load.view();
  for (Lane lane : kAllLanes) {
    const LaneOptions& own = options.lanes[index(lane)];
    ShadowReport::PerLane& out = report.lanes[index(lane)];
    out.shadow = own.shadow;
    out.reserve = own.reserve;
    out.limit = own.limit;
    out.load = lanes[index(lane)].load.view();
    if (own.shadow) out.would = twin->view(lane);
  }
  return report;
}

}  // namespace weir
