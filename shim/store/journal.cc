// SPDX-License-Identifier: Apache-2.0
#include "shim/store/journal.h"

#include <algorithm>
#include <utility>

#include "weir/check.h"

#include "shim/store/ceiling_row.h"
#include "shim/store/inquiry.h"
#include "shim/store/message_row.h"
#include "shim/store/pack.h"
#include "shim/store/restore.h"
#include "shim/store/template_row.h"

namespace weir {
namespace {

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

}  // namespace

Result<std::unique_ptr<Journal>> Journal::open(const StoreOptions& options) {
  Result<DatabaseFile> file = open_database_file(options.path);
  if (!file) return file.error();
  Result<Statements> statements = Statements::prepare(file->connection);
  if (!statements) {
    return Error{"database " + options.path +
                 ": its tables are not weir's: " + statements.error().detail};
  }
  return std::unique_ptr<Journal>(
      new Journal(std::move(*file), std::move(*statements), options.boot_id));
}

Journal::Journal(DatabaseFile file, Statements statements, std::string boot_id)
    : file_(std::move(file)), statements_(std::move(statements)), boot_id_(std::move(boot_id)) {}

Journal::~Journal() = default;

Result<Restored> Journal::restore(WallTime now) {
  return weir::restore(file_.connection, statements_, now, boot_id_);
}

bool Journal::begin() {
  unmatched_in_transaction_ = 0;
  return statements_[Query::kBegin].run();
}

bool Journal::commit() {
  if (!statements_[Query::kCommit].run()) return false;
  unmatched_records_ += unmatched_in_transaction_;
  return true;
}

std::string Journal::error() const {
  return file_.connection.error();
}

void Journal::roll_back() {
  // A full disk or an I/O error may have rolled back already.
  if (file_.connection.in_transaction()) statements_[Query::kRollback].run();
  WEIR_CHECK(!file_.connection.in_transaction());
}

std::optional<Persisted> Journal::persist(const Persist& command) {
  check_draft(*command.draft);
  Persisted answer;
  answer.request = command.request;
  if (!statements_[Query::kSavepoint].run()) return std::nullopt;
  if (!store_draft(*command.draft, answer)) {
    if (file_.connection.fault() != Fault::kRow) return std::nullopt;
    answer.result = Persisted::Result::kFailed;
    if (!statements_[Query::kRollbackToSavepoint].run()) return std::nullopt;
  }
  if (!statements_[Query::kReleaseSavepoint].run()) return std::nullopt;
  return answer;
}

bool Journal::store_draft(const Draft& draft, Persisted& answer) {
  if (!insert_message_row(statements_[Query::kInsertMessage], draft)) return false;
  if (file_.connection.changes() == 0) return compare_first(draft, answer);

  const std::string params = pack_params(draft.text.params);
  bool stored = statements_[Query::kInsertText].run(
      {raw(draft.message.id), draft.text.body, text_or_null(draft.text.sender), Blob{params}});
  for (const BatchCut& cut : draft.batches)
    stored = stored && store_batch(draft, cut);
  if (stored) answer.result = Persisted::Result::kStored;
  return stored;
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
         }) &&
         statements_[Query::kInsertRecipients].run({raw(cut.id), Blob{numbers}});
}

// The key is there: the same submission again, or another one?
bool Journal::compare_first(const Draft& draft, Persisted& answer) {
  Rows rows(statements_[Query::kMessageByKey], {std::string_view(draft.message.key)});
  const bool found = rows.next();
  if (rows.failed()) return false;
  std::optional<MessageRow> first = found ? message_row(rows) : std::nullopt;
  if (!first) {
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
  {
    // Read first: what cannot be read must not be claimed, or it would end as unknown although it
    // was never sent.
    Rows rows(statements_[Query::kPayload], {raw(command.batch)});
    const bool found = rows.next();
    if (rows.failed()) return std::nullopt;
    if (found) answer.payload = payload_row(command.batch, rows);
  }
  if (answer.payload == nullptr) return answer;
  if (!statements_[Query::kClaim].run(
          {raw(command.batch), int64_t{command.attempt}, command.at.unix_ms()})) {
    return std::nullopt;
  }
  WEIR_CHECK(file_.connection.changes() == 1);
  answer.gone = false;
  return answer;
}

std::optional<Recorded> Journal::record(const Record& command) {
  WEIR_CHECK(is_open(command.from) && command.to != BatchState::kClaimed);
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
  const Recorded answer{command.batch};
  if (file_.connection.changes() == 0) {
    ++unmatched_in_transaction_;
    return answer;
  }
  for (const Recipient& recipient : command.rejected) {
    if (!statements_[Query::kInsertRejected].run(
            {raw(command.batch), static_cast<int64_t>(recipient.digits)})) {
      return std::nullopt;
    }
  }
  if (!is_open(command.to) && !close_batch(command.batch)) return std::nullopt;
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
  if (!put_levels_row(statements_, command.levels, boot_id_)) return std::nullopt;
  return CeilingSaved{};
}

bool Journal::close_batch(BatchId batch) {
  int64_t message = 0;
  {
    Rows rows(statements_[Query::kMessageOfBatch], {raw(batch)});
    if (!rows.next()) return false;
    message = rows.integer(0);
  }
  return statements_[Query::kDeleteRecipients].run({raw(batch)}) &&
         statements_[Query::kCloseBatch].run({message}) &&
         statements_[Query::kDeleteText].run({message});
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

void Journal::checkpoint() {
  (void)file_.connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace weir
