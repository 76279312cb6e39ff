// SPDX-License-Identifier: Apache-2.0
//
// Method. A lane's front is tried in one fixed order: deadline, slot, token, claim. The three looks
// and the takes happen in one turn on one thread, so a token is never held while a slot is waited
// for, nor a slot while a token is. A denied front stays where it is and says when its tokens will
// be there; nothing behind it is tried.
//
// Lanes are served in the order of their rank. What is reserved for a lane is kept by the account's
// floors; but a lower lane whose fronts are small takes each token at its own floor, and the level
// would never rise to what a costlier front of an upper lane needs. So while an upper front waits
// for the account, the lanes below get nothing. One that waits for its own limit holds nobody up.
// A front is a batch or the head of the lane's line of leases (leasing.cc), whichever has the turn.
//
// A lane in shadow takes its tokens when they are there and goes without them when not. So it never
// waits for one, and never holds back a lane below; nor does it take what an upper front waits for.
//
// A step does at most `slice` of this; the rest waits for the next turn, so that a million expired
// rows never delay an OTP.
#include <algorithm>

#include "weir/check.h"

#include "engine/state.h"

namespace weir {
namespace {

// Outcomes that wait for the disk. Above this nothing more is shed or claimed: an outcome that
// cannot be written down is worse than a batch that waits.
constexpr uint64_t kMaxRecordsOpen = 4096;

// The wall clock may be stepped, so what hangs on it is looked at this often at the least.
constexpr Duration kLongestNap = Duration::seconds(1);

}  // namespace

bool Engine::State::may_claim(Now now) const {
  return restored && commits(store_trouble) && quarantine.empty() && !draining &&
         now.mono >= paused_until && records_open < kMaxRecordsOpen;
}

void Engine::State::count_admitted(MonoTime now, LaneState& state, Units cost) {
  state.admitted.add(now, cost);
  state.totals.admitted += cost;
  sent_second.add(now, cost);
}

void Engine::State::take(Now now, Lane lane, const Head& head, bool paid) {
  LaneState& state = lanes[index(lane)];
  state.slots_used += 1;
  state.in_flight_units += head.cost;
  state.out_of_line[index(head.producer)] += head.cost;
  count_admitted(now.mono, state, head.cost);
  const bool fresh = in_flight.emplace(raw(head.id), InFlight{head, lane, paid}).second;
  WEIR_CHECK(fresh);
}

// What went without tokens has none to give back.
void Engine::State::refund(const InFlight& batch) {
  if (batch.paid) limiter.refund(batch.lane, batch.head.cost);
}

InFlight Engine::State::release(BatchId batch) {
  const auto it = in_flight.find(raw(batch));
  WEIR_CHECK(it != in_flight.end());
  const InFlight released = it->second;
  in_flight.erase(it);
  LaneState& state = lanes[index(released.lane)];
  state.slots_used -= 1;
  state.in_flight_units -= released.head.cost;
  state.out_of_line[index(released.head.producer)] -= released.head.cost;
  return released;
}

uint32_t Engine::State::shed_expired(Now now, Lane lane, uint32_t most, Effects& effects) {
  LaneState& state = lanes[index(lane)];
  uint32_t done = 0;
  while (done < most && commits(store_trouble) && records_open < kMaxRecordsOpen) {
    const auto expired = state.queue.pop_expired(now.wall);
    if (!expired) break;
    done += 1;
    if (taken_back(now, expired->id, effects)) continue;
    Record record;
    record.batch = expired->id;
    record.from = BatchState::kPending;
    record.to = BatchState::kShed;
    record.at = now.wall;
    record.reason = name(why_late(*expired));
    conclude({*expired, lane}, std::move(record), effects);
  }
  return done;
}

bool Engine::State::batch_ready(Now now, Lane lane) const {
  const LaneState& state = lanes[index(lane)];
  const Head* front = state.queue.front();
  return front != nullptr && front->deadline > now.wall && state.stop.mode != StopMode::kPaused &&
         state.slots_used < options.lanes[index(lane)].slots && may_claim(now);
}

// Nothing below an upper front that waits for the account gets tokens; a lane in shadow is asked
// all the same, and goes without.
Limiter::Decision Engine::State::ask(Now now, Lane lane, Units cost) {
  return bound ? Limiter::Decision() : limiter.acquire(now.mono, lane, cost);
}

// Takes the front out of line; false: it waits for its tokens, and the lane says so.
bool Engine::State::claim_front(Now now, Lane lane, Effects& effects) {
  LaneState& state = lanes[index(lane)];
  Head head = *state.queue.front();
  const bool shadow = options.lanes[index(lane)].shadow;
  const auto decision = ask(now, lane, head.cost);
  if (!shadow && decision.verdict == TokenBucket::Verdict::kWait) {
    state.wait_for(decision);
    return false;
  }
  state.queue.pop_front();
  const bool paid = decision.verdict == TokenBucket::Verdict::kGranted;
  if (!shadow && !paid) {
    Record record;
    record.batch = head.id;
    record.from = BatchState::kPending;
    record.to = BatchState::kShed;
    record.at = now.wall;
    record.reason = name(ShedReason::kExceedsBucket);
    conclude({head, lane}, std::move(record), effects);
    effects.push_back(
        Note{Note::Level::kError, "shed a batch that lane " + std::string(name(lane)) +
                                      " can never hold under the present ceiling.capacity"});
    return true;
  }
  head.attempt += 1;
  take(now, lane, head, paid);
  effects.push_back(Claim{head.id, head.attempt, now.wall});
  return true;
}

// Batches and the line of leases take turns where both want tokens. Whose turn it is waits for its
// tokens, and the other waits with it: what is dear is not passed by what is cheap.
uint32_t Engine::State::claim_ready(Now now, Lane lane, uint32_t most, Effects& effects) {
  LaneState& state = lanes[index(lane)];
  uint32_t done = 0;
  while (done < most) {
    done += drop_taken_back(now, lane, most - done, effects);
    if (done == most) break;
    const bool batch = batch_ready(now, lane);
    const bool lease = may_grant(now, lane);
    if (!batch && !lease) break;
    const bool lease_goes = lease && (!batch || state.lines_turn);
    if (!(lease_goes ? grant_head(now, lane, effects) : claim_front(now, lane, effects))) break;
    state.lines_turn = !lease_goes;
    done += 1;
  }
  return done;
}

// A campaign that was scheduled for this instant is due as a whole.
uint32_t Engine::State::promote_due(Now now, Lane lane) {
  uint32_t done = 0;
  while (done < options.slice) {
    const auto due = lanes[index(lane)].queue.promote_one(now.wall);
    if (!due) break;
    show_twin(now, lane, *due);
    done += 1;
  }
  return done;
}

void Engine::State::dispatch(Now now, Effects& effects) {
  if (!restored) return;
  if (now.mono >= paused_until) forfeit_pause(now.mono);
  tick_ceiling(now, effects);
  bool slice_spent = false;
  bound = false;
  MonoTime held_until;  // by an upper lane that waits for the account
  for (Lane lane : kAllLanes) {
    LaneState& state = lanes[index(lane)];
    state.token_at = held_until;
    state.account_bound = false;
    slice_spent |= promote_due(now, lane) == options.slice;
    uint32_t left = options.slice;
    // What waits in a copy may have been sent, so it is not said to be shed either.
    if (!draining && quarantine.empty()) left -= shed_expired(now, lane, left, effects);
    const bool held = bound && !options.lanes[index(lane)].shadow;
    if (!held) left -= claim_ready(now, lane, left, effects);
    slice_spent |= left == 0;
    if (!state.account_bound) continue;
    bound = true;
    held_until = state.token_at;
  }
  serve_buckets(now, effects);
  if (twin) slice_spent |= twin->advance(now, options.slice) == options.slice;
  // Who was dismissed may have stood in front of others.
  const bool dismissed = dismiss(now, effects);
  const bool again = sweep_lanes(now, effects) || dismissed || slice_spent;
  plan_wake(now, again);
}

void Engine::State::plan_wake(Now now, bool again) {
  wake_at = again ? now.mono : MonoTime::never();
  plan_lease_wake(now);
  // Without a front that waits there is nothing to grow for, and nothing to come back for.
  if (bound) wake_at = std::min(wake_at, ceiling.next_tick());
  if (draining || !commits(store_trouble) || !quarantine.empty()) return;
  if (twin) wake_at = std::min(wake_at, std::max(now.mono, twin->next_change()));
  for (Lane lane : kAllLanes) {
    const LaneState& state = lanes[index(lane)];
    const auto opening = next_opening(now, lane);
    const auto change = state.queue.next_change();
    for (const auto& wall : {change, opening}) {
      if (!wall) continue;
      const Duration wait = std::clamp(*wall - now.wall, Duration(), kLongestNap);
      // Late already, and still here: the records in flight are at their bound, and the next
      // Recorded brings us back.
      if (wait > Duration()) wake_at = std::min(wake_at, now.mono + wait);
    }
    if (state.queue.front() == nullptr) continue;
    if (now.mono < paused_until) {
      wake_at = std::min(wake_at, paused_until);
    } else if (state.token_at > now.mono) {
      wake_at = std::min(wake_at, state.token_at);
    }
  }
}

// The claim is on disk and the payload is here: last looks, then the call.
void Engine::State::launch(Now now, std::unique_ptr<Payload> payload, Effects& effects) {
  const auto it = in_flight.find(raw(payload->batch));
  WEIR_CHECK(it != in_flight.end());
  const bool late = it->second.head.deadline <= now.wall;
  const bool paused = now.mono < paused_until;
  const bool closed = is_closed(it->second.head.class_id);
  if (!late && !paused && !closed) {
    effects.push_back(Send{std::move(payload)});
    return;
  }
  const InFlight batch = release(payload->batch);
  refund(batch);
  Record record;
  record.batch = batch.head.id;
  record.at = now.wall;
  if (late) {
    record.to = BatchState::kShed;
    record.reason = name(why_late(batch.head));
    return conclude(batch, std::move(record), effects);
  }
  record.reason = closed ? "window_closed" : "gateway_paused";
  try_again(now, batch, now.wall, std::move(record), effects);
}

void Engine::State::on(Now now, Claimed& event, Effects& effects) {
  if (event.payload != nullptr) return launch(now, std::move(event.payload), effects);
  InFlight batch = release(event.batch);
  refund(batch);
  if (event.gone && event.cancelled) return;
  if (event.gone) {
    effects.push_back(Note{Note::Level::kError,
                           "batch b" + std::to_string(raw(event.batch)) +
                               " was not pending on disk any more; it is left as it is there"});
    return;
  }
  batch.head.attempt -= 1;  // no call was made, and the row says so too
  lanes[index(batch.lane)].queue.push(now.wall, batch.head, now.wall);
}

}  // namespace weir
