// SPDX-License-Identifier: Apache-2.0
//
// TallyBook: how many batches of each lane are in each state, and what they cost, without ever
// counting them.
//
// Store's thread. The journal tells it of each change inside of a transaction; what has changed is
// written into the table `tally` by the same transaction, so that the counters are right after any
// crash. A transaction that fails takes its changes with it.
//
// What always holds: now() is what is committed.
#pragma once

#include <cstdint>
#include <optional>

#include "shim/store/reports.h"
#include "shim/store/statements.h"

namespace weir {

class TallyBook {
 public:
  // As it stands in the table.
  bool load(Statements& statements);

  void enter(Lane lane, BatchState state, Units cost, int64_t batches = 1);
  void leave(Lane lane, BatchState state, Units cost, int64_t batches = 1);
  void move(Lane lane, BatchState from, BatchState to, Units cost);
  // What a recount says; `entered` stays.
  void correct(Lane lane, BatchState state, int64_t batches, Units cost);

  // Whether the transaction changes what is known of a state.
  bool changes(BatchState state) const;
  // Before the commit: into the table. After it: keep(), or forget() what did not become true.
  bool write(Statements& statements);
  void keep() { committed_ = working_; }
  void forget() { working_ = committed_; }

  const Tallies& now() const { return committed_; }
  // Calls ever begun.
  int64_t claims() const;

 private:
  Tally& at(Lane lane, BatchState state) { return working_[index(lane)][index(state)]; }

  Tallies committed_{};
  Tallies working_{};
};

}  // namespace weir
