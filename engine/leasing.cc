// SPDX-License-Identifier: Apache-2.0
//
// Leases: units for an application that sends by itself.
//
// A request is looked at, refused at once when it cannot be granted within its patience, and stands
// in the line of its lane or bucket otherwise; dispatch tries the heads in the same step. In a lane
// the line and the batches take strict turns (claim_ready), so neither starves the other. A head
// that waits for the account is a front like any other: it holds the lanes below back, and the
// ceiling may grow for it.
//
// A pause of the gateway holds the lines of the lanes, whose units are the gateway's, and not those
// of the private buckets. While the window of a class is closed, its units are denied until it
// opens. The disk plays no part: a lease is in memory only.
#include <algorithm>

#include "weir/check.h"

#include "engine/admission.h"
#include "engine/share.h"
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
  answer.cost = waiter.wanted.cost;
  return answer;
}

Lease worth_nothing(Lease lease) {
  lease.cost = Units();
  return lease;
}

Refusal wrong(std::string pointer, std::string detail) {
  Refusal refusal;
  refusal.code = RefusalCode::kInvalid;
  refusal.detail = "no units can be asked for like this";
  refusal.fields.push_back({std::move(pointer), std::move(detail)});
  return refusal;
}

Refusal not_allowed(const std::string& class_name) {
  Refusal refusal = wrong("/class", "is not one that this producer may send");
  refusal.code = RefusalCode::kClassNotAllowed;
  refusal.detail = "this producer may not send class " + class_name;
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
  spec.capacity = share_of(options.rate_per_s, options.capacity.as_seconds());
  return spec;
}

}  // namespace

PrivateBucket::PrivateBucket(MonoTime now, const BucketOptions& options)
    : name(options.name), tokens(now, spec_of(options), Units()) {}

LeaseDesk& Engine::State::desk_of(const Lease& wanted) {
  return wanted.lane ? lanes[index(*wanted.lane)].desk : buckets[wanted.bucket].desk;
}

// An ask that came to nothing, or a lease that is given back. (One that a lane in shadow granted
// without tokens is worth nothing, here too.)
void Engine::State::give_back_quota(const Lease& lease) {
  if (lease.charged && lease.cost > Units()) quotas.give_back(lease.producer, lease.cost);
}

// What the source holds when it is full, under the present ceiling.
Units Engine::State::most(const Lease& wanted) const {
  return wanted.lane ? limiter.most(*wanted.lane) : buckets[wanted.bucket].tokens.spec().capacity;
}

// The first instant at which the line and then `wanted` can have been granted: a bound from below,
// exact when nothing else draws. It must fit.
MonoTime Engine::State::earliest(Now now, const Lease& wanted) const {
  if (!wanted.lane) {
    const PrivateBucket& bucket = buckets[wanted.bucket];
    const Units all = std::min(bucket.desk.line.units() + wanted.cost, most(wanted));
    const auto decision = bucket.tokens.peek(now.mono, all);
    return decision.verdict == TokenBucket::Verdict::kWait ? decision.retry_at() : now.mono;
  }
  if (options.lanes[index(*wanted.lane)].shadow) return std::max(now.mono, paused_until);
  const WaitingLine& line = lanes[index(*wanted.lane)].desk.line;
  const Units all = std::min(line.units() + wanted.cost, most(wanted));
  return std::max(limiter.earliest(now.mono, *wanted.lane, all), paused_until);
}

size_t Engine::State::waiting() const {
  size_t all = 0;
  for (const LaneState& state : lanes)
    all += state.desk.line.size();
  for (const PrivateBucket& bucket : buckets)
    all += bucket.desk.line.size();
  return all;
}

// `paid`: false for a lane in shadow whose tokens were not there; then there are none to give back.
void Engine::State::grant(Now now, const Waiter& waiter, bool paid, Effects& effects) {
  desk_of(waiter.wanted).granted += waiter.wanted.cost;
  AnswerLease yes = answer_of(waiter, AnswerLease::Result::kGranted);
  yes.lease = leases.open(now.mono, paid ? waiter.wanted : worth_nothing(waiter.wanted));
  yes.waited = now.mono - waiter.asked;
  if (waiter.shadow) yes.would_wait = Duration();
  effects.push_back(std::move(yes));
}

void Engine::State::deny(Now now, const Waiter& waiter, MonoTime retry_at, Effects& effects) {
  desk_of(waiter.wanted).denied += 1;
  const Duration wait = std::max(retry_at - now.mono, kLeastRetry);
  AnswerLease answer = answer_of(waiter, AnswerLease::Result::kDenied);
  answer.waited = now.mono - waiter.asked;
  if (!waiter.shadow) {
    answer.retry_after = wait;
  } else {
    // It is a lease all the same: who rehearses need not tell the two apart.
    answer.result = AnswerLease::Result::kGranted;
    answer.lease = leases.open(now.mono, worth_nothing(waiter.wanted));
    answer.would_wait = wait;
  }
  effects.push_back(std::move(answer));
}

// Charges the quota of who asks; false: it is over it, and that has been said. A rehearsal costs
// nothing, and the private buckets are apart from all that is shared.
bool Engine::State::charge_quota(Now now, Waiter& waiter, Effects& effects) {
  const Lease& wanted = waiter.wanted;
  if (!wanted.lane || waiter.shadow) return true;
  auto refusal = quotas.charge(now.mono, wanted.producer, wanted.cost, "/cost_units");
  if (refusal) refuse(waiter.request, *std::move(refusal), effects);
  waiter.wanted.charged = !refusal;
  return waiter.wanted.charged;
}

// Into the line, or a no at once: what cannot be granted in time is never parked. Who would not
// wait is in the line for this step only, so the bound is not for it.
void Engine::State::line_up(Now now, Waiter waiter, Effects& effects) {
  if (waiter.wanted.cost > most(waiter.wanted)) {
    effects.push_back(answer_of(waiter, AnswerLease::Result::kNeverFits));
    return;
  }
  quotas.count_offered(waiter.wanted.producer, waiter.wanted.lane ? waiter.wanted.cost : Units());
  if (!charge_quota(now, waiter, effects)) return;
  if (waiter.wanted.lane) {
    LaneState& state = lanes[index(*waiter.wanted.lane)];
    state.offered.add(now.mono, waiter.wanted.cost);
    state.totals.offered += waiter.wanted.cost;
  }
  const auto stopped = stopped_until(now, waiter);
  const bool still = stopped || is_closed(waiter.class_id);
  if (!still) show_twin(now, waiter);
  const MonoTime at = stopped ? *stopped
                      : still ? reopens(now, waiter.class_id)
                              : earliest(now, waiter.wanted);
  if (still || at > waiter.gives_up) {
    give_back_quota(waiter.wanted);
    deny(now, waiter, at, effects);
  } else if (waiter.gives_up > now.mono && waiting() >= options.max_waiters) {
    give_back_quota(waiter.wanted);
    AnswerLease full = answer_of(waiter, AnswerLease::Result::kFull);
    full.retry_after = kFullRetry;
    effects.push_back(std::move(full));
  } else {
    desk_of(waiter.wanted).line.push(std::move(waiter));
  }
}

// Where the units are to come from; false: nowhere, and that has been said.
bool Engine::State::find_source(Waiter& waiter, Effects& effects) {
  if (waiter.bucket.empty()) {
    const ClassId own = class_named(options, waiter.class_name);
    if (own != kNoClass && !may_send(options, waiter.wanted.producer, own)) {
      refuse(waiter.request, not_allowed(waiter.class_name), effects);
      return false;
    }
    if (own != kNoClass) {
      waiter.class_id = own;
      waiter.wanted.lane = options.classes[index(own)].lane;
      return true;
    }
    refuse(waiter.request, wrong("/class", "is not a class of this weir"), effects);
    return false;
  }
  const auto bucket = std::find_if(buckets.begin(), buckets.end(), [&](const PrivateBucket& one) {
    return one.name == waiter.bucket;
  });
  if (bucket != buckets.end()) {
    waiter.wanted.bucket = static_cast<uint32_t>(bucket - buckets.begin());
    return true;
  }
  refuse(waiter.request, wrong("/bucket", "is not a bucket of this weir"), effects);
  return false;
}

void Engine::State::on(Now now, AcquireRequested& event, Effects& effects) {
  WEIR_CHECK(restored && event.class_name.empty() != event.bucket.empty());
  if (draining) return refuse(event.request, stopping(), effects);
  if (event.cost <= Units()) {
    return refuse(event.request, wrong("/cost_units", "must be above 0"), effects);
  }
  const Duration patience =
      event.shadow ? Duration() : std::clamp(event.max_wait, Duration(), options.max_acquire_wait);
  Waiter waiter;
  waiter.request = event.request;
  waiter.class_name = std::move(event.class_name);
  waiter.bucket = std::move(event.bucket);
  waiter.wanted.cost = event.cost;
  waiter.wanted.producer = event.producer;
  waiter.asked = now.mono;
  waiter.gives_up = now.mono + patience;
  waiter.shadow = event.shadow;
  if (find_source(waiter, effects)) line_up(now, std::move(waiter), effects);
}

void Engine::State::on(Now, AcquireAbandoned& event, Effects&) {
  for (LaneState& state : lanes) {
    if (const auto gone = state.desk.line.remove(event.request)) {
      return give_back_quota(gone->wanted);
    }
  }
  for (PrivateBucket& bucket : buckets) {
    if (bucket.desk.line.remove(event.request)) return;
  }
}

void Engine::State::on(Now now, RefundRequested& event, Effects& effects) {
  AnswerLease answer;
  answer.request = event.request;
  answer.lease = event.lease;
  answer.result = AnswerLease::Result::kUnknownLease;
  if (const auto lease = leases.close(now.mono, event.lease, event.producer)) {
    answer.result = AnswerLease::Result::kRefunded;
    answer.cost = lease->cost;
    give_back_quota(*lease);
    if (lease->lane) {
      limiter.refund(*lease->lane, lease->cost);
    } else {
      buckets[lease->bucket].tokens.refund(lease->cost);
    }
  }
  effects.push_back(std::move(answer));
}

bool Engine::State::may_grant(Now now, Lane lane) const {
  return !lanes[index(lane)].desk.line.empty() && !draining && now.mono >= paused_until;
}

// Takes the head out of line; false: it waits for its tokens, and the lane says so.
bool Engine::State::grant_head(Now now, Lane lane, Effects& effects) {
  LaneState& state = lanes[index(lane)];
  const ClassId own = state.desk.line.head()->class_id;
  if (is_closed(own)) {
    const Waiter waiter = state.desk.line.pop_head();
    give_back_quota(waiter.wanted);
    deny(now, waiter, reopens(now, own), effects);
    return true;
  }
  const Units cost = state.desk.line.head()->wanted.cost;
  const bool shadow = options.lanes[index(lane)].shadow;
  const auto decision = ask(now, lane, cost);
  if (!shadow && decision.verdict == TokenBucket::Verdict::kWait) {
    state.wait_for(decision);
    return false;
  }
  Waiter waiter = state.desk.line.pop_head();
  const bool paid = decision.verdict == TokenBucket::Verdict::kGranted;
  if (!shadow && !paid) {
    give_back_quota(waiter.wanted);
    effects.push_back(answer_of(waiter, AnswerLease::Result::kNeverFits));
    return true;
  }
  count_admitted(now.mono, state, cost);
  grant(now, waiter, paid, effects);
  return true;
}

void Engine::State::serve_buckets(Now now, Effects& effects) {
  for (PrivateBucket& bucket : buckets) {
    bucket.token_at = MonoTime();
    while (const Waiter* head = bucket.desk.line.head()) {
      const auto decision = bucket.tokens.acquire(now.mono, head->wanted.cost);
      if (decision.verdict != TokenBucket::Verdict::kGranted) {
        bucket.token_at = decision.retry_at();
        break;
      }
      grant(now, bucket.desk.line.pop_head(), true, effects);
    }
  }
}

// Those who have waited as long as they would; when weir stops, everybody. True: somebody went.
bool Engine::State::dismiss(Now now, Effects& effects) {
  const MonoTime until = draining ? MonoTime::never() : now.mono;
  bool went = false;
  const auto tell = [&](const Waiter& waiter, MonoTime front_at) {
    went = true;
    give_back_quota(waiter.wanted);
    if (draining) return refuse(waiter.request, stopping(), effects);
    deny(now, waiter, std::max(earliest(now, waiter.wanted), front_at), effects);
  };
  for (LaneState& state : lanes) {
    // Asked again it stands at the end of the line, and behind a batch whose turn it is.
    while (const auto waiter = state.desk.line.pop_impatient(until))
      tell(*waiter, state.token_at);
  }
  for (PrivateBucket& bucket : buckets) {
    while (const auto waiter = bucket.desk.line.pop_impatient(until))
      tell(*waiter, MonoTime());
  }
  return went;
}

void Engine::State::plan_lease_wake(Now now) {
  for (const LaneState& state : lanes) {
    if (state.desk.line.empty()) continue;
    wake_at = std::min(wake_at, state.desk.line.next_to_give_up());
    if (now.mono < paused_until) {
      wake_at = std::min(wake_at, paused_until);
    } else if (state.token_at > now.mono) {
      wake_at = std::min(wake_at, state.token_at);
    }
  }
  for (const PrivateBucket& bucket : buckets) {
    if (bucket.desk.line.empty()) continue;
    wake_at = std::min({wake_at, bucket.desk.line.next_to_give_up(), bucket.token_at});
  }
}

}  // namespace weir
