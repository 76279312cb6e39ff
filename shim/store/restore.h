// SPDX-License-Identifier: Apache-2.0
//
// What is done once, at start: claims of an earlier run become unknown, the counters are held
// against the rows, the file is told from a copy of itself, and what is pending is read.
//
// A claim that is found at start belongs to a call that may have left. Nobody knows, so it becomes
// `unknown` and is never sent again by itself; its recipients and text stay.
//
// The levels of the buckets are taken out in the same transaction, so that a run that crashes finds
// none.
//
// A file that does not match the weir.db.run beside it (run_file.h) is put into quarantine, also in
// the same transaction. That outlasts restarts; a person ends it.
//
// Called while the store is opened, before its thread runs.
//
// Limits: everything pending is read into memory at once, about 0.4 s for a million batches. The
// counters of pending, claimed and unknown batches are recounted, those of settled ones are not:
// it would take longer than all the rest (check_copy() does it). With a guard, all messages of the
// last hour are walked over once for each guarded class (guarded_rows.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/event.h"
#include "weir/result.h"

#include "shim/store/run_file.h"
#include "shim/store/statements.h"
#include "shim/store/store.h"
#include "shim/store/tally_book.h"

namespace weir {

// The name of the setting that holds why the file is in quarantine.
inline constexpr std::string_view kQuarantineSetting = "quarantine";

struct RestoredFile {
  Restored restored;
  std::optional<RunFile> run_file;                // none: it cannot be written; a note says so
  std::vector<std::pair<size_t, int64_t>> texts;  // for RecentTexts, the newest last
};

Result<RestoredFile> restore(Connection& connection, Statements& statements, TallyBook& tallies,
                             WallTime now, const StoreOptions& options);

}  // namespace weir
