// SPDX-License-Identifier: Apache-2.0
#include "tests/power/promises.h"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

std::string words_of(const std::string& reason, const std::string& code, const std::string& ref) {
  return reason + "|" + code + "|" + ref;
}

// What a start makes of a row.
Row restarted(Row row) {
  if (row.state != BatchState::kClaimed) return row;
  row.state = BatchState::kUnknown;
  row.words.clear();  // the reason is "restart"; the rest is of no outcome
  return row;
}

Row row_of(const BatchReport& report) {
  Row row{report.state, report.attempt, words_of(report.reason, report.code, report.gateway_ref),
          report.rejected};
  if (report.state == BatchState::kUnknown && report.reason == "restart") row.words.clear();
  return row;
}

std::string shown(const Row& row) {
  return std::string(kBatchStateNames[static_cast<size_t>(row.state)]) + " attempt " +
         std::to_string(row.attempt) + " " + row.words;
}

bool same(const Message& a, const Message& b) {
  return a.id == b.id && a.class_name == b.class_name && a.lane == b.lane &&
         a.priority == b.priority && a.encoding == b.encoding && a.segments == b.segments &&
         a.recipients == b.recipients && a.cost.micro() == b.cost.micro() &&
         a.created == b.created && a.deadline == b.deadline && a.key == b.key && a.hash == b.hash &&
         a.tag == b.tag && a.test == b.test;
}

}  // namespace

void Promises::pushed(const StoreCommand& command) {
  if (const auto* persist = std::get_if<Persist>(&command)) {
    const Draft& draft = *persist->draft;
    const int64_t id = raw(draft.message.id);
    PromisedMessage message{draft.message, draft.text, draft.recipients, {}};
    for (const BatchCut& cut : draft.batches) {
      Row row;
      if (draft.claim_first) row = {BatchState::kClaimed, 1, {}, {}};
      row.words = words_of({}, {}, {});
      batches_[raw(cut.id)] = {id, cut, row, {}, {}};
      message.batches.push_back(raw(cut.id));
    }
    messages_[id] = std::move(message);
    requests_[persist->request] = id;
  } else if (const auto* claim = std::get_if<Claim>(&command)) {
    PromisedBatch& batch = batches_.at(raw(claim->batch));
    batch.pushed = batch.row;
    batch.pushed->state = BatchState::kClaimed;
    batch.pushed->attempt = claim->attempt;
  } else {
    const auto& record = std::get<Record>(command);
    PromisedBatch& batch = batches_.at(raw(record.batch));
    batch.pushed = {record.to, batch.row.attempt,
                    words_of(record.reason, record.code, record.gateway_ref), batch.row.rejected};
    std::vector<Recipient>& rejected = batch.pushed->rejected;
    rejected.insert(rejected.end(), record.rejected.begin(), record.rejected.end());
  }
}

void Promises::answered(std::vector<StoreAnswer>& answers, bool committed, bool failed) {
  if (committed) close_open();
  for (StoreAnswer& answer : answers) {
    if (auto* persisted = std::get_if<Persisted>(&answer)) take(*persisted, failed);
    if (const auto* claimed = std::get_if<Claimed>(&answer)) take(*claimed, failed);
    if (const auto* recorded = std::get_if<Recorded>(&answer)) take(*recorded);
  }
}

// A transaction succeeded: whatever failed before is not on disk any more.
void Promises::close_open() {
  std::vector<int64_t> gone;
  for (const auto& [id, message] : messages_) {
    if (message.open) gone.push_back(id);
  }
  for (const int64_t id : gone)
    forget(id);
  for (auto& [id, batch] : batches_)
    batch.open.clear();
}

void Promises::forget(int64_t message) {
  for (const int64_t batch : messages_.at(message).batches)
    batches_.erase(batch);
  messages_.erase(message);
}

void Promises::take(Persisted& answer, bool failed) {
  const auto request = requests_.find(answer.request);
  if (request == requests_.end()) return say("an answer to a request that nobody made");
  const int64_t id = request->second;
  requests_.erase(request);
  PromisedMessage& message = messages_.at(id);
  const std::string key = message.message.key;
  const std::string name = "message " + std::to_string(id);
  if (answer.draft == nullptr) say(name + " came without its draft");
  const auto first = keys_.find(key);
  switch (answer.result) {
    case Persisted::Result::kStored:
      if (!key.empty() && first != keys_.end())
        say(name + " was stored although its key was there");
      if (!key.empty()) keys_[key] = id;
      message.answered = true;
      return;
    case Persisted::Result::kReplayed:
      if (first == keys_.end() || first->second != raw(answer.first.id) ||
          !(messages_.at(first->second).message.hash == message.message.hash)) {
        say(name + " was replayed as another one");
      }
      return forget(id);
    case Persisted::Result::kConflict:
      if (first == keys_.end() ||
          messages_.at(first->second).message.hash == message.message.hash) {
        say(name + " has no conflict");
      }
      return forget(id);
    case Persisted::Result::kAbsent: say(name + " was only looked up"); return forget(id);
    case Persisted::Result::kFailed:
      message.open = failed;
      if (!failed) forget(id);  // not tried
      return;
  }
}

void Promises::take(const Claimed& answer, bool failed) {
  PromisedBatch& batch = batches_.at(raw(answer.batch));
  if (!batch.pushed) return say("a claim was answered twice");
  const Row claimed = *std::exchange(batch.pushed, std::nullopt);
  if (answer.gone) say("batch " + std::to_string(raw(answer.batch)) + " is gone");
  if (answer.payload != nullptr) {
    batch.row = claimed;
    check_payload(*answer.payload, batch);
  } else if (failed) {
    batch.open.push_back(claimed);
  }
}

void Promises::check_payload(const Payload& payload, const PromisedBatch& batch) {
  const PromisedMessage& message = messages_.at(batch.message);
  const auto first = message.recipients.begin() + batch.cut.first;
  if (raw(payload.message) != batch.message || payload.text.body != message.text.body ||
      payload.text.sender != message.text.sender || payload.text.params != message.text.params ||
      !std::equal(first, first + batch.cut.recipients, payload.recipients.begin(),
                  payload.recipients.end())) {
    say("batch " + std::to_string(raw(payload.batch)) + " has another payload");
  }
}

void Promises::take(const Recorded& answer) {
  PromisedBatch& batch = batches_.at(raw(answer.batch));
  if (!batch.pushed) return say("an outcome was answered twice");
  batch.row = *std::exchange(batch.pushed, std::nullopt);
}

void Promises::check_start(Journal& journal, const Restored& restored) {
  requests_.clear();
  const int64_t beyond =
      std::max(raw(restored.next_message), messages_.empty() ? 0 : messages_.rbegin()->first + 1);
  for (int64_t id = 1; id <= beyond; ++id) {
    const Found found = journal.find(FindMessage{RequestId{1}, MessageId{id}});
    if (check_message(found, id) && id >= raw(restored.next_message)) {
      say("the id " + std::to_string(id) + " would be used again");
    }
  }
  check_restored(restored);
}

// Whether it is there.
bool Promises::check_message(const Found& found, int64_t id) {
  const std::string name = "message " + std::to_string(id);
  const auto promised = messages_.find(id);
  if (found.result == Found::Result::kFailed) {
    say(name + " cannot be read");
    return true;
  }
  if (found.result == Found::Result::kNone) {
    if (promised == messages_.end()) return false;
    if (promised->second.answered) say(name + " was acknowledged and is lost");
    forget(id);
    return false;
  }
  if (promised == messages_.end()) {
    say(name + " was never pushed, or was refused");
    return true;
  }
  PromisedMessage& message = promised->second;
  if (!same(found.report.message, message.message)) say(name + " is another one");
  if (found.report.batches.size() != message.batches.size()) {
    say(name + " has " + std::to_string(found.report.batches.size()) + " batches");
    return true;
  }
  for (size_t i = 0; i < message.batches.size(); ++i)
    check_batch(found.report.batches[i], batches_.at(message.batches[i]));
  message.answered = true;
  message.open = false;
  const std::string& key = message.message.key;
  if (!key.empty() && keys_.emplace(key, id).first->second != id) say(name + " has another's key");
  return true;
}

void Promises::check_batch(const BatchReport& found, PromisedBatch& batch) {
  const std::string name = "batch " + std::to_string(raw(batch.cut.id));
  if (found.id != batch.cut.id || found.recipients != batch.cut.recipients ||
      found.cost.micro() != batch.cut.cost.micro()) {
    say(name + " is another one");
  }
  const Row row = row_of(found);
  bool allowed = row == restarted(batch.row) || (batch.pushed && row == restarted(*batch.pushed));
  for (const Row& open : batch.open)
    allowed = allowed || row == restarted(open);
  if (!allowed) say(name + " was " + shown(batch.row) + " and is " + shown(row));
  batch.row = row;
  batch.pushed.reset();
  batch.open.clear();
}

void Promises::check_restored(const Restored& restored) {
  std::set<int64_t> pending;
  uint64_t unknown = 0;
  for (const auto& [id, batch] : batches_) {
    if (batch.row.state == BatchState::kPending) pending.insert(id);
    if (batch.row.state == BatchState::kUnknown) ++unknown;
  }
  std::set<int64_t> found;
  for (const Restored::Pending& one : restored.pending)
    found.insert(raw(one.head.id));
  if (found != pending || found.size() != restored.pending.size()) {
    say("other batches are given out as pending than are");
  }
  if (unknown != restored.unknown_batches) say("unknown batches are miscounted");
  if (!batches_.empty() && batches_.rbegin()->first >= raw(restored.next_batch)) {
    say("a batch's id would be used again");
  }
}

std::vector<int64_t> Promises::idle_batches(std::set<BatchState> states) const {
  std::vector<int64_t> idle;
  for (const auto& [id, batch] : batches_) {
    if (messages_.at(batch.message).answered && !batch.pushed && states.contains(batch.row.state)) {
      idle.push_back(id);
    }
  }
  return idle;
}

size_t Promises::outcomes_waiting() const {
  return static_cast<size_t>(std::count_if(batches_.begin(), batches_.end(), [](const auto& one) {
    return one.second.pushed && one.second.pushed->state != BatchState::kClaimed;
  }));
}

}  // namespace weir
