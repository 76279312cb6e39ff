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

namespace weir {

struct StoreOptions {
  std::string path;  // of the database file; its folder must exist, on a local file system
  // Another one each time that the machine is started. Levels of the buckets are given out only
  // under the id that they were written under; empty: never.
  std::string boot_id;
  // Commands on their way in and answers on their way out; above every bound of the engine
  // together. 16 bytes each.
  size_t queue = 65'536;
  size_t bulk_rows = 64;  // ordinary inserts (batch rows) of one transaction while others wait
};

// What is asked for on behalf of a person.
struct FindMessage {
  RequestId request{};
  MessageId id{};
};

struct BatchReport {
  BatchId id{};
  BatchState state = BatchState::kPending;
  uint32_t recipients = 0;
  Units cost;
  uint16_t attempt = 0;
  std::optional<WallTime> claimed_at;
  std::optional<WallTime> done_at;
  std::string reason;
  std::string code;
  std::string gateway_ref;
  std::vector<Recipient> rejected;
};

struct MessageReport {
  Message message;
  struct Count {
    uint64_t batches = 0;
    uint64_t recipients = 0;
  };
  std::array<Count, kBatchStates> states{};
  std::vector<BatchReport> batches;  // the first kBatchesShown
  static constexpr size_t kBatchesShown = 100;
};

struct Found {
  enum class Result : uint8_t { kFound, kNone, kFailed };
  RequestId request{};
  Result result = Result::kFailed;
  MessageReport report;
};

// Changes of the ceiling at or after `since` and before `until`.
struct FindRates {
  RequestId request{};
  WallTime since;
  WallTime until;
  uint32_t limit = 0;
};

struct FoundRates {
  RequestId request{};
  bool failed = true;
  std::vector<RateChange> changes;  // the newest `limit`, oldest first
  bool more = false;                // there are older ones among those that were asked for
};

// Running totals since start, for /metrics.
struct StoreTotals {
  uint64_t commits = 0;  // probes of a disk that fails included
  uint64_t failed_commits = 0;
  uint64_t written = 0;  // commands in those commits
  // Outcomes whose batch was not in the state that they named: nothing was changed, and they were
  // answered as recorded. Not zero means a bug.
  uint64_t unmatched_records = 0;
};

using StoreCommand = std::variant<Persist, Claim, Record, StoreTemplate, SaveRate, SaveLevels,
                                  FindMessage, FindRates>;
using StoreAnswer = std::variant<Persisted, Claimed, Recorded, TemplateStored, CeilingSaved,
                                 StoreHealth, Found, FoundRates>;

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

  StoreTotals totals() const;

  // Carries out what was pushed (one try for each), then closes the file. Answers can still be
  // popped afterwards.
  void stop();

 private:
  class Thread;
  explicit Store(std::unique_ptr<Thread> thread);
  std::unique_ptr<Thread> thread_;
};

}  // namespace weir
