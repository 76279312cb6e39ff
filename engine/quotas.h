// SPDX-License-Identifier: Apache-2.0
//
// Quotas: what each producer may hand in, and what it has.
//
// There are two, and a producer may have either, both or none. The one of depth bounds what of its
// messages is unsettled at once; what that is, the lanes know (LaneState::depth_of), so a message
// that leaves them in whatever way is out of it, and one that returns is not counted twice.
//
// The other is a bucket of the producer's own, at the door. It starts full, unlike the buckets
// behind it: it does not protect the gateway (the ceiling does that, after a restart too), it keeps
// one producer from taking what others need, and a restart of weir is no reason to turn one away.
//
// It is charged with what a message costs when nothing else stands against it, and given back when
// the message turns out not to be stored. So what is refused, shed at the door or repeated costs
// nothing; what is stored and then shed does.
//
// Called by the engine on its thread.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "weir/engine.h"
#include "weir/options.h"
#include "weir/refusal.h"
#include "weir/token_bucket.h"

namespace weir {

class Quotas {
 public:
  Quotas(MonoTime now, const EngineOptions& options);

  // Nothing: it is charged, or there is no quota. `pointer`: the field that is too much, where the
  // quota could never hold it.
  std::optional<Refusal> charge(MonoTime now, ProducerId producer, Units cost, const char* pointer);
  // Nothing: there is room for a message of `cost` beside the `unsettled` units that are there, or
  // no bound. `per_s`: what its lane is expected to get.
  std::optional<Refusal> turn_away_deep(ProducerId producer, Units cost, Units unsettled,
                                        double per_s) const;
  // What was charged. At most once a charge.
  void give_back(ProducerId producer, Units cost);

  void count_offered(ProducerId producer, Units cost);
  std::vector<ProducerView> view() const;  // without what is unsettled

 private:
  struct Account {
    Account(MonoTime now, const ProducerOptions& options);
    std::string name;
    std::optional<TokenBucket> tokens;
    std::optional<Units> max_units;
    Units offered;
  };
  std::deque<Account> accounts_;  // by ProducerId; a deque, because a TokenBucket cannot move
};

}  // namespace weir
