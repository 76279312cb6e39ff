// SPDX-License-Identifier: Apache-2.0
#include "engine/limiter.h"

#include <algorithm>

#include "engine/share.h"

namespace weir {
namespace {

Units capacity_of(const EngineOptions& options, Units rate_per_s) {
  return share_of(rate_per_s, options.ceiling.capacity.as_seconds());
}

}  // namespace

BucketSpec account_spec(const EngineOptions& options, Units rate_per_s) {
  BucketSpec spec;
  spec.rate_per_s = rate_per_s;
  spec.capacity = capacity_of(options, rate_per_s);
  double reserved = 0;
  for (Lane lane : kAllLanes) {
    spec.floors[index(lane)] = share_of(spec.capacity, reserved);
    reserved += options.lanes[index(lane)].reserve;
  }
  return spec;
}

BucketSpec lane_spec(const EngineOptions& options, Lane lane, Units rate_per_s) {
  const double limit = options.lanes[index(lane)].limit;
  BucketSpec spec;
  spec.rate_per_s = share_of(rate_per_s, limit);
  spec.capacity = share_of(capacity_of(options, rate_per_s), limit);
  return spec;
}

Limiter::Limiter(MonoTime now, const EngineOptions& options, Units rate_per_s) : options_(options) {
  start(rate_per_s, LimiterLevels{now, {}, {}});
}

void Limiter::start(Units rate_per_s, const LimiterLevels& levels) {
  account_ =
      std::make_unique<TokenBucket>(levels.at, account_spec(options_, rate_per_s), levels.account);
  for (Lane lane : kAllLanes) {
    lanes_[index(lane)] = std::make_unique<TokenBucket>(
        levels.at, lane_spec(options_, lane, rate_per_s), levels.lanes[index(lane)]);
  }
}

void Limiter::resume(const LimiterLevels& left) {
  start(ceiling_per_s(), left);
}

LimiterLevels Limiter::levels(MonoTime now) const {
  LimiterLevels levels{now, account_->level(now), {}};
  for (Lane lane : kAllLanes)
    levels.lanes[index(lane)] = lanes_[index(lane)]->level(now);
  return levels;
}

void Limiter::set_rate(MonoTime now, Units rate_per_s) {
  const double ratio = rate_per_s.as_double() / ceiling_per_s().as_double();
  if (ratio < 1) {
    LimiterLevels lower = levels(now);
    lower.account = share_of(lower.account, ratio);
    for (Units& level : lower.lanes)
      level = share_of(level, ratio);
    lower_to(now, lower);
  }
  account_->set_spec(now, account_spec(options_, rate_per_s));
  for (Lane lane : kAllLanes)
    lanes_[index(lane)]->set_spec(now, lane_spec(options_, lane, rate_per_s));
}

void Limiter::lower_to(MonoTime now, const LimiterLevels& most) {
  const auto lower = [now](TokenBucket& bucket, Units to) {
    const Units surplus = bucket.level(now) - to;
    if (surplus > Units()) bucket.acquire(now, surplus);
  };
  lower(*account_, most.account);
  for (Lane lane : kAllLanes)
    lower(*lanes_[index(lane)], most.lanes[index(lane)]);
}

Limiter::Decision Limiter::acquire(MonoTime now, Lane lane, Units cost) {
  TokenBucket& own = *lanes_[index(lane)];
  const auto first = own.acquire(now, cost);
  if (first.verdict != TokenBucket::Verdict::kGranted) {
    // A lane whose limit is the whole ceiling runs dry together with the account.
    const auto account = account_->peek(now, cost, index(lane));
    return {first, account.verdict == TokenBucket::Verdict::kWait};
  }
  const auto second = account_->acquire(now, cost, index(lane));
  if (second.verdict != TokenBucket::Verdict::kGranted) own.refund(cost);
  return {second, true};
}

void Limiter::refund(Lane lane, Units cost) {
  account_->refund(cost);
  lanes_[index(lane)]->refund(cost);
}

Units Limiter::headroom(MonoTime now, Lane lane) const {
  const Units above_floor = account_->level(now) - account_->spec().floors[index(lane)];
  return std::min(above_floor, lanes_[index(lane)]->level(now));
}

Units Limiter::available(MonoTime now, Lane lane) const {
  return std::max(Units(), headroom(now, lane));
}

MonoTime Limiter::earliest(MonoTime now, Lane lane, Units cost) const {
  const auto at = [now](const TokenBucket::Decision& decision) {
    return decision.verdict == TokenBucket::Verdict::kWait ? decision.retry_at() : now;
  };
  return std::max(at(lanes_[index(lane)]->peek(now, cost)),
                  at(account_->peek(now, cost, index(lane))));
}

Units Limiter::most(Lane lane) const {
  const BucketSpec account = account_->spec();
  return std::min(account.capacity - account.floors[index(lane)],
                  lanes_[index(lane)]->spec().capacity);
}

}  // namespace weir
