// SPDX-License-Identifier: Apache-2.0
//
// What a store has promised: the commands that were pushed, what the answers said, and therefore
// what a start may find.
//
// A row that was pushed and is not answered may be found as it was, or as the command leaves it. So
// may one whose transaction failed, until a later transaction succeeds: that one took its place in
// the log. What is found at a start counts as answered from then on.
//
// What is broken is written down in words, for a test to assert that there is none (or some).
//
// Threads: one.
//
// Limits: one command at a time for a batch, as the engine does it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "shim/store/journal.h"

namespace weir {

// The part of a batch's row that commands change.
struct Row {
  BatchState state = BatchState::kPending;
  uint16_t attempt = 0;
  std::string words;  // reason, code and gateway_ref of the last outcome
  std::vector<Recipient> rejected;
  friend bool operator==(const Row&, const Row&) = default;
};

struct PromisedBatch {
  int64_t message = 0;
  BatchCut cut;
  Row row;                    // by the last answer, or as found
  std::optional<Row> pushed;  // what the command without an answer makes of it
  std::vector<Row> open;      // what failed transactions may have made of it
};

struct PromisedMessage {
  Message message;
  MessageText text;
  std::vector<Recipient> recipients;
  std::vector<int64_t> batches;
  bool answered = false;
  bool open = false;  // its transaction has failed, and may be on disk
};

class Promises {
 public:
  void pushed(const StoreCommand& command);
  // The answers of one turn, and whether a transaction succeeded or failed in it.
  void answered(std::vector<StoreAnswer>& answers, bool committed, bool failed);
  // Compares a start with what was promised, and goes on from what was found.
  void check_start(Journal& journal, const Restored& restored);

  // Those that a command may be pushed for.
  std::vector<int64_t> idle_batches(std::set<BatchState> states) const;
  const Row& row(int64_t batch) const { return batches_.at(batch).row; }
  // Keys that an answer or a start has confirmed, with the id of their message.
  const std::map<std::string, int64_t>& keys() const { return keys_; }
  // Outcomes without an answer.
  size_t outcomes_waiting() const;

  // One more that is broken, or what has turned out to be one.
  void say(std::string what) { broken_.push_back(std::move(what)); }
  const std::vector<std::string>& broken() const { return broken_; }

 private:
  void take(Persisted& answer, bool failed);
  void take(const Claimed& answer, bool failed);
  void take(const Recorded& answer);
  void check_payload(const Payload& payload, const PromisedBatch& batch);
  void close_open();
  void forget(int64_t message);
  bool check_message(const Found& found, int64_t id);
  void check_batch(const BatchReport& found, PromisedBatch& batch);
  void check_restored(const Restored& restored);

  std::map<int64_t, PromisedMessage> messages_;
  std::map<int64_t, PromisedBatch> batches_;
  std::map<std::string, int64_t> keys_;
  std::map<RequestId, int64_t> requests_;  // without an answer
  std::vector<std::string> broken_;
};

}  // namespace weir
