// SPDX-License-Identifier: Apache-2.0
//
// The journal: what each command does to the database, inside of a transaction that somebody else
// (writer.h) begins and commits.
//
// Opened on the loop's thread, then used on the store's only.
//
// What always holds:
//   - A state is changed only from the state that the command names, so that an outcome is final
//     once and a batch is claimed once.
//   - A batch's recipients go in the transaction that makes it refused, shed or cancelled; a
//     submitted one keeps them for its receipts until it leaves, an unknown one keeps everything. A
//     message's text goes with the last batch that is pending, claimed or unknown, unless another
//     message has the same.
//   - The counters (tally_book.h) are of the same transaction as what they count.
//   - One message that cannot be stored does not spoil the transaction of the others, if it was
//     written apart from them.
//
// Limits: nothing here is durable, and nothing may be answered, before commit() is true.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "shim/store/cancelling.h"
#include "shim/store/database_file.h"
#include "shim/store/hurry.h"
#include "shim/store/recent_texts.h"
#include "shim/store/retention.h"
#include "shim/store/run_file.h"
#include "shim/store/statements.h"
#include "shim/store/store.h"
#include "shim/store/tally_book.h"

namespace weir {

class Journal {
 public:
  static Result<std::unique_ptr<Journal>> open(const StoreOptions& options);
  ~Journal();  // closes the file; checkpoint() before it makes an orderly end
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // What start needs; see restore.h.
  Result<Restored> restore(WallTime now);

  bool begin();
  bool commit();
  // Ends a transaction that failed. error() and trouble() say why, and are asked for before.
  std::string error() const;
  StoreTrouble trouble() const;
  // It failed of one row, not of the disk.
  bool row_refused() const;
  void roll_back();

  // Inside of a transaction. Nothing: the transaction has failed.
  // `draft` is left to the caller. `apart`: a message that cannot be stored leaves the transaction
  // as it was; without it, the transaction has failed then and row_refused() is true.
  std::optional<Persisted> persist(const Persist& command, bool apart);
  std::optional<Claimed> claim(const Claim& command);
  std::optional<Recorded> record(const Record& command);
  std::optional<TemplateStored> store_template(const StoreTemplate& command);
  std::optional<CeilingSaved> save(const SaveRate& command);
  std::optional<CeilingSaved> save(const SaveLevels& command);
  std::optional<Resolved> resolve(const Resolve& command);
  std::optional<Released> release(const Release& command);
  std::optional<StopStored> store_stop(const StoreStop& command);
  // At most so many batches are cancelled.
  std::optional<Cancelled> cancel(const Cancel& command, size_t rows);
  // A command of it was refused, so no other will come.
  void give_up_cancel(RequestId request) { cancelling_.give_up(request); }
  // At most so many batches leave.
  std::optional<Tended> tend(const Tend& command, size_t rows);
  // A write that means nothing, to learn whether writes work.
  bool probe();

  // Outside of a transaction: what is committed.
  Found find(const FindMessage& command);
  FoundRates find(const FindRates& command);
  Listed list(const ListMessages& command);
  StoreStats stats(const ReadStats& command);
  Result<OnlineBackup> start_backup(const std::string& path);
  // Gives up to so many unused pages back; how many are left.
  Result<int64_t> give_back(int pages);

  // Records of committed transactions whose row was not in the state that they named. They change
  // nothing and are answered all the same: a claim that is not the row's state any more has been
  // settled, and asking again would never end. Not zero means a bug, here or in the engine.
  uint64_t unmatched_records() const { return unmatched_records_; }

  const Tallies& tallies() const { return tallies_.now(); }
  std::optional<WallTime> oldest_unknown() const { return oldest_unknown_; }
  // Of batches that left.
  uint64_t purged() const { return purged_; }

  struct Space {
    uint64_t file_bytes = 0;
    uint64_t log_bytes = 0;
    uint64_t disk_free_bytes = 0;
  };
  // As the file system says now.
  Space space() const;

  // Whether the log is long enough that it is folded into the file now, or holds what has to be
  // erased and nobody waits.
  bool wants_fold(Hurry hurry);
  // A commit that finds the log folded begins it anew. It may fail; nothing is lost.
  void fold();
  // Folds and empties the log, so that one file is all there is. It may fail; nothing is lost.
  void checkpoint();

 private:
  Journal(DatabaseFile file, Statements statements, const StoreOptions& options);

  bool store_draft(const Draft& draft, Persisted& answer);
  bool store_text(const Draft& draft, const std::string& params, std::optional<int64_t> guess,
                  size_t hash);
  bool store_batch(const Draft& draft, const BatchCut& cut);
  bool compare_first(const Draft& draft, Persisted& answer);
  // A batch that needs nothing more: its message, and the text when it was the last.
  bool close_batch(int64_t batch, int64_t message, BatchState state);
  bool release_text(int64_t message);
  bool cancel_batch(BatchId batch, MessageId message, Lane lane, Units cost, WallTime at);
  std::optional<WallTime> read_oldest_unknown();

  DatabaseFile file_;
  Statements statements_;  // after the connection that they are of
  const StoreOptions options_;
  TallyBook tallies_;
  RecentTexts texts_;
  Retention retention_;
  Cancelling cancelling_;
  std::optional<RunFile> run_file_;  // none: not restored yet, or the file cannot be written
  std::optional<WallTime> oldest_unknown_;
  bool unfolded_ = false;    // something was committed since the log was folded
  bool must_erase_ = false;  // something was deleted whose traces are in the log
  std::optional<WallTime> erased_at_;
  uint64_t purged_ = 0;
  uint64_t purged_in_transaction_ = 0;
  uint64_t unmatched_records_ = 0;
  uint64_t unmatched_in_transaction_ = 0;
};

}  // namespace weir
