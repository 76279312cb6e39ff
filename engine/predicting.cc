// SPDX-License-Identifier: Apache-2.0
//
// When a message that comes now would go: told to its producer, and compared with its deadline at
// the door. What the lane holds at the rate that it gets just now; a gateway that recovers, or one
// that fails, makes it wrong.
#include <algorithm>

#include "engine/admission.h"
#include "engine/prediction.h"
#include "engine/state.h"

namespace weir {

double Engine::State::expected_rate(Now now, Lane lane) const {
  std::array<double, kLanes> taken{};
  for (Lane one : kAllLanes)
    taken[index(one)] = lanes[index(one)].admitted.per_second(now.mono);
  return lane_rate_per_s(options, limiter.ceiling_per_s().as_double(), lane, taken);
}

Duration Engine::State::predicted_wait(Now now, Lane lane, Units cost) const {
  const LaneState& state = lanes[index(lane)];
  const Duration pause = now.mono < paused_until ? paused_until - now.mono : Duration();
  if (options.lanes[index(lane)].shadow) return pause;  // no token is waited for
  // What is held is not ahead of what may go.
  const Units missing = state.queue.units() - held_units(lane) + state.persisting_units +
                        state.desk.line.units() + cost - limiter.headroom(now.mono, lane);
  const Duration flow = time_to_flow(missing, expected_rate(now, lane));
  return throttled_at ? pause + flow : std::max(pause, flow);  // nothing flows in meanwhile
}

// As if all that the lane holds were in front. At an opening its bucket is full, and what has
// waited for it goes first.
WallTime Engine::State::behind_all(Now now, const Message& message, Units cost) const {
  const ClassId own = class_named(options, message.class_name);
  const WallTime asked = std::max(now.wall, message.not_before);
  const WallTime chance = first_chance(own, asked);
  WallTime at = std::max(now.wall + predicted_wait(now, message.lane, cost), message.not_before);
  if (chance > asked) {
    const Units ahead = lanes[index(message.lane)].queue.units_of(own) + cost;
    const Duration flow =
        time_to_flow(ahead - limiter.most(message.lane), expected_rate(now, message.lane));
    at = std::max(at, chance + flow);
  }
  return first_chance(own, at);
}

// Behind what goes before it, by the lane's order.
WallTime Engine::State::in_turn(Now now, const Message& message, Units cost) const {
  const ClassId own = class_named(options, message.class_name);
  const WallTime asked = std::max(now.wall, message.not_before);
  DeadlineProfile::Question question;
  question.priority = message.priority;
  question.deadline = message.deadline;
  question.cost = cost;
  question.rate_per_s = expected_rate(now, message.lane);
  if (const WallTime chance = first_chance(own, asked); chance > asked) {
    question.from = chance;
    question.at_once = limiter.most(message.lane);
    question.counted.set(index(own));
  } else {
    question.from = now.wall + (now.mono < paused_until ? paused_until - now.mono : Duration());
    question.at_once = limiter.headroom(now.mono, message.lane);
    question.counted = ~standing;
  }
  const WallTime turn = lanes[index(message.lane)].queue.profile().turn_of(question);
  return first_chance(own, std::max(turn, message.not_before));
}

WallTime Engine::State::predicted_send(Now now, const Message& message, Units cost) const {
  const WallTime at = behind_all(now, message, cost);
  // The order of the lane is looked at only where it matters, for it takes longer.
  return at <= message.deadline ? at : std::min(at, in_turn(now, message, cost));
}

}  // namespace weir
