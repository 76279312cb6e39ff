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
//   - A batch's recipients go in the transaction that makes it submitted, refused, shed or
//     cancelled; an unknown one keeps them. A message's text goes with the last batch that is
//     pending, claimed or unknown.
//   - One message that cannot be stored does not spoil the transaction of the others.
//
// Limits: nothing here is durable, and nothing may be answered, before commit() is true.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "shim/store/database_file.h"
#include "shim/store/statements.h"
#include "shim/store/store.h"

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
  // Ends a transaction that failed. error() is the words for it, and is asked for before.
  std::string error() const;
  void roll_back();

  // Inside of a transaction. Nothing: the transaction has failed.
  std::optional<Persisted> persist(const Persist& command);  // `draft` is left to the caller
  std::optional<Claimed> claim(const Claim& command);
  std::optional<Recorded> record(const Record& command);
  std::optional<TemplateStored> store_template(const StoreTemplate& command);
  std::optional<CeilingSaved> save(const SaveRate& command);
  std::optional<CeilingSaved> save(const SaveLevels& command);
  // A write that means nothing, to learn whether writes work.
  bool probe();

  // Outside of a transaction: what is committed.
  Found find(const FindMessage& command);
  FoundRates find(const FindRates& command);

  // Records of committed transactions whose row was not in the state that they named. They change
  // nothing and are answered all the same: a claim that is not the row's state any more has been
  // settled, and asking again would never end. Not zero means a bug, here or in the engine.
  uint64_t unmatched_records() const { return unmatched_records_; }

  // Folds the log into the file, so that one file is all there is. It may fail; nothing is lost.
  void checkpoint();

 private:
  Journal(DatabaseFile file, Statements statements, std::string boot_id);

  bool store_draft(const Draft& draft, Persisted& answer);
  bool store_batch(const Draft& draft, const BatchCut& cut);
  bool compare_first(const Draft& draft, Persisted& answer);
  bool close_batch(BatchId batch);

  DatabaseFile file_;
  Statements statements_;  // after the connection that they are of
  const std::string boot_id_;
  uint64_t unmatched_records_ = 0;
  uint64_t unmatched_in_transaction_ = 0;
};

}  // namespace weir
