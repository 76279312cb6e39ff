// SPDX-License-Identifier: Apache-2.0
//
// The ceiling moves: what the controller is fed, and what a change of its mind sets going.
//
// Growth needs proof that tokens were what was waited for. So the time is added up in which a front
// stood denied by the account's bucket; a front that waits for a slot, for its lane's own limit,
// for the disk or for a paused gateway proves nothing.
#include <algorithm>

#include "weir/check.h"

#include "engine/number_text.h"
#include "engine/state.h"

namespace weir {
namespace {

constexpr Duration kRateIsFresh = Duration::seconds(86'400);

std::string rate_text(Units rate) {
  return number_text(rate.as_double());
}

}  // namespace

// A run goes on with the rate that the last one had found, and with what was left in the buckets.
// A rate that was in use more than a day ago is half as good: accounts change, and growing back
// costs minutes.
void Engine::State::resume_ceiling(Now now, const Restored& found, Effects& effects) {
  const bool aimd = options.ceiling.control == Control::kAimd;
  if (aimd && found.last_rate) {
    const WallTime used = std::max(found.last_rate->at, found.last_outcome.value_or(WallTime()));
    const bool old = now.wall - used > kRateIsFresh;
    const Units last = found.last_rate->to_per_s;
    const Units rate = old ? Units::from_micro(last.micro() / 2) : last;
    ceiling = CeilingControl(now.mono, options.ceiling, rate, found.last_rate->epoch);
    set_rate(now.mono);
  }
  // Levels that are ahead of this clock are of another one.
  if (found.levels && found.levels->at <= now.mono) {
    limiter.resume(*found.levels);
    if (twin) twin->resume(*found.levels);
  }

  RateChange start{now.wall, Units(), ceiling.rate_per_s(), RateCause::kStart, ceiling.epoch(), {}};
  if (found.last_rate) start.from_per_s = found.last_rate->to_per_s;
  if (start.from_per_s == start.to_per_s) return;
  save(start, effects);
  if (found.last_rate) {
    effects.push_back(
        Note{Note::Level::kInfo, "the ceiling starts at " + rate_text(start.to_per_s) +
                                     " units/s; the last run had " + rate_text(start.from_per_s)});
  }
}

// Nothing flows in while the gateway asks for a wait: it has shown that there is nothing there, and
// what was saved up meanwhile would leave as a burst that it throttles again.
void Engine::State::forfeit_pause(MonoTime now) {
  if (!throttled_at) return;
  limiter.lower_to(now, *throttled_at);
  throttled_at.reset();
}

// The buckets are written down when nothing can change them any more: a refund of what was under
// way would be forgotten, and a grant would be given again.
void Engine::State::save_levels(Now now, Effects& effects) {
  if (levels_saved || !at_rest()) return;
  levels_saved = true;
  forfeit_pause(now.mono);
  ceiling_saves_open += 1;
  effects.push_back(SaveLevels{limiter.levels(now.mono)});
}

// The larger of two windows: one second sees a ramp, ten seconds see through batches that come one
// at a time.
Units Engine::State::measured_per_s(Now now) const {
  Units ten_seconds;
  for (const LaneState& lane : lanes)
    ten_seconds += lane.admitted.units(now.mono);
  return std::max(sent_second.units(now.mono), Units::from_micro(ten_seconds.micro() / 10));
}

void Engine::State::watch_bound(MonoTime now) {
  if (bound) bound_time = bound_time + (now - last_step);
  last_step = now;
}

void Engine::State::tick_ceiling(Now now, Effects& effects) {
  if (now.mono < ceiling.next_tick()) return;
  const Duration waited = bound_time;
  bound_time = Duration();
  if (const auto change = ceiling.tick(now, waited, measured_per_s(now))) {
    move_ceiling(now, *change, effects);
  }
}

void Engine::State::hear(Now now, const GatewayReply& reply, Outcome outcome, Effects& effects) {
  if (reply.http_status != 0) ceiling.answered(now.mono - reply.sent_at);
  if (outcome != Outcome::kThrottled) return;
  if (const auto change = ceiling.throttled(now, reply.sent_at, measured_per_s(now))) {
    move_ceiling(now, *change, effects);
  }
}

// What the controller has decided, to those who keep it.
void Engine::State::set_rate(MonoTime now) {
  limiter.set_rate(now, ceiling.rate_per_s());
  if (twin) twin->set_rate(now, ceiling.rate_per_s());
}

void Engine::State::move_ceiling(Now now, const RateChange& change, Effects& effects) {
  set_rate(now.mono);
  save(change, effects);
  if (change.cause == RateCause::kThrottle) {
    effects.push_back(
        Note{Note::Level::kInfo, "the ceiling goes from " + rate_text(change.from_per_s) + " to " +
                                     rate_text(change.to_per_s) + " units/s: throttled at " +
                                     rate_text(change.measured_per_s) + " units/s (epoch " +
                                     std::to_string(change.epoch) + ")"});
  }
}

void Engine::State::save(const RateChange& change, Effects& effects) {
  ceiling_saves_open += 1;
  effects.push_back(SaveRate{change});
}

void Engine::State::on(Now, CeilingSaved&, Effects&) {
  WEIR_CHECK(ceiling_saves_open > 0);
  ceiling_saves_open -= 1;
}

}  // namespace weir
