// SPDX-License-Identifier: Apache-2.0
#include "shim/store/restore.h"

#include <cstdlib>
#include <string>

#include "shim/store/ceiling_row.h"
#include "shim/store/template_row.h"

namespace weir {
namespace {

// The order of the columns in kPendingBatches.
enum Column : int {
  kId,
  kLane,
  kClass,
  kPriority,
  kCost,
  kRecipients,
  kAttempt,
  kNotBefore,
  kEligible,
  kDeadline,
};

Restored::Pending pending_row(const Rows& rows) {
  Restored::Pending pending;
  pending.lane = static_cast<Lane>(rows.integer(kLane));
  pending.class_name = rows.text(kClass);
  pending.not_before = WallTime::from_unix_ms(rows.integer(kNotBefore));
  Head& head = pending.head;
  head.id = BatchId{rows.integer(kId)};
  head.cost = Units::from_micro(rows.integer(kCost));
  head.deadline = WallTime::from_unix_ms(rows.integer(kDeadline));
  head.eligible = WallTime::from_unix_ms(rows.integer(kEligible));
  head.recipients = static_cast<uint32_t>(rows.integer(kRecipients));
  head.attempt = static_cast<uint16_t>(rows.integer(kAttempt));
  head.priority = static_cast<uint8_t>(rows.integer(kPriority));
  return pending;
}

// What must be on disk before anything is done with what was found.
Status settle(Connection& connection, Statements& statements, WallTime now, const std::string& boot,
              Restored& restored) {
  if (statements[Query::kBegin].run() &&
      statements[Query::kClaimsBecomeUnknown].run({now.unix_ms()}) &&
      take_levels(statements, boot, restored.levels) && statements[Query::kCommit].run()) {
    return Done{};
  }
  Error error{"cannot write to the database: " + connection.error()};
  if (connection.in_transaction()) statements[Query::kRollback].run();
  return error;
}

Status read_pending(Connection& connection, Statements& statements, Restored& restored) {
  Rows rows(statements[Query::kPendingBatches], {});
  while (rows.next()) {
    const int64_t lane = rows.integer(kLane);
    const int64_t priority = rows.integer(kPriority);
    if (lane < 0 || lane >= static_cast<int64_t>(kLanes) || priority < 0 ||
        priority >= kPriorities) {
      return Error{"batch " + std::to_string(rows.integer(kId)) + " has lane " +
                   std::to_string(lane) + " and priority " + std::to_string(priority) +
                   ", which no weir writes; the file was changed by something else"};
    }
    restored.pending.push_back(pending_row(rows));
  }
  if (rows.failed()) return Error{"cannot read what is pending: " + connection.error()};
  return Done{};
}

// The next id of a table. AUTOINCREMENT keeps the highest one ever used, so that an id never
// returns, not even when its row is gone.
Result<int64_t> next_id(Connection& connection, const std::string& table) {
  const std::string sql = "SELECT seq FROM sqlite_sequence WHERE name = '" + table + "'";
  Result<std::string> highest = connection.ask(sql.c_str());
  if (!highest) return highest.error();
  return std::atoll(highest->c_str()) + 1;
}

}  // namespace

Result<Restored> restore(Connection& connection, Statements& statements, WallTime now,
                         const std::string& boot_id) {
  Restored restored;
  Status settled = settle(connection, statements, now, boot_id, restored);
  if (!settled) return settled.error();
  Status read = read_pending(connection, statements, restored);
  if (!read) return read.error();

  if (!read_last_rate(statements, restored.last_rate) ||
      !read_last_outcome(statements, restored.last_outcome)) {
    return Error{"cannot read the ceiling's history: " + connection.error()};
  }

  Status templates = read_templates(connection, restored.templates);
  if (!templates) return templates.error();

  Result<int64_t> message = next_id(connection, "message");
  if (!message) return message.error();
  Result<int64_t> batch = next_id(connection, "batch");
  if (!batch) return batch.error();
  restored.next_message = MessageId{*message};
  restored.next_batch = BatchId{*batch};

  Result<std::string> unknown = connection.ask(sql_of(Query::kUnknownBatches));
  if (!unknown) return unknown.error();
  restored.unknown_batches = static_cast<uint64_t>(std::atoll(unknown->c_str()));
  return restored;
}

}  // namespace weir
