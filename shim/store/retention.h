// SPDX-License-Identifier: Apache-2.0
//
// Retention: what has been kept for long enough leaves, a few rows at a time.
//
// Store's thread, inside of a transaction. Batches go first, the longest settled ones first; a
// message without a key goes with its last batch, one with a key when its key's time has passed. A
// batch that is pending, claimed or unknown never goes, however old.
//
// Cost: about 5 us a batch; the caller bounds them.
#pragma once

#include <cstdint>

#include "weir/time.h"

#include "shim/store/statements.h"
#include "shim/store/tally_book.h"

namespace weir {

class Retention {
 public:
  Retention(Duration keep_for, Duration keys_for) : keep_for_(keep_for), keys_for_(keys_for) {}

  struct Slice {
    bool failed = false;
    bool more = false;   // as many as might went
    size_t batches = 0;  // that went
  };
  Slice purge(Statements& statements, TallyBook& tallies, WallTime now, size_t rows);

 private:
  bool purge_batches(Statements& statements, TallyBook& tallies, WallTime until, size_t rows,
                     Slice& slice);
  bool purge_keys(Statements& statements, WallTime until, Slice& slice);

  Duration keep_for_;
  Duration keys_for_;
  // How far the walk over the oldest messages has come; it begins anew when it meets one that is
  // too young. Those on its way that must stay are looked at once a walk.
  int64_t walked_to_ = 0;
};

}  // namespace weir
