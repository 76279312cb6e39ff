// SPDX-License-Identifier: Apache-2.0
//
// The store: the journal on disk, and the one thread that touches it.
//
// One SQLite file, one exclusive connection, one thread. The loop pushes commands through a
// single-producer queue; the thread takes everything that waits into one transaction (group
// commit, no timer), commits, and answers through a second queue and one wake-up. An answer means:
// it is on disk (WAL, synchronous=FULL), or it says that it is not.
//
// Order inside a transaction: outcomes, then claims and direct OTP inserts, each in the order in
// which they came; then other inserts, capped, so that an OTP's commit never waits behind a
// campaign's.
//
// When a transaction fails, nothing of it is acknowledged: inserts answer kFailed, claims answer
// "not claimed", outcomes stay and are tried again until they are written. StoreHealth tells of
// both edges; edges that the loop has not read yet are told as one, the newest.
//
// Every command has one answer, except an outcome that could not be written before stop().
//
// Threads: everything here is called on the loop's thread; `wake` is called on the store's, once
// for all answers of a transaction.
//
// Limits: `queue` commands whose answer has not been popped; the caller keeps below it (room()).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weir/effect.h"
#include "weir/event.h"
#include "weir/result.h"
#include "weir/time.h"

#include "shim/store/reports.h"

namespace weir {

// A class of which the engine must know at start what it accepted within the last hour.
struct GuardedName {
  std::string class_name;
  uint32_t most = 0;  // recipients, the newest

  friend bool operator==(const GuardedName&, const GuardedName&) = default;
};

struct StoreOptions {
  std::string path;  // of the database file; its folder must exist, on a local file system
  // Another one each time that the machine is started. Levels of the buckets are given out only
  // under the id that they were written under; empty: never.
  std::string boot_id;
  // Commands on their way in and answers on their way out; above every bound of the engine
  // together. 16 bytes each.
  size_t queue = 65'536;
  size_t bulk_rows = 8;  // ordinary inserts (batch rows) of one transaction while others wait
  // Final batches leave after this; the keys of their messages after `keys_for`.
  Duration keep_for = Duration::seconds(72 * 3600);
  Duration keys_for = Duration::seconds(32 * 86'400);
  // Below this much free space no message is taken any more, so that there is room for the outcomes
  // of those that are here. 0: never.
  uint64_t min_free_bytes = 64 << 20;
  // Overwrite what is deleted also where that costs a write, and empty the log soon after.
  bool erase = false;
  std::vector<GuardedName> guarded;
  std::vector<std::string> producers;  // names by ProducerId; every one that a draft comes with
};

// Work that nobody asked for: what has been kept for long enough leaves, the space is looked at.
// Done in slices; `more` says that another one is due already.
struct Tend {
  WallTime at;
};

struct Tended {
  bool more = false;
};

// Running totals since start, for /metrics.
struct StoreTotals {
  uint64_t commits = 0;  // probes of a disk that fails included
  uint64_t failed_commits = 0;
  uint64_t written = 0;  // commands in those commits
  // Outcomes whose batch was not in the state that they named: nothing was changed, and they were
  // answered as recorded. Not zero means a bug.
  uint64_t unmatched_records = 0;
  uint64_t purged_batches = 0;
  // How long commits took, by kCommitBounds; the last place counts those above all bounds.
  static constexpr std::array<double, 9> kCommitBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01,
                                                          0.025,  0.1,   0.5,    2.0};  // seconds
  std::array<uint64_t, kCommitBounds.size() + 1> commit_times{};
  double commit_seconds = 0;  // together
  // As of the last transaction.
  Tallies tallies{};
  std::optional<WallTime> oldest_unknown;
  // As of the last Tend.
  uint64_t file_bytes = 0;
  uint64_t log_bytes = 0;
  uint64_t disk_free_bytes = 0;
};

using StoreCommand = std::variant<Persist, Claim, Record, StoreTemplate, SaveRate, SaveLevels,
                                  Resolve, Release, Cancel, StoreStop, Tend, FindMessage,
                                  ListMessages, FindRates, ReadStats, Backup, Compact>;
using StoreAnswer = std::variant<Persisted, Claimed, Recorded, TemplateStored, CeilingSaved,
                                 Resolved, Released, Cancelled, StopStored, Tended, StoreHealth,
                                 Found, Listed, FoundRates, StoreStats, BackedUp, Compacted>;

class Store {
 public:
  // Opens or creates the file, migrates it, makes claims of an earlier run unknown (reason
  // "restart"), reads what is pending, and starts the thread. An error is a sentence for the
  // operator: held by another process, newer than this program, not a weir database, ...
  static Result<std::unique_ptr<Store>> open(const StoreOptions& options, WallTime now,
                                             std::function<void()> wake);
  ~Store();  // as stop()
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // What was found at start; once.
  Restored take_restored();

  void push(StoreCommand command);
  size_t room() const;
  // The next answer, if one is there.
  std::optional<StoreAnswer> pop();

  // As of the last transaction whose answers can be popped. Valid until the next call.
  const StoreTotals& totals() const;
  // For how long the work under way (a transaction, a fold of the log, a slice of a copy) has been
  // that; zero: none is. A disk that hangs shows here and nowhere else.
  Duration busy_for(MonoTime now) const;

  // Carries out what was pushed (one try for each), then closes the file. Answers can still be
  // popped afterwards.
  void stop();

 private:
  class Thread;
  explicit Store(std::unique_ptr<Thread> thread);
  std::unique_ptr<Thread> thread_;
};

}  // namespace weir
