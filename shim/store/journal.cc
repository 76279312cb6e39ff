// SPDX-License-Identifier: Apache-2.0
#include "shim/store/journal.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/statvfs.h>

#include "weir/check.h"

#include "shim/store/ceiling_row.h"
#include "shim/store/inquiry.h"
#include "shim/store/listing.h"
#include "shim/store/message_row.h"
#include "shim/store/pack.h"
#include "shim/store/producer_names.h"
#include "shim/store/restore.h"
#include "shim/store/row_values.h"
#include "shim/store/schema.h"
#include "shim/store/stop_setting.h"
#include "shim/store/template_row.h"

namespace weir {
namespace {

// Of a log page of 4 KiB. An OTP that comes amid a fold waits for all of it, and its commit begins
// the log anew, which is a sync more. Measured: 0.9 ms at 50 pages, 2.3 ms at 250, 6 ms at 1,000,
// 70 ms at 16,000; below 50 it is the sync alone. Loading by itself is a third faster at 1,000.
int fold_at_pages(Hurry hurry) {
  switch (hurry) {
    case Hurry::kWaiting: return 4'000;  // it goes first, but not for ever
    case Hurry::kLately: return 50;
    default: return 1'000;
  }
}

// How long traces of what was erased may stay in the log.
constexpr Duration kEraseEvery = Duration::seconds(60);

constexpr uint64_t kPageBytes = 4096;

// Whether a batch in this state may still need its recipients and its message's text.
bool is_open(BatchState state) {
  return state == BatchState::kPending || state == BatchState::kClaimed ||
         state == BatchState::kUnknown;
}

void check_draft(const Draft& draft) {
  WEIR_CHECK(!draft.batches.empty());
  WEIR_CHECK(!draft.claim_first || draft.batches.size() == 1);
  for (const BatchCut& cut : draft.batches) {
    WEIR_CHECK(cut.recipients > 0 && cut.first <= draft.recipients.size() &&
               cut.recipients <= draft.recipients.size() - cut.first);
  }
}

// `rows` stands on a row of kPayload. Nothing: the bytes are not what this program writes.
std::unique_ptr<Payload> payload_row(BatchId batch, const Rows& rows) {
  std::optional<Params> params = unpack_params(rows.bytes(6));
  std::optional<std::vector<Recipient>> recipients = unpack_recipients(rows.bytes(7));
  if (!params || !recipients) return nullptr;
  auto payload = std::make_unique<Payload>();
  payload->batch = batch;
  payload->message = MessageId{rows.integer(0)};
  payload->encoding = rows.integer(1) == 0 ? Encoding::kGsm7 : Encoding::kUcs2;
  payload->segments = static_cast<uint32_t>(rows.integer(2));
  payload->test = rows.integer(3) != 0;
  payload->text.body = rows.text(4);
  payload->text.sender = rows.text(5);
  payload->text.params = std::move(*params);
  payload->recipients = std::move(*recipients);
  return payload;
}

// False: it could not be read.
bool is_cancelled(Statements& statements, BatchId batch, bool& cancelled) {
  Rows rows(statements[Query::kBatchById], {raw(batch)});
  cancelled = rows.next() && rows.integer(2) == static_cast<int64_t>(BatchState::kCancelled);
  return !rows.failed();
}

}  // namespace

Result<std::unique_ptr<Journal>> Journal::open(const StoreOptions& options) {
  Result<DatabaseFile> file = open_database_file({options.path, options.erase});
  if (!file) return file.error();
  Result<Statements> statements = Statements::prepare(file->connection);
  if (!statements) {
    return Error{"database " + options.path +
                 ": its tables are not weir's: " + statements.error().detail};
  }
  return std::unique_ptr<Journal>(new Journal(std::move(*file), std::move(*statements), options));
}

Journal::Journal(DatabaseFile file, Statements statements, const StoreOptions& options)
    : file_(std::move(file)),
      statements_(std::move(statements)),
      options_(options),
      retention_(options.keep_for, options.keys_for) {}

Journal::~Journal() = default;

Result<Restored> Journal::restore(WallTime now) {
  Result<RestoredFile> found =
      weir::restore(file_.connection, statements_, tallies_, now, options_);
  if (!found) return found.error();
  run_file_ = std::move(found->run_file);
  for (const auto& [hash, text] : found->texts)
    texts_.remember(hash, text);
  oldest_unknown_ = read_oldest_unknown();
  unfolded_ = true;
  return std::move(found->restored);
}

bool Journal::begin() {
  unmatched_in_transaction_ = 0;
  purged_in_transaction_ = 0;
  return statements_[Query::kBegin].run();
}

bool Journal::commit() {
  if (!tallies_.write(statements_) || !statements_[Query::kCommit].run()) return false;
  const bool claimed = tallies_.changes(BatchState::kClaimed);
  const bool unknown = tallies_.changes(BatchState::kUnknown);
  tallies_.keep();
  if (run_file_ && claimed) run_file_->follow(tallies_.claims());
  if (unknown) oldest_unknown_ = read_oldest_unknown();
  unmatched_records_ += unmatched_in_transaction_;
  purged_ += purged_in_transaction_;
  unfolded_ = true;
  return true;
}

std::string Journal::error() const {
  return file_.connection.error();
}

StoreTrouble Journal::trouble() const {
  switch (file_.connection.fault()) {
    case Fault::kFull: return StoreTrouble::kDiskFull;
    case Fault::kReadOnly: return StoreTrouble::kReadOnly;
    case Fault::kIo: return StoreTrouble::kIoError;
    case Fault::kCorrupt:
    case Fault::kNotDatabase: return StoreTrouble::kCorrupt;
    case Fault::kNone:
    case Fault::kRow:
    case Fault::kLocked:
    case Fault::kOther: return StoreTrouble::kOther;
  }
  return StoreTrouble::kOther;
}

bool Journal::row_refused() const {
  return file_.connection.fault() == Fault::kRow;
}

void Journal::roll_back() {
  tallies_.forget();
  // A full disk or an I/O error may have rolled back already.
  if (file_.connection.in_transaction()) statements_[Query::kRollback].run();
  WEIR_CHECK(!file_.connection.in_transaction());
}

std::optional<Persisted> Journal::persist(const Persist& command, bool apart) {
  check_draft(*command.draft);
  Persisted answer;
  answer.request = command.request;
  if (command.draft->only_if_known) {
    if (!compare_first(*command.draft, answer)) return std::nullopt;
    return answer;
  }
  if (!apart) {
    if (!store_draft(*command.draft, answer)) return std::nullopt;
    return answer;
  }
  if (!statements_[Query::kSavepoint].run()) return std::nullopt;
  if (!store_draft(*command.draft, answer)) {
    if (!row_refused()) return std::nullopt;
    answer.result = Persisted::Result::kFailed;
    if (!statements_[Query::kRollbackToSavepoint].run()) return std::nullopt;
  }
  if (!statements_[Query::kReleaseSavepoint].run()) return std::nullopt;
  return answer;
}

bool Journal::store_draft(const Draft& draft, Persisted& answer) {
  const MessageText& text = draft.text;
  const std::string params = pack_params(text.params);
  const size_t hash = RecentTexts::hash(text.body, text.sender, params);
  const std::optional<int64_t> guess = texts_.find(hash);
  const int64_t place = guess.value_or(raw(draft.message.id));
  if (!insert_message_row(statements_[Query::kInsertMessage], draft, place)) return false;
  if (file_.connection.changes() == 0) return compare_first(draft, answer);

  bool stored = store_text(draft, params, guess, hash);
  for (const BatchCut& cut : draft.batches)
    stored = stored && store_batch(draft, cut);
  if (!stored) return false;
  const BatchState state = draft.claim_first ? BatchState::kClaimed : BatchState::kPending;
  for (const BatchCut& cut : draft.batches)
    tallies_.enter(draft.message.lane, state, cut.cost);
  answer.result = Persisted::Result::kStored;
  return true;
}

bool Journal::store_text(const Draft& draft, const std::string& params,
                         std::optional<int64_t> guess, size_t hash) {
  const MessageText& text = draft.text;
  const int64_t message = raw(draft.message.id);
  if (guess) {
    if (!statements_[Query::kReuseText].run(
            {*guess, text.body, text_or_null(text.sender), Blob{params}})) {
      return false;
    }
    if (file_.connection.changes() == 1) return true;
    if (!statements_[Query::kSetText].run({message, message})) return false;
  }
  texts_.remember(hash, message);
  return statements_[Query::kInsertText].run(
      {message, text.body, text_or_null(text.sender), Blob{params}});
}

bool Journal::store_batch(const Draft& draft, const BatchCut& cut) {
  const Message& message = draft.message;
  const std::span<const Recipient> all(draft.recipients);
  const std::string numbers = pack_recipients(all.subspan(cut.first, cut.recipients));
  const bool claimed = draft.claim_first;
  return statements_[Query::kInsertBatch].run({
             raw(cut.id),
             raw(message.id),
             static_cast<int64_t>(message.lane),
             message.class_name,
             int64_t{message.priority},
             static_cast<int64_t>(claimed ? BatchState::kClaimed : BatchState::kPending),
             cut.cost.micro(),
             int64_t{cut.recipients},
             int64_t{claimed},  // the first attempt
             message.not_before.unix_ms(),
             std::max(message.created, message.not_before).unix_ms(),
             message.deadline.unix_ms(),
             claimed ? Value(message.created.unix_ms()) : Value(std::monostate{}),
             text_or_null(producer_name(options_.producers, draft.producer)),
         }) &&
         statements_[Query::kInsertRecipients].run({raw(cut.id), Blob{numbers}});
}

// The key is there: the same submission again, or another one?
bool Journal::compare_first(const Draft& draft, Persisted& answer) {
  Rows rows(statements_[Query::kMessageByKey], {std::string_view(draft.message.key)});
  const bool found = rows.next();
  if (rows.failed()) return false;
  std::optional<MessageRow> first = found ? message_row(rows) : std::nullopt;
  if (!found && draft.only_if_known) {
    answer.result = Persisted::Result::kAbsent;
  } else if (!first) {
    answer.result = Persisted::Result::kFailed;
  } else if (first->message.hash == draft.message.hash) {
    answer.result = Persisted::Result::kReplayed;
    answer.first = std::move(first->message);
  } else {
    answer.result = Persisted::Result::kConflict;
  }
  return true;
}

std::optional<Claimed> Journal::claim(const Claim& command) {
  Claimed answer;
  answer.batch = command.batch;
  answer.gone = true;
  std::optional<Lane> lane;
  Units cost;
  std::optional<WallTime> cancelled;
  {
    // Read first: what cannot be read must not be claimed, or it would end as unknown although it
    // was never sent.
    Rows rows(statements_[Query::kPayload], {raw(command.batch)});
    const bool found = rows.next();
    if (rows.failed()) return std::nullopt;
    if (found) {
      answer.payload = payload_row(command.batch, rows);
      lane = lane_at(rows.integer(8));
      cost = Units::from_micro(rows.integer(9));
      cancelled = cancelling_.covers(MessageId{rows.integer(0)}, rows.text(10), rows.text(11));
    }
  }
  if (cancelled && answer.payload != nullptr && lane) {
    const MessageId message = answer.payload->message;
    answer.payload.reset();
    if (!cancel_batch(command.batch, message, *lane, cost, *cancelled)) return std::nullopt;
    answer.cancelled = true;
    return answer;
  }
  if (answer.payload == nullptr || !lane) {
    answer.payload.reset();
    if (!is_cancelled(statements_, command.batch, answer.cancelled)) return std::nullopt;
    return answer;
  }
  if (!statements_[Query::kClaim].run(
          {raw(command.batch), int64_t{command.attempt}, command.at.unix_ms()})) {
    return std::nullopt;
  }
  WEIR_CHECK(file_.connection.changes() == 1);
  tallies_.move(*lane, BatchState::kPending, BatchState::kClaimed, cost);
  answer.gone = false;
  return answer;
}

std::optional<Recorded> Journal::record(const Record& command) {
  WEIR_CHECK(is_open(command.from) && command.to != BatchState::kClaimed);
  const Recorded answer{command.batch};
  int64_t message = 0;
  std::optional<Lane> lane;
  Units cost;
  {
    Rows rows(statements_[Query::kBatchById], {raw(command.batch)});
    const bool found = rows.next();
    if (rows.failed()) return std::nullopt;
    // A person was faster than what weir decided about a batch that waits. Both are definite.
    const bool taken_back = found && command.from == BatchState::kPending &&
                            rows.integer(2) == static_cast<int64_t>(BatchState::kCancelled);
    if (taken_back) return answer;
    if (found && rows.integer(2) == static_cast<int64_t>(command.from)) {
      message = rows.integer(0);
      lane = lane_at(rows.integer(1));
      cost = Units::from_micro(rows.integer(3));
    }
  }
  if (!lane) {
    ++unmatched_in_transaction_;
    return answer;
  }
  const bool again = command.to == BatchState::kPending;
  const Value none = std::monostate{};
  if (!statements_[Query::kRecord].run({
          raw(command.batch),
          static_cast<int64_t>(command.from),
          static_cast<int64_t>(command.to),
          again ? none : Value(command.at.unix_ms()),
          again ? Value(command.not_before.unix_ms()) : none,
          text_or_null(command.reason),
          text_or_null(command.code),
          text_or_null(command.gateway_ref),
      })) {
    return std::nullopt;
  }
  WEIR_CHECK(file_.connection.changes() == 1);
  tallies_.move(*lane, command.from, command.to, cost);
  for (const Recipient& recipient : command.rejected) {
    if (!statements_[Query::kInsertRejected].run(
            {raw(command.batch), static_cast<int64_t>(recipient.digits)})) {
      return std::nullopt;
    }
  }
  if (!is_open(command.to) && !close_batch(raw(command.batch), message, command.to)) {
    return std::nullopt;
  }
  return answer;
}

std::optional<TemplateStored> Journal::store_template(const StoreTemplate& command) {
  const Template& one = command.content;
  const bool done = command.remove
                        ? statements_[Query::kDropTemplate].run({std::string_view(one.id)})
                        : put_template_row(statements_[Query::kPutTemplate], one);
  if (!done) return std::nullopt;
  return TemplateStored{command.request, true, command.remove, one};
}

std::optional<CeilingSaved> Journal::save(const SaveRate& command) {
  if (!insert_rate_row(statements_, command.change)) return std::nullopt;
  return CeilingSaved{};
}

std::optional<CeilingSaved> Journal::save(const SaveLevels& command) {
  if (!put_levels_row(statements_, command.levels, options_.boot_id)) return std::nullopt;
  return CeilingSaved{};
}

std::optional<Resolved> Journal::resolve(const Resolve& command) {
  WEIR_CHECK(command.to == BatchState::kSubmitted || command.to == BatchState::kRefused);
  Resolved answer{command.request, ResolveResult::kNoMessage, 0, command.to};
  std::optional<MessageRow> row;
  {
    Rows rows(statements_[Query::kMessageById], {raw(command.message)});
    if (rows.next()) row = message_row(rows);
    if (rows.failed()) return std::nullopt;
  }
  if (!row) return answer;
  struct Unknown {
    int64_t batch;
    std::optional<Lane> lane;
    Units cost;
  };
  std::vector<Unknown> unknown;
  {
    Rows rows(statements_[Query::kUnknownOfMessage],
              {raw(row->first_batch), raw(row->last_batch), raw(command.message)});
    while (rows.next()) {
      const int64_t batch = rows.integer(0);
      if (command.batch && raw(*command.batch) != batch) continue;
      unknown.push_back({batch, lane_at(rows.integer(1)), Units::from_micro(rows.integer(2))});
    }
    if (rows.failed()) return std::nullopt;
  }
  for (const Unknown& one : unknown) {
    if (!one.lane) continue;
    if (!statements_[Query::kResolve].run({one.batch, static_cast<int64_t>(command.to),
                                           command.at.unix_ms(),
                                           std::string_view(command.evidence)})) {
      return std::nullopt;
    }
    tallies_.move(*one.lane, BatchState::kUnknown, command.to, one.cost);
    if (!close_batch(one.batch, raw(command.message), command.to)) return std::nullopt;
    ++answer.batches;
  }
  answer.result = answer.batches > 0 ? ResolveResult::kResolved : ResolveResult::kNotUnknown;
  return answer;
}

std::optional<Released> Journal::release(const Release& command) {
  if (!statements_[Query::kDropSetting].run({kQuarantineSetting})) return std::nullopt;
  return Released{command.request, true};
}

std::optional<StopStored> Journal::store_stop(const StoreStop& command) {
  if (!put_stop(statements_, command.order)) return std::nullopt;
  return StopStored{command.request, true, command.order};
}

std::optional<Cancelled> Journal::cancel(const Cancel& command, size_t rows) {
  const auto take = [&](BatchId batch, MessageId message, Lane lane, Units cost) {
    return cancel_batch(batch, message, lane, cost, command.at);
  };
  return cancelling_.step(statements_, command, rows, take);
}

bool Journal::cancel_batch(BatchId batch, MessageId message, Lane lane, Units cost, WallTime at) {
  if (!statements_[Query::kCancel].run({raw(batch), at.unix_ms()})) return false;
  WEIR_CHECK(file_.connection.changes() == 1);
  tallies_.move(lane, BatchState::kPending, BatchState::kCancelled, cost);
  return close_batch(raw(batch), raw(message), BatchState::kCancelled);
}

std::optional<Tended> Journal::tend(const Tend& command, size_t rows) {
  const Retention::Slice slice = retention_.purge(statements_, tallies_, command.at, rows);
  if (slice.failed) return std::nullopt;
  purged_in_transaction_ = slice.batches;
  // The log holds what was deleted until it is folded and written over.
  const bool due = !erased_at_ || command.at - *erased_at_ >= kEraseEvery;
  if (options_.erase && due) {
    erased_at_ = command.at;
    must_erase_ = true;
  }
  return Tended{slice.more};
}

bool Journal::close_batch(int64_t batch, int64_t message, BatchState state) {
  const bool keeps_recipients = state == BatchState::kSubmitted;
  return (keeps_recipients || statements_[Query::kDeleteRecipients].run({batch})) &&
         statements_[Query::kCloseBatch].run({message}) && release_text(message);
}

bool Journal::release_text(int64_t message) {
  int64_t text = 0;
  {
    Rows rows(statements_[Query::kTextToRelease], {message});
    const bool found = rows.next();
    if (rows.failed()) return false;
    if (!found) return true;
    text = rows.integer(0);
  }
  if (!statements_[Query::kForgetText].run({message}) ||
      !statements_[Query::kDeleteText].run({text})) {
    return false;
  }
  return file_.connection.changes() == 1 || statements_[Query::kReleaseText].run({text});
}

std::optional<WallTime> Journal::read_oldest_unknown() {
  Rows rows(statements_[Query::kOldestUnknown], {});
  if (!rows.next()) return std::nullopt;
  return WallTime::from_unix_ms(rows.integer(0));
}

bool Journal::probe() {
  return statements_[Query::kProbe].run();
}

Found Journal::find(const FindMessage& command) {
  return find_message(statements_, command);
}

FoundRates Journal::find(const FindRates& command) {
  return find_rates(statements_, command);
}

Listed Journal::list(const ListMessages& command) {
  return list_messages(statements_, command);
}

StoreStats Journal::stats(const ReadStats& command) {
  StoreStats stats;
  stats.request = command.request;
  stats.tallies = tallies_.now();
  stats.oldest_unknown = oldest_unknown_;
  const Space now = space();
  stats.file_bytes = now.file_bytes;
  stats.log_bytes = now.log_bytes;
  stats.disk_free_bytes = now.disk_free_bytes;
  stats.schema_version = schema_version();
  stats.sqlite_version = sqlite_version();
  const Result<std::string> unused = file_.connection.ask("PRAGMA freelist_count");
  if (!unused) return stats;
  stats.unused_bytes = std::strtoull(unused->c_str(), nullptr, 10) * kPageBytes;
  stats.failed = false;
  return stats;
}

Result<OnlineBackup> Journal::start_backup(const std::string& path) {
  return OnlineBackup::start(file_.connection, path);
}

Result<int64_t> Journal::give_back(int pages) {
  const std::string pragma = "PRAGMA incremental_vacuum(" + std::to_string(pages) + ")";
  if (Status done = file_.connection.run(pragma.c_str()); !done) return done.error();
  unfolded_ = true;
  const Result<std::string> left = file_.connection.ask("PRAGMA freelist_count");
  if (!left) return left.error();
  return std::atoll(left->c_str());
}

// Neither opens the database's file: a descriptor of it that is closed would drop SQLite's locks.
Journal::Space Journal::space() const {
  Space space;
  struct stat found {};
  if (stat(options_.path.c_str(), &found) == 0) {
    space.file_bytes = static_cast<uint64_t>(found.st_size);
  }
  if (stat((options_.path + "-wal").c_str(), &found) == 0) {
    space.log_bytes = static_cast<uint64_t>(found.st_size);
  }
  struct statvfs disk {};
  if (statvfs(options_.path.c_str(), &disk) == 0) {
    space.disk_free_bytes = uint64_t{disk.f_bavail} * disk.f_frsize;
  }
  return space;
}

bool Journal::wants_fold(Hurry hurry) {
  if (!unfolded_) return false;
  if (must_erase_ && hurry == Hurry::kIdle) return true;
  return file_.connection.log_pages() >= fold_at_pages(hurry);
}

void Journal::fold() {
  unfolded_ = false;
  if (std::exchange(must_erase_, false)) return checkpoint();
  (void)file_.connection.run("PRAGMA wal_checkpoint(PASSIVE)");
}

void Journal::checkpoint() {
  (void)file_.connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace weir
