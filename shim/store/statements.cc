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
    {Query::kInsertMessage,
     "INSERT INTO message (" WEIR_MESSAGE_COLUMNS ", open_batches, text_id)"
     " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
     " ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING"},
    // Its own comparison, so that what leads to the row may be a guess.
    {Query::kReuseText,
     "UPDATE text SET uses = uses + 1"
     " WHERE id = ? AND body = ? AND sender IS ? AND params = ?"},
    {Query::kInsertText, "INSERT INTO text VALUES (?, 1, ?, ?, ?)"},
    {Query::kSetText, "UPDATE message SET text_id = ?2 WHERE id = ?1"},
    {Query::kInsertBatch,
     "INSERT INTO batch (id, message_id, lane, class, priority, state, cost, recipients,"
     " attempt, not_before, eligible, deadline, claimed_at, producer)"
     " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
    {Query::kInsertRecipients, "INSERT INTO batch_recipients VALUES (?, ?)"},
    {Query::kMessageByKey, "SELECT " WEIR_MESSAGE_COLUMNS " FROM message WHERE key = ?"},
    {Query::kMessageById, "SELECT " WEIR_MESSAGE_COLUMNS " FROM message WHERE id = ?"},
    {Query::kPayload,
     "SELECT m.id, m.encoding, m.segments, m.test, t.body, t.sender, t.params, r.numbers,"
     " b.lane, b.cost, m.key, m.tag"
     " FROM batch AS b"
     " JOIN message AS m ON m.id = b.message_id"
     " JOIN text AS t ON t.id = m.text_id"
     " JOIN batch_recipients AS r ON r.batch_id = b.id"
     " WHERE b.id = ? AND b.state = 0"},
    {Query::kClaim,
     "UPDATE batch SET state = 1, attempt = ?2, claimed_at = ?3"
     " WHERE id = ?1 AND state = 0"},
    {Query::kRecord,
     "UPDATE batch SET state = ?3, done_at = ?4, not_before = coalesce(?5, not_before),"
     " reason = ?6, code = ?7, gateway_ref = ?8"
     " WHERE id = ?1 AND state = ?2"},
    {Query::kBatchById, "SELECT message_id, lane, state, cost FROM batch WHERE id = ?"},
    {Query::kInsertRejected,
     "INSERT OR IGNORE INTO batch_rejected (batch_id, recipient) VALUES (?, ?)"},
    {Query::kDeleteRecipients, "DELETE FROM batch_recipients WHERE batch_id = ?"},
    {Query::kCloseBatch, "UPDATE message SET open_batches = open_batches - 1 WHERE id = ?"},
    {Query::kTextToRelease,
     "SELECT text_id FROM message WHERE id = ? AND open_batches = 0 AND text_id IS NOT NULL"},
    {Query::kForgetText, "UPDATE message SET text_id = NULL WHERE id = ?"},
    {Query::kDeleteText, "DELETE FROM text WHERE id = ? AND uses = 1"},
    {Query::kReleaseText, "UPDATE text SET uses = uses - 1 WHERE id = ?"},
    {Query::kUnknownOfMessage,
     "SELECT id, lane, cost FROM batch INDEXED BY batch_ledger"
     " WHERE state = 4 AND id BETWEEN ?1 AND ?2 AND message_id = ?3 ORDER BY id"},
    {Query::kResolve,
     "UPDATE batch SET state = ?2, done_at = ?3, reason = 'resolved', evidence = ?4"
     " WHERE id = ?1 AND state = 4"},
    {Query::kBatchesOfMessage,
     "SELECT id, state, recipients, cost, attempt, claimed_at, done_at, reason, code,"
     " gateway_ref, evidence"
     " FROM batch WHERE id BETWEEN ?1 AND ?2 AND message_id = ?3 ORDER BY id"},
    {Query::kRejectedOfBatch,
     "SELECT recipient FROM batch_rejected WHERE batch_id = ? ORDER BY recipient"},
    {Query::kMessagesBefore,
     "SELECT " WEIR_MESSAGE_COLUMNS " FROM message WHERE id < ? ORDER BY id DESC LIMIT 1"},
    {Query::kTaggedBefore, "SELECT " WEIR_MESSAGE_COLUMNS
                           " FROM message WHERE tag = ?2 AND id < ?1 ORDER BY id DESC LIMIT 1"},
    {Query::kPendingBefore,
     "SELECT message_id FROM batch WHERE state = 0 AND id < ? ORDER BY id DESC LIMIT 1"},
    {Query::kClaimedBefore,
     "SELECT message_id FROM batch WHERE state = 1 AND id < ? ORDER BY id DESC LIMIT 1"},
    {Query::kUnknownBefore,
     "SELECT message_id FROM batch INDEXED BY batch_ledger"
     " WHERE state = 4 AND id < ? ORDER BY id DESC LIMIT 1"},
    {Query::kTaggedFrom,
     "SELECT " WEIR_MESSAGE_COLUMNS " FROM message WHERE tag = ?1 AND id >= ?2 AND id < ?3"
     " ORDER BY id LIMIT 1"},
    {Query::kBatchesFrom,
     "SELECT id, lane, state, cost, done_at FROM batch"
     " WHERE id BETWEEN ?1 AND ?2 AND message_id = ?3 ORDER BY id LIMIT ?4"},
    {Query::kCancel,
     "UPDATE batch SET state = 6, done_at = ?2, reason = 'cancelled'"
     " WHERE id = ?1 AND state = 0"},
    {Query::kFinalBatchesBefore,
     "SELECT id, message_id, lane, state, cost FROM batch"
     " WHERE state IN (2, 3, 5, 6) AND done_at < ? ORDER BY done_at LIMIT ?"},
    {Query::kDeleteBatch, "DELETE FROM batch WHERE id = ?"},
    {Query::kDeleteRejected, "DELETE FROM batch_rejected WHERE batch_id = ?"},
    // A message with a key stays as long as its key.
    {Query::kDeleteMessage,
     "DELETE FROM message WHERE id = ?1 AND key IS NULL AND open_batches = 0"
     " AND NOT EXISTS (SELECT 1 FROM batch"
     " WHERE batch.id BETWEEN first_batch AND last_batch AND batch.message_id = ?1)"},
    {Query::kMessagesFrom, "SELECT id, created FROM message WHERE id > ? ORDER BY id LIMIT ?"},
    {Query::kDeleteOldMessage,
     "DELETE FROM message WHERE id = ?1 AND open_batches = 0"
     " AND NOT EXISTS (SELECT 1 FROM batch"
     " WHERE batch.id BETWEEN first_batch AND last_batch AND batch.message_id = ?1)"},
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
     "INSERT INTO setting (name, value) VALUES ('probes', '1')"
     " ON CONFLICT (name) DO UPDATE SET value = value + 1"},
    {Query::kTallies, "SELECT lane, state, batches, cost, entered FROM tally WHERE lane >= 0"},
    {Query::kPutTally, "INSERT OR REPLACE INTO tally VALUES (?, ?, ?, ?, ?)"},
    {Query::kSetting, "SELECT value FROM setting WHERE name = ?"},
    {Query::kPutSetting, "INSERT OR REPLACE INTO setting VALUES (?, ?)"},
    {Query::kDropSetting, "DELETE FROM setting WHERE name = ?"},
    // ! is the character after the blank.
    {Query::kStops,
     "SELECT name, value FROM setting WHERE name >= 'stop ' AND name < 'stop!' ORDER BY name"},
    {Query::kOldestUnknown,
     "SELECT done_at FROM batch INDEXED BY batch_unknown"
     " WHERE state = 4 ORDER BY done_at LIMIT 1"},
    {Query::kNewestTexts,
     "SELECT id, body, sender, params FROM text WHERE id > 0 ORDER BY id DESC LIMIT ?"},
    {Query::kClaimedBatches, "SELECT lane, cost FROM batch WHERE state = 1"},
    {Query::kClaimsBecomeUnknown,
     "UPDATE batch SET state = 4, reason = 'restart', done_at = ? WHERE state = 1"},
    {Query::kPendingBatches,
     "SELECT id, lane, class, priority, cost, attempt, not_before, eligible, deadline, producer"
     " FROM batch WHERE state = 0 ORDER BY id"},
    {Query::kUnknownBatches,
     "SELECT lane, cost FROM batch INDEXED BY batch_unknown WHERE state = 4"},
    // Newest first. CROSS keeps the order of the loops, which is the order of the rows; without
    // the plus SQLite would make an index of all batches by message.
    {Query::kGuardedSince,
     "SELECT b.id, m.created, b.recipients, r.numbers"
     " FROM message AS m"
     " CROSS JOIN batch AS b ON b.id BETWEEN m.first_batch AND m.last_batch"
     " AND +b.message_id = m.id"
     " LEFT JOIN batch_recipients AS r ON r.batch_id = b.id"
     " WHERE m.id > ?1 AND m.class = ?2 AND m.created > ?3"
     " ORDER BY m.id DESC, b.id DESC"},
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
