// SPDX-License-Identifier: Apache-2.0
//
// The limiter of one gateway account: a bucket for each lane (its limit) and one for the account
// (the ceiling) whose floors are the reserves.
//
// A grant passes the lane's own bucket and then the account's; when the account refuses, the lane's
// is refunded in the same call. So no lane passes its limit, no lane dips into what is reserved
// above it, and the sum never passes the ceiling.
//
// The rate may change at any time; capacity and floors go with it. When it rises, levels stay. When
// it falls, levels fall in proportion: the floors come down, and what they held back would
// otherwise leave as a burst at the very moment at which the account has shown that it is full.
//
// Called by the engine on its thread. Starts empty.
#pragma once

#include <array>
#include <memory>

#include "weir/ceiling.h"
#include "weir/options.h"
#include "weir/token_bucket.h"

namespace weir {

// The account's bucket: floors[l] is what the lanes before l have reserved.
BucketSpec account_spec(const EngineOptions& options, Units rate_per_s);
// A lane's own bucket.
BucketSpec lane_spec(const EngineOptions& options, Lane lane, Units rate_per_s);

class Limiter {
 public:
  // `options` outlive the limiter.
  Limiter(MonoTime now, const EngineOptions& options, Units rate_per_s);

  void set_rate(MonoTime now, Units rate_per_s);

  LimiterLevels levels(MonoTime now) const;
  // Forfeits what each bucket has above these.
  void lower_to(MonoTime now, const LimiterLevels& most);
  // Goes on from levels of the past: what has flowed in since is there too. Before any grant.
  void resume(const LimiterLevels& left);

  // `by_account`: the account says no, whatever the lane's own limit says.
  struct Decision : TokenBucket::Decision {
    bool by_account = false;
  };
  Decision acquire(MonoTime now, Lane lane, Units cost);
  // When nothing was submitted for certain; at most once a grant.
  void refund(Lane lane, Units cost);

  // What the lane could take right now, and ever at once.
  Units available(MonoTime now, Lane lane) const;
  // The same, and negative while the account is below the lane's floor: so much has to flow in
  // before the lane can take anything.
  Units headroom(MonoTime now, Lane lane) const;
  Units most(Lane lane) const;
  // The first instant at which acquire can grant it, if nobody else draws; `cost` must fit.
  MonoTime earliest(MonoTime now, Lane lane, Units cost) const;
  Units ceiling_per_s() const { return account_->spec().rate_per_s; }

 private:
  void start(Units rate_per_s, const LimiterLevels& levels);

  const EngineOptions& options_;
  std::unique_ptr<TokenBucket> account_;
  std::array<std::unique_ptr<TokenBucket>, kLanes> lanes_;
};

}  // namespace weir
