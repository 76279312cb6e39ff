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
// for the account, the lanes below do not claim. One that waits for its own limit holds nobody up.
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
  return restored && store_writable && !draining && now.mono >= paused_until &&
         records_open < kMaxRecordsOpen;
}

void Engine::State::take(Now now, Lane lane, const Head& head) {
  LaneState& state = lanes[index(lane)];
  state.slots_used += 1;
  state.in_flight_units += head.cost;
  state.admitted.add(now.mono, head.cost);
  sent_second.add(now.mono, head.cost);
  sent_ten_seconds.add(now.mono, head.cost);
  state.totals.admitted += head.cost;
  const bool fresh = in_flight.emplace(raw(head.id), InFlight{head, lane}).second;
  WEIR_CHECK(fresh);
}

InFlight Engine::State::release(BatchId batch) {
  const auto it = in_flight.find(raw(batch));
  WEIR_CHECK(it != in_flight.end());
  const InFlight released = it->second;
  in_flight.erase(it);
  LaneState& state = lanes[index(released.lane)];
  state.slots_used -= 1;
  state.in_flight_units -= released.head.cost;
  return released;
}

uint32_t Engine::State::shed_expired(Now now, Lane lane, uint32_t most, Effects& effects) {
  LaneState& state = lanes[index(lane)];
  uint32_t done = 0;
  while (done < most && store_writable && records_open < kMaxRecordsOpen) {
    const auto expired = state.queue.pop_expired(now.wall);
    if (!expired) break;
    Record record;
    record.batch = expired->id;
    record.from = BatchState::kPending;
    record.to = BatchState::kShed;
    record.at = now.wall;
    record.reason = name(ShedReason::kDeadline);
    conclude({*expired, lane}, std::move(record), effects);
    done += 1;
  }
  return done;
}

uint32_t Engine::State::claim_ready(Now now, Lane lane, uint32_t most, Effects& effects) {
  LaneState& state = lanes[index(lane)];
  uint32_t done = 0;
  while (done < most && may_claim(now)) {
    const Head* front = state.queue.front();
    if (front == nullptr || front->deadline <= now.wall) break;
    if (state.slots_used >= options.lanes[index(lane)].slots) break;
    const auto decision = limiter.acquire(now.mono, lane, front->cost);
    if (decision.verdict == TokenBucket::Verdict::kWait) {
      state.token_at = decision.retry_at();
      state.account_bound = decision.by_account;
      break;
    }
    Head head = *front;
    state.queue.pop_front();
    done += 1;
    if (decision.verdict != TokenBucket::Verdict::kGranted) {
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
      continue;
    }
    head.attempt += 1;
    take(now, lane, head);
    effects.push_back(Claim{head.id, head.attempt, now.wall});
  }
  return done;
}

void Engine::State::dispatch(Now now, Effects& effects) {
  if (!restored) return;
  tick_ceiling(now, effects);
  bool slice_spent = false;
  bound = false;
  for (Lane lane : kAllLanes) {
    LaneState& state = lanes[index(lane)];
    state.token_at = MonoTime();
    state.account_bound = false;
    state.queue.promote(now.wall);
    uint32_t left = options.slice;
    if (!draining) left -= shed_expired(now, lane, left, effects);
    if (!bound) left -= claim_ready(now, lane, left, effects);
    slice_spent |= left == 0;
    bound |= state.account_bound;
  }
  plan_wake(now, slice_spent);
}

void Engine::State::plan_wake(Now now, bool slice_spent) {
  wake_at = slice_spent ? now.mono : MonoTime::never();
  if (draining || !store_writable) return;
  // Without a front that waits there is nothing to grow for, and nothing to come back for.
  if (bound) wake_at = std::min(wake_at, ceiling.next_tick());
  for (Lane lane : kAllLanes) {
    const LaneState& state = lanes[index(lane)];
    if (const auto change = state.queue.next_change()) {
      const Duration wait = std::clamp(*change - now.wall, Duration(), kLongestNap);
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
  if (!late && !paused) {
    effects.push_back(Send{std::move(payload)});
    return;
  }
  const InFlight batch = release(payload->batch);
  limiter.refund(batch.lane, batch.head.cost);
  Record record;
  record.batch = batch.head.id;
  record.at = now.wall;
  if (late) {
    record.to = BatchState::kShed;
    record.reason = name(ShedReason::kDeadline);
    return conclude(batch, std::move(record), effects);
  }
  record.reason = "gateway_paused";
  try_again(now, batch, now.wall, std::move(record), effects);
}

void Engine::State::on(Now now, Claimed& event, Effects& effects) {
  if (event.payload != nullptr) return launch(now, std::move(event.payload), effects);
  InFlight batch = release(event.batch);
  limiter.refund(batch.lane, batch.head.cost);
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
