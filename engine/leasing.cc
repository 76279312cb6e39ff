// SPDX-License-Identifier: Apache-2.0
//
// Leases: units for an application that sends by itself.
//
// A request is looked at, refused at once when it cannot be granted within its patience, and stands
// in the line of its lane or bucket otherwise; dispatch tries the heads in the same step. In a lane
// the line and the batches take strict turns (claim_ready), so neither starves the other.
//
// A pause of the gateway holds the lines of the lanes, whose units are the gateway's, and not those
// of the private buckets. The disk plays no part: a lease is in memory only.
#include <algorithm>

#include "weir/check.h"

#include "engine/admission.h"
#include "engine/state.h"

namespace weir {
namespace {

// Zero would read as "at once".
constexpr Duration kLeastRetry = Duration::millis(1);

// For a line that is full: somebody goes or gives up, and nobody knows when.
constexpr Duration kFullRetry = Duration::seconds(1);

AnswerLease answer_of(const Waiter& waiter, AnswerLease::Result result) {
  AnswerLease answer;
  answer.request = waiter.request;
  answer.result = result;
  answer.class_name = waiter.class_name;
  answer.bucket = waiter.bucket;
  answer.cost = waiter.cost;
  return answer;
}

Refusal wrong(std::string pointer, std::string detail) {
  Refusal refusal;
  refusal.code = RefusalCode::kInvalid;
  refusal.detail = "no units can be asked for like this";
  refusal.fields.push_back({std::move(pointer), std::move(detail)});
  return refusal;
}

Refusal stopping() {
  Refusal refusal;
  refusal.code = RefusalCode::kDraining;
  refusal.detail = "weir is stopping";
  refusal.retry_after = Duration::seconds(1);
  return refusal;
}

BucketSpec spec_of(const BucketOptions& options) {
  BucketSpec spec;
  spec.rate_per_s = options.rate_per_s;
  const double capacity =
      static_cast<double>(options.rate_per_s.micro()) * options.capacity.as_seconds();
  spec.capacity = Units::from_micro(static_cast<int64_t>(capacity));
  return spec;
}

}  // namespace

PrivateBucket::PrivateBucket(MonoTime now, const BucketOptions& options)
    : name(options.name), tokens(now, spec_of(options), Units()) {}

// The first instant at which the line and then `cost` can have been granted: a bound from below,
// exact when nothing else draws.
MonoTime Engine::State::earliest(Now now, Lane lane, Units cost) const {
  const Units all = std::min(lanes[index(lane)].line.units() + cost, limiter.most(lane));
  return std::max(limiter.earliest(now.mono, lane, all), std::max(paused_until, now.mono));
}

MonoTime Engine::State::earliest(Now now, const PrivateBucket& bucket, Units cost) {
  const Units all = std::min(bucket.line.units() + cost, bucket.tokens.spec().capacity);
  const auto decision = bucket.tokens.peek(now.mono, all);
  return decision.verdict == TokenBucket::Verdict::kWait ? decision.retry_at() : now.mono;
}

void Engine::State::deny(Now now, const Waiter& waiter, MonoTime retry_at, Effects& effects) {
  AnswerLease no = answer_of(waiter, AnswerLease::Result::kDenied);
  no.waited = now.mono - waiter.asked;
  no.retry_after = std::max(retry_at - now.mono, kLeastRetry);
  effects.push_back(std::move(no));
}

void Engine::State::grant(Now now, const Waiter& waiter, const Lease& lease, Effects& effects) {
  AnswerLease yes = answer_of(waiter, AnswerLease::Result::kGranted);
  yes.lease = leases.open(now.mono, lease);
  yes.waited = now.mono - waiter.asked;
  effects.push_back(std::move(yes));
}

// Into the line, or a no at once: what cannot be granted in time is never parked.
void Engine::State::line_up(Now now, Waiter waiter, const Place& place, Effects& effects) {
  if (waiter.cost > place.most) {
    effects.push_back(answer_of(waiter, AnswerLease::Result::kNeverFits));
  } else if (place.earliest > waiter.gives_up) {
    deny(now, waiter, place.earliest, effects);
  } else if (waiting >= options.max_waiters) {
    AnswerLease full = answer_of(waiter, AnswerLease::Result::kFull);
    full.retry_after = kFullRetry;
    effects.push_back(std::move(full));
  } else {
    waiting += 1;
    place.line->push(std::move(waiter));
  }
}

void Engine::State::on(Now now, AcquireRequested& event, Effects& effects) {
  WEIR_CHECK(restored && event.class_name.empty() != event.bucket.empty());
  if (draining) return refuse(event.request, stopping(), effects);
  if (event.cost <= Units()) {
    return refuse(event.request, wrong("/cost_units", "must be above 0"), effects);
  }
  const Duration patience = std::clamp(event.max_wait, Duration(), options.max_acquire_wait);
  Waiter waiter{event.request, std::move(event.class_name), std::move(event.bucket), event.cost,
                now.mono,      now.mono + patience};
  if (!waiter.bucket.empty()) {
    const auto bucket = std::find_if(buckets.begin(), buckets.end(), [&](const PrivateBucket& one) {
      return one.name == waiter.bucket;
    });
    if (bucket == buckets.end()) {
      return refuse(event.request, wrong("/bucket", "is not a bucket of this weir"), effects);
    }
    const Units most = bucket->tokens.spec().capacity;
    const MonoTime at = event.cost > most ? now.mono : earliest(now, *bucket, event.cost);
    return line_up(now, std::move(waiter), {&bucket->line, most, at}, effects);
  }
  const ClassId own = class_named(options, waiter.class_name);
  if (own == kNoClass) {
    return refuse(event.request, wrong("/class", "is not a class of this weir"), effects);
  }
  const Lane lane = options.classes[index(own)].lane;
  const Units most = limiter.most(lane);
  const MonoTime at = event.cost > most ? now.mono : earliest(now, lane, event.cost);
  line_up(now, std::move(waiter), {&lanes[index(lane)].line, most, at}, effects);
}

void Engine::State::on(Now now, RefundRequested& event, Effects& effects) {
  AnswerLease answer;
  answer.request = event.request;
  answer.lease = event.lease;
  answer.result = AnswerLease::Result::kUnknownLease;
  if (const auto lease = leases.close(now.mono, event.lease)) {
    answer.result = AnswerLease::Result::kRefunded;
    answer.cost = lease->cost;
    if (lease->lane) {
      limiter.refund(*lease->lane, lease->cost);
    } else {
      std::next(buckets.begin(), lease->bucket)->tokens.refund(lease->cost);
    }
  }
  effects.push_back(std::move(answer));
}

bool Engine::State::may_grant(Now now, Lane lane) const {
  return !lanes[index(lane)].line.empty() && !draining && now.mono >= paused_until;
}

bool Engine::State::grant_head(Now now, Lane lane, Effects& effects) {
  LaneState& state = lanes[index(lane)];
  const Units cost = state.line.head()->cost;
  const auto decision = limiter.acquire(now.mono, lane, cost);
  if (decision.verdict == TokenBucket::Verdict::kWait) {
    state.wait_for(decision);
    return false;
  }
  waiting -= 1;
  const Waiter waiter = state.line.pop_head();
  if (decision.verdict != TokenBucket::Verdict::kGranted) {
    effects.push_back(answer_of(waiter, AnswerLease::Result::kNeverFits));
    return true;
  }
  state.offered.add(now.mono, cost);
  state.totals.offered += cost;
  state.admitted.add(now.mono, cost);
  state.totals.admitted += cost;
  sent_second.add(now.mono, cost);
  sent_ten_seconds.add(now.mono, cost);
  grant(now, waiter, {lane, 0, cost}, effects);
  return true;
}

void Engine::State::serve_buckets(Now now, Effects& effects) {
  uint32_t place = 0;
  for (PrivateBucket& bucket : buckets) {
    bucket.token_at = MonoTime();
    while (const Waiter* head = bucket.line.head()) {
      const auto decision = bucket.tokens.acquire(now.mono, head->cost);
      if (decision.verdict != TokenBucket::Verdict::kGranted) {
        bucket.token_at = decision.retry_at();
        break;
      }
      waiting -= 1;
      const Waiter waiter = bucket.line.pop_head();
      grant(now, waiter, {std::nullopt, place, waiter.cost}, effects);
    }
    place += 1;
  }
}

// Those who have waited as long as they would; when weir stops, everybody.
void Engine::State::dismiss(Now now, Effects& effects) {
  const MonoTime until = draining ? MonoTime::never() : now.mono;
  const auto tell = [&](const Waiter& waiter, MonoTime retry_at) {
    waiting -= 1;
    if (draining) return refuse(waiter.request, stopping(), effects);
    deny(now, waiter, retry_at, effects);
  };
  for (Lane lane : kAllLanes) {
    LaneState& state = lanes[index(lane)];
    // Asked again it stands at the end of the line, and behind a batch whose turn it is.
    while (const auto waiter = state.line.pop_impatient(until))
      tell(*waiter, std::max(earliest(now, lane, waiter->cost), state.token_at));
  }
  for (PrivateBucket& bucket : buckets) {
    while (const auto waiter = bucket.line.pop_impatient(until))
      tell(*waiter, earliest(now, bucket, waiter->cost));
  }
}

void Engine::State::plan_lease_wake(Now now) {
  for (const LaneState& state : lanes) {
    if (state.line.empty()) continue;
    wake_at = std::min(wake_at, state.line.next_to_give_up());
    if (now.mono < paused_until) {
      wake_at = std::min(wake_at, paused_until);
    } else if (state.token_at > now.mono) {
      wake_at = std::min(wake_at, state.token_at);
    }
  }
  for (const PrivateBucket& bucket : buckets) {
    if (bucket.line.empty()) continue;
    wake_at = std::min({wake_at, bucket.line.next_to_give_up(), bucket.token_at});
  }
}

}  // namespace weir
