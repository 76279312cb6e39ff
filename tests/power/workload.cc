// SPDX-License-Identifier: Apache-2.0
#include "tests/power/workload.h"

#include <algorithm>
#include <utility>

#include <sqlite3.h>

#include "weir/check.h"

namespace weir {
namespace {

constexpr size_t kBulkRows = 6;  // small, so that a burst takes several transactions
constexpr int64_t kStartMs = 1'700'000'000'000;

sqlite3* newest = nullptr;

int note_connection(sqlite3* handle, char** /*error*/, const sqlite3_api_routines* /*api*/) {
  newest = handle;
  return SQLITE_OK;
}

auto* const kNote = reinterpret_cast<void (*)()>(note_connection);

}  // namespace

CaughtConnection::CaughtConnection() {
  WEIR_CHECK(sqlite3_auto_extension(kNote) == SQLITE_OK);
}

CaughtConnection::~CaughtConnection() {
  sqlite3_cancel_auto_extension(kNote);
  newest = nullptr;
}

void CaughtConnection::set(const std::string& pragma) {
  // It may fail where the disk does.
  (void)sqlite3_exec(newest, ("PRAGMA " + pragma).c_str(), nullptr, nullptr, nullptr);
}

Workload::Workload(LosingVfs& vfs, std::string path, uint64_t seed)
    : vfs_(vfs), path_(std::move(path)), rng_(seed) {
  vfs_.start_anew(rng_());
  vfs_.promise(chance(2) ? SQLITE_IOCAP_POWERSAFE_OVERWRITE : 0);
  fold_often_ = "wal_autocheckpoint=" + std::to_string(10 + below(100));
}

bool Workload::start() {
  drop();
  StoreOptions options;
  options.path = path_;
  options.boot_id = "boot";
  Result<std::unique_ptr<Journal>> opened = Journal::open(options);
  if (!opened) return start_failed(opened.error().detail);
  journal_ = std::move(*opened);
  connection_.set(fold_often_);
  if (!override_.empty()) connection_.set(override_);
  Result<Restored> restored = journal_->restore(WallTime::from_unix_ms(kStartMs));
  if (!restored) return start_failed(restored.error().detail);
  writer_.emplace(*journal_, kBulkRows);
  totals_ = {};
  promises_.check_start(*journal_, *restored);
  next_message_ = raw(restored->next_message);
  next_batch_ = raw(restored->next_batch);
  return true;
}

bool Workload::start_failed(const std::string& words) {
  if (words.empty()) promises_.say("a start failed without a word");
  words_ = words;
  drop();
  return false;
}

void Workload::start_after_cut() {
  vfs_.cut_power();
  drop();
  while (chance(3)) {
    vfs_.stop_at(1 + below(24));
    if (start()) break;
    vfs_.cut_power();
  }
  // Where the disk stops only now, it does so in the turns that follow.
  if (!is_open() && !start()) promises_.say("it does not start any more: " + words_);
}

void Workload::drop() {
  writer_.reset();
  journal_.reset();
}

Draft Workload::draft(const Content& content) {
  Rng rng(content.seed);
  Draft draft;
  const bool claim_first = rng() % 4 == 0;
  const uint64_t batches = claim_first ? 1 : 1 + rng() % 4;
  uint32_t recipients = 0;
  for (uint64_t i = 0; i < batches; ++i) {
    const auto size = static_cast<uint32_t>(1 + rng() % 30);
    draft.batches.push_back({BatchId{next_batch_++}, recipients, size, Units::of(size)});
    recipients += size;
  }
  for (uint32_t i = 0; i < recipients; ++i)
    draft.recipients.push_back({919'800'000'000U + rng() % 1'000'000});
  Message& message = draft.message;
  message.id = MessageId{next_message_++};
  message.class_name = "alert";
  message.lane = static_cast<Lane>(rng() % kLanes);
  message.segments = 1;
  message.recipients = recipients;
  message.cost = Units::of(recipients);
  message.created = WallTime::from_unix_ms(kStartMs + static_cast<int64_t>(rng() % 100'000));
  message.deadline = message.created + Duration::seconds(90);
  message.key = content.key;
  message.hash = {rng(), rng()};
  message.tag = "tag" + std::to_string(rng() % 5);
  draft.text = {std::string(1 + rng() % 2000, static_cast<char>('a' + rng() % 26)),
                "SHOPIN",
                {{"entity", std::to_string(rng())}}};
  draft.claim_first = claim_first;
  return draft;
}

void Workload::push(StoreCommand command) {
  promises_.pushed(command);
  writer_->add(std::make_unique<StoreCommand>(std::move(command)), now_);
}

void Workload::push_again(const Content& content) {
  push(Persist{RequestId{next_request_++}, std::make_unique<Draft>(draft(content))});
}

void Workload::push_message() {
  if (!contents_.empty() && chance(4)) {
    const Content& earlier = contents_[below(contents_.size())];
    if (!earlier.key.empty()) return push_again(earlier);
  }
  Content content{rng_(), {}};
  if (chance(2)) content.key = "key-" + std::to_string(content.seed);
  contents_.push_back(content);
  push_again(content);
}

void Workload::push_claim() {
  const std::vector<int64_t> pending = promises_.idle_batches({BatchState::kPending});
  if (pending.empty()) return;
  const int64_t batch = pending[below(pending.size())];
  const auto attempt = static_cast<uint16_t>(promises_.row(batch).attempt + 1);
  push(Claim{BatchId{batch}, attempt, WallTime::from_unix_ms(kStartMs + 5)});
}

void Workload::push_outcome() {
  using enum BatchState;
  const std::vector<int64_t> claimed = promises_.idle_batches({kClaimed, kUnknown});
  if (claimed.empty()) return;
  const int64_t batch = claimed[below(claimed.size())];
  Record record;
  record.batch = BatchId{batch};
  record.from = promises_.row(batch).state;
  constexpr BatchState kOfClaimed[] = {kSubmitted, kRefused, kUnknown, kShed, kPending};
  record.to =
      record.from == kClaimed ? kOfClaimed[below(std::size(kOfClaimed))] : kOfClaimed[below(2)];
  record.at = WallTime::from_unix_ms(kStartMs + 9);
  record.not_before = WallTime::from_unix_ms(kStartMs + 99);
  record.reason = "reason" + std::to_string(below(100));
  record.gateway_ref = "ref" + std::to_string(below(1'000'000));
  if (record.to == kSubmitted && chance(3)) record.rejected.push_back({919'800'000'000U});
  push(std::move(record));
}

void Workload::turn() {
  for (uint64_t left = 1 + below(6); left > 0; --left) {
    const uint64_t kind = below(3);
    if (kind == 0) push_message();
    if (kind == 1) push_claim();
    if (kind == 2) push_outcome();
  }
  step();
  if (chance(16)) journal_->checkpoint();
}

void Workload::step() {
  now_ = now_ + Duration::millis(static_cast<int64_t>(below(400)));
  Writer::Turn turn = writer_->turn(now_);
  const StoreTotals totals = writer_->totals();
  const bool committed = totals.commits > totals_.commits;
  const bool failed = totals.failed_commits > totals_.failed_commits;
  totals_ = totals;
  if (failed) ++failed_;
  promises_.answered(turn.answers, committed, failed);
  if (totals.unmatched_records > 0) promises_.say("an outcome did not match its row");
}

void Workload::settle() {
  for (int left = 300; left > 0 && (writer_->has_work(now_) || writer_->pause(now_)); --left)
    step();
  if (promises_.outcomes_waiting() > 0) promises_.say("an outcome was given up");
  if (writer_->pause(now_)) promises_.say("it does not write again");
}

void Workload::lose_power() {
  if (chance(3)) return;  // between two turns
  vfs_.stop_at(1 + below(12));
  for (uint64_t left = below(4); left > 0; --left)
    turn();
}

void Workload::repeat_keys() {
  const auto known = promises_.keys();
  for (const Content& content : contents_) {
    if (!content.key.empty() && known.contains(content.key)) push_again(content);
  }
  settle();
  if (promises_.keys() != known) promises_.say("a key was stored anew");
}

}  // namespace weir
