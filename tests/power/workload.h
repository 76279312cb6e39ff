// SPDX-License-Identifier: Apache-2.0
//
// A random run of a store: commands as the engine may push them, through the journal and the writer
// that the store's thread uses, on the test's thread and in virtual time. What is promised on the
// way is held against every start (promises.h).
//
// The log is folded into the file every few dozen pages, instead of 2,000, so that a short run sees
// many of those; everything else is as in the daemon.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shim/store/journal.h"
#include "shim/store/writer.h"
#include "tests/power/losing_vfs.h"
#include "tests/power/promises.h"

struct sqlite3;

namespace weir {

// The connections that are opened while it lives: the newest one.
class CaughtConnection {
 public:
  CaughtConnection();
  ~CaughtConnection();
  CaughtConnection(const CaughtConnection&) = delete;
  CaughtConnection& operator=(const CaughtConnection&) = delete;

  void set(const std::string& pragma);
};

class Workload {
 public:
  Workload(LosingVfs& vfs, std::string path, uint64_t seed);
  // With another setting of the connection than the store's own, from the next start on.
  void override(std::string pragma) { override_ = std::move(pragma); }

  // Opens the store and checks what it finds. False: it cannot, and has said why.
  bool start();
  // As start() after as many power cuts as it takes; a cut may come while it starts.
  void start_after_cut();
  // Closes it, or what the disk has left of it.
  void drop();

  // Random commands, and one turn of the writer; virtual time passes.
  void turn();
  // Without new commands, until nothing waits; at most for a minute.
  void settle();
  // The power goes, at a turn's end or in the middle of one.
  void lose_power();
  // Every key that is known is submitted again.
  void repeat_keys();

  bool is_open() const { return writer_.has_value(); }
  Promises& promises() { return promises_; }
  const std::vector<std::string>& broken() const { return promises_.broken(); }
  Rng& rng() { return rng_; }
  // Turns with a transaction that failed, so far.
  uint64_t failed() const { return failed_; }
  // Why the last start failed.
  const std::string& words() const { return words_; }

 private:
  // What a message says follows from this, so that it can be said again.
  struct Content {
    uint64_t seed = 0;
    std::string key;
  };

  uint64_t below(uint64_t bound) { return rng_() % bound; }
  bool chance(uint64_t one_in) { return below(one_in) == 0; }
  Draft draft(const Content& content);
  void push(StoreCommand command);
  void push_message();
  void push_again(const Content& content);
  void push_claim();
  void push_outcome();
  void step();
  bool start_failed(const std::string& words);

  LosingVfs& vfs_;
  CaughtConnection connection_;
  const std::string path_;
  Rng rng_;
  std::string override_;
  std::string fold_often_;
  std::string words_;
  Promises promises_;
  std::vector<Content> contents_;
  std::unique_ptr<Journal> journal_;
  std::optional<Writer> writer_;  // after the journal that it writes
  StoreTotals totals_;
  uint64_t failed_ = 0;
  MonoTime now_ = MonoTime::from_ns(1);
  int64_t next_message_ = 1;
  int64_t next_batch_ = 1;
  uint64_t next_request_ = 1;
};

}  // namespace weir
