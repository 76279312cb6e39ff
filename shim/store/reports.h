// SPDX-License-Identifier: Apache-2.0
//
// What is asked of the store on behalf of a person, and its answers.
//
// Values only. An inquiry sees what is committed; it is carried out on the store's thread between
// two transactions and looks at a bounded number of rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/ceiling.h"
#include "weir/message.h"
#include "weir/time.h"
#include "weir/types.h"

namespace weir {

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
  std::string evidence;  // of a person who resolved it
  std::vector<Recipient> rejected;
};

struct StateCount {
  uint64_t batches = 0;
  uint64_t recipients = 0;
};

struct MessageReport {
  Message message;
  std::array<StateCount, kBatchStates> states{};  // all zero: retention has taken its batches
  std::vector<BatchReport> batches;               // the first kBatchesShown
  static constexpr size_t kBatchesShown = 100;
};

struct Found {
  enum class Result : uint8_t { kFound, kNone, kFailed };
  RequestId request{};
  Result result = Result::kFailed;
  MessageReport report;
};

// Messages, newest first. All that is set must hold.
struct ListMessages {
  RequestId request{};
  std::optional<BatchState> state;  // at least one batch is in it
  std::string class_name;
  std::string key;
  std::string tag;
  std::optional<MessageId> before;  // the cursor: only older ones
  uint32_t limit = 50;              // 1 to 500
};

struct MessageSummary {
  Message message;
  std::array<StateCount, kBatchStates> states{};
  std::string reason;  // of its first batch in the state that was asked for, or that has one
};

struct Listed {
  RequestId request{};
  bool failed = true;
  std::vector<MessageSummary> messages;
  // Set: there may be more; ask again with it. A page can be short or even empty and have one,
  // because a request looks at a bounded number of rows.
  std::optional<MessageId> next;
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

// Batches of one lane in one state.
struct Tally {
  int64_t batches = 0;
  Units cost;
  int64_t entered = 0;  // how many ever came into this state, since the file was made
  friend bool operator==(const Tally&, const Tally&) = default;
};
using Tallies = std::array<std::array<Tally, kBatchStates>, kLanes>;

// The file itself.
struct ReadStats {
  RequestId request{};
};

struct StoreStats {
  RequestId request{};
  bool failed = true;
  Tallies tallies{};
  std::optional<WallTime> oldest_unknown;  // since when the oldest unknown batch is that
  uint64_t file_bytes = 0;
  uint64_t log_bytes = 0;  // of the write-ahead log
  uint64_t disk_free_bytes = 0;
  uint64_t unused_bytes = 0;  // pages of the file that hold nothing; `compact` gives them back
  int schema_version = 0;
  std::string sqlite_version;
};

// Work on the whole file, in slices between the transactions. One at a time.

// A copy of the whole database, to become `path`, which must not exist. It is made under another
// name, so that what has the name is known to be whole.
struct Backup {
  RequestId request{};
  std::string path;
};

struct BackedUp {
  RequestId request{};
  bool busy = false;    // another backup or compaction is under way
  std::string failure;  // empty: done, and on disk
  std::string path;     // where it is now
  uint64_t bytes = 0;
};

// Gives unused pages back to the file system.
struct Compact {
  RequestId request{};
};

struct Compacted {
  RequestId request{};
  bool busy = false;
  std::string failure;
  uint64_t bytes_before = 0;  // of file and log
  uint64_t bytes_after = 0;
};

}  // namespace weir
