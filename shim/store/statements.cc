// SPDX-License-Identifier: Apache-2.0
#include "shim/store/statements.h"

#include <iterator>

// In the order in which message_row.cc reads them.
#define WEIR_MESSAGE_COLUMNS                                                          \
  "id, class, lane, priority, encoding, units, segments, recipients, cost, created, " \
  "deadline, not_before, key, hash_high, hash_low, tag, test, first_batch, last_batch"

// In the order in which ceiling_row.cc reads them.
#define WEIR_RATE_COLUMNS "at, old, new, cause, epoch, measured"

namespace weir {

namespace {

struct Sql {
  Query query;
  const char* text;
};

// In the order of Query.
constexpr Sql kSql[] = {
    // IMMEDIATE: a transaction that begins as a reader can fail half-way when it comes to write.
    {Query::kBegin, "BEGIN IMMEDIATE"},
    {Query::kCommit, "COMMIT"},
    {Query::kRollback, "ROLLBACK"},
    {Query::kSavepoint, "SAVEPOINT one_message"},
    {Query::kRollbackToSavepoint, "ROLLBACK TO one_message"},
    {Query::kReleaseSavepoint, "RELEASE one_message"},
    {Query::kInsertMessage, "INSERT INTO message (" WEIR_MESSAGE_COLUMNS ", open_batches)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                            " ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING"},
    {Query::kInsertText, "INSERT INTO message_text VALUES (?, ?, ?, ?)"},
    {Query::kInsertBatch,
     "INSERT INTO batch (id, message_id, lane, class, priority, state, cost, recipients,"
     " attempt, not_before, eligible, deadline, claimed_at)"
     " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    {Query::kInsertRecipients, "INSERT INTO batch_recipients VALUES (?, ?)"},
    {Query::kMessageByKey, "SELECT " WEIR_MESSAGE_COLUMNS " FROM message WHERE key = ?"},
    {Query::kMessageById, "SELECT " WEIR_MESSAGE_COLUMNS " FROM message WHERE id = ?"},
    {Query::kPayload,
     "SELECT m.id, m.encoding, m.segments, m.test, t.body, t.sender, t.params, r.numbers"
     " FROM batch AS b"
     " JOIN message AS m ON m.id = b.message_id"
     " JOIN message_text AS t ON t.message_id = m.id"
     " JOIN batch_recipients AS r ON r.batch_id = b.id"
     " WHERE b.id = ? AND b.state = 0"},
    {Query::kClaim,
     "UPDATE batch SET state = 1, attempt = ?2, claimed_at = ?3"
     " WHERE id = ?1 AND state = 0"},
    {Query::kRecord,
     "UPDATE batch SET state = ?3, done_at = ?4, not_before = coalesce(?5, not_before),"
     " reason = ?6, code = ?7, gateway_ref = ?8"
     " WHERE id = ?1 AND state = ?2"},
    {Query::kMessageOfBatch, "SELECT message_id FROM batch WHERE id = ?"},
    {Query::kInsertRejected,
     "INSERT OR IGNORE INTO batch_rejected (batch_id, recipient) VALUES (?, ?)"},
    {Query::kDeleteRecipients, "DELETE FROM batch_recipients WHERE batch_id = ?"},
    {Query::kCloseBatch, "UPDATE message SET open_batches = open_batches - 1 WHERE id = ?"},
    {Query::kDeleteText,
     "DELETE FROM message_text WHERE message_id = ?1"
     " AND (SELECT open_batches FROM message WHERE id = ?1) = 0"},
    {Query::kBatchesOfMessage,
     "SELECT id, state, recipients, cost, attempt, claimed_at, done_at, reason, code,"
     " gateway_ref"
     " FROM batch WHERE id BETWEEN ?1 AND ?2 AND message_id = ?3 ORDER BY id"},
    {Query::kRejectedOfBatch,
     "SELECT recipient FROM batch_rejected WHERE batch_id = ? ORDER BY recipient"},
    {Query::kPutTemplate,
     "INSERT OR REPLACE INTO template"
     " (id, body, class, sender, params, max_chars, max_segments, smart)"
     " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
    {Query::kDropTemplate, "DELETE FROM template WHERE id = ?"},
    {Query::kInsertRate,
     "INSERT INTO rate (at, old, new, cause, epoch, measured) VALUES (?, ?, ?, ?, ?, ?)"},
    {Query::kTrimRates, "DELETE FROM rate WHERE id <= last_insert_rowid() - ?"},
    {Query::kRates, "SELECT " WEIR_RATE_COLUMNS
                    " FROM rate WHERE at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?"},
    {Query::kPutLevels, "INSERT OR REPLACE INTO levels VALUES (1, ?, ?, ?, ?, ?, ?)"},
    {Query::kProbe,
     "INSERT INTO meta (name, value) VALUES ('probes', 1)"
     " ON CONFLICT (name) DO UPDATE SET value = value + 1"},
    {Query::kClaimsBecomeUnknown,
     "UPDATE batch SET state = 4, reason = 'restart', done_at = ? WHERE state = 1"},
    {Query::kPendingBatches,
     "SELECT id, lane, class, priority, cost, recipients, attempt, not_before, eligible,"
     " deadline FROM batch WHERE state = 0 ORDER BY id"},
    {Query::kUnknownBatches, "SELECT count(*) FROM batch WHERE state = 4"},
    {Query::kLastRate,
     "SELECT " WEIR_RATE_COLUMNS " FROM rate WHERE id = (SELECT max(id) FROM rate)"},
    {Query::kLastOutcome,
     "SELECT done_at FROM batch WHERE state IN (2, 3, 5, 6) AND done_at >= 0"
     " ORDER BY done_at DESC LIMIT 1"},
    {Query::kLevels,
     "SELECT boot, mono_ns, account, otp, transactional, promotional FROM levels"
     " WHERE id = 1"},
    {Query::kDropLevels, "DELETE FROM levels WHERE id = 1"},
};

constexpr bool in_order() {
  for (size_t i = 0; i < std::size(kSql); ++i) {
    if (static_cast<size_t>(kSql[i].query) != i) return false;
  }
  return std::size(kSql) == kQueries;
}
static_assert(in_order());

}  // namespace

const char* sql_of(Query query) {
  return kSql[static_cast<size_t>(query)].text;
}

Result<Statements> Statements::prepare(Connection& connection) {
  std::vector<Statement> prepared;
  prepared.reserve(kQueries);
  for (size_t i = 0; i < kQueries; ++i) {
    Result<Statement> statement = Statement::prepare(connection, sql_of(static_cast<Query>(i)));
    if (!statement) return statement.error();
    prepared.push_back(std::move(*statement));
  }
  return Statements(std::move(prepared));
}

}  // namespace weir
