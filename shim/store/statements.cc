// SPDX-License-Identifier: Apache-2.0
#include "shim/store/statements.h"

// In the order in which message_row.cc reads them.
#define WEIR_MESSAGE_COLUMNS                                                          \
  "id, class, lane, priority, encoding, units, segments, recipients, cost, created, " \
  "deadline, not_before, key, hash_high, hash_low, tag, test, first_batch, last_batch"

// In the order in which ceiling_row.cc reads them.
#define WEIR_RATE_COLUMNS "at, old, new, cause, epoch, measured"

namespace weir {

const char* sql_of(Query query) {
  switch (query) {
    // IMMEDIATE: a transaction that begins as a reader can fail half-way when it comes to write.
    case Query::kBegin: return "BEGIN IMMEDIATE";
    case Query::kCommit: return "COMMIT";
    case Query::kRollback: return "ROLLBACK";
    case Query::kSavepoint: return "SAVEPOINT one_message";
    case Query::kRollbackToSavepoint: return "ROLLBACK TO one_message";
    case Query::kReleaseSavepoint: return "RELEASE one_message";
    case Query::kInsertMessage:
      return "INSERT INTO message (" WEIR_MESSAGE_COLUMNS
             ", open_batches)"
             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
             " ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING";
    case Query::kInsertText: return "INSERT INTO message_text VALUES (?, ?, ?, ?)";
    case Query::kInsertBatch:
      return "INSERT INTO batch (id, message_id, lane, class, priority, state, cost, recipients,"
             " attempt, not_before, eligible, deadline, claimed_at)"
             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    case Query::kInsertRecipients: return "INSERT INTO batch_recipients VALUES (?, ?)";
    case Query::kMessageByKey: return "SELECT " WEIR_MESSAGE_COLUMNS " FROM message WHERE key = ?";
    case Query::kMessageById: return "SELECT " WEIR_MESSAGE_COLUMNS " FROM message WHERE id = ?";
    case Query::kPayload:
      return "SELECT m.id, m.encoding, m.segments, m.test, t.body, t.sender, t.params, r.numbers"
             " FROM batch AS b"
             " JOIN message AS m ON m.id = b.message_id"
             " JOIN message_text AS t ON t.message_id = m.id"
             " JOIN batch_recipients AS r ON r.batch_id = b.id"
             " WHERE b.id = ? AND b.state = 0";
    case Query::kClaim:
      return "UPDATE batch SET state = 1, attempt = ?2, claimed_at = ?3"
             " WHERE id = ?1 AND state = 0";
    case Query::kRecord:
      return "UPDATE batch SET state = ?3, done_at = ?4, not_before = coalesce(?5, not_before),"
             " reason = ?6, code = ?7, gateway_ref = ?8"
             " WHERE id = ?1 AND state = ?2";
    case Query::kMessageOfBatch: return "SELECT message_id FROM batch WHERE id = ?";
    case Query::kInsertRejected:
      return "INSERT OR IGNORE INTO batch_rejected (batch_id, recipient) VALUES (?, ?)";
    case Query::kDeleteRecipients: return "DELETE FROM batch_recipients WHERE batch_id = ?";
    case Query::kCloseBatch:
      return "UPDATE message SET open_batches = open_batches - 1 WHERE id = ?";
    case Query::kDeleteText:
      return "DELETE FROM message_text WHERE message_id = ?1"
             " AND (SELECT open_batches FROM message WHERE id = ?1) = 0";
    case Query::kBatchesOfMessage:
      return "SELECT id, state, recipients, cost, attempt, claimed_at, done_at, reason, code,"
             " gateway_ref"
             " FROM batch WHERE id BETWEEN ?1 AND ?2 AND message_id = ?3 ORDER BY id";
    case Query::kRejectedOfBatch:
      return "SELECT recipient FROM batch_rejected WHERE batch_id = ? ORDER BY recipient";
    case Query::kPutTemplate:
      return "INSERT OR REPLACE INTO template"
             " (id, body, class, sender, params, max_chars, max_segments, smart)"
             " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    case Query::kDropTemplate: return "DELETE FROM template WHERE id = ?";

    case Query::kInsertRate:
      return "INSERT INTO rate (at, old, new, cause, epoch, measured) VALUES (?, ?, ?, ?, ?, ?)";
    case Query::kTrimRates: return "DELETE FROM rate WHERE id <= last_insert_rowid() - ?";
    case Query::kRates:
      return "SELECT " WEIR_RATE_COLUMNS
             " FROM rate WHERE at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?";
    case Query::kPutLevels: return "INSERT OR REPLACE INTO levels VALUES (1, ?, ?, ?, ?, ?, ?)";
    case Query::kProbe:
      return "INSERT INTO meta (name, value) VALUES ('probes', 1)"
             " ON CONFLICT (name) DO UPDATE SET value = value + 1";
    case Query::kClaimsBecomeUnknown:
      return "UPDATE batch SET state = 4, reason = 'restart', done_at = ? WHERE state = 1";
    case Query::kPendingBatches:
      return "SELECT id, lane, class, priority, cost, recipients, attempt, not_before, eligible,"
             " deadline FROM batch WHERE state = 0 ORDER BY id";
    case Query::kUnknownBatches: return "SELECT count(*) FROM batch WHERE state = 4";
    case Query::kLastRate:
      return "SELECT " WEIR_RATE_COLUMNS " FROM rate WHERE id = (SELECT max(id) FROM rate)";
    case Query::kLastOutcome:
      return "SELECT done_at FROM batch WHERE state IN (2, 3, 5, 6) AND done_at >= 0"
             " ORDER BY done_at DESC LIMIT 1";
    case Query::kLevels:
      return "SELECT boot, mono_ns, account, otp, transactional, promotional FROM levels"
             " WHERE id = 1";
    case Query::kDropLevels: return "DELETE FROM levels WHERE id = 1";
  }
  return nullptr;
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
