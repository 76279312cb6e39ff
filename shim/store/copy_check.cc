// SPDX-License-Identifier: Apache-2.0
#include "shim/store/copy_check.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "shim/store/row_values.h"
#include "shim/store/schema.h"
#include "shim/store/sqlite.h"

namespace weir {
namespace {

// Faults that are told; of more, nobody learns more.
constexpr size_t kTold = 20;

// Each row of the answer is a fault; its one column says of what.
struct Rule {
  const char* broken;
  const char* sql;
};

constexpr Rule kRules[] = {
    {"the count of open batches is wrong: message ",
     "SELECT id FROM message WHERE open_batches <> (SELECT count(*) FROM batch"
     " WHERE batch.id BETWEEN first_batch AND last_batch AND batch.message_id = message.id"
     " AND state IN (0, 1, 4))"},
    {"the text is missing: message ",
     "SELECT id FROM message WHERE open_batches > 0"
     " AND NOT EXISTS (SELECT 1 FROM text WHERE text.id = message.text_id)"},
    {"the uses of a text are miscounted: text ",
     "SELECT text.id FROM text LEFT JOIN"
     " (SELECT text_id, count(*) AS uses FROM message WHERE text_id IS NOT NULL GROUP BY text_id)"
     " AS used ON used.text_id = text.id WHERE text.uses <> coalesce(used.uses, 0)"},
    {"the recipients are missing: batch ",
     "SELECT id FROM batch WHERE state IN (0, 1, 4)"
     " AND NOT EXISTS (SELECT 1 FROM batch_recipients WHERE batch_id = batch.id)"},
    {"the message is missing: batch ",
     "SELECT id FROM batch WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = message_id)"},
    {"recipients without their batch: ",
     "SELECT batch_id FROM batch_recipients"
     " WHERE NOT EXISTS (SELECT 1 FROM batch WHERE id = batch_id)"},
    {"the counter differs from the rows: lane and state ",
     "SELECT coalesce(t.lane, c.lane) || ' ' || coalesce(t.state, c.state) FROM"
     " (SELECT * FROM tally UNION ALL SELECT lane, state, 0, 0, 0 FROM batch"
     "  WHERE NOT EXISTS (SELECT 1 FROM tally WHERE tally.lane = batch.lane"
     "   AND tally.state = batch.state) GROUP BY lane, state) AS t"
     " LEFT JOIN (SELECT lane, state, count(*) AS batches, sum(cost) AS cost FROM batch"
     "  GROUP BY lane, state) AS c ON c.lane = t.lane AND c.state = t.state"
     " WHERE t.batches <> coalesce(c.batches, 0) OR t.cost <> coalesce(c.cost, 0)"},
};

class Check {
 public:
  Check(Connection& connection, CopyCheck& result) : connection_(connection), result_(result) {}

  Status run() {
    if (Status done = connection_.run("PRAGMA locking_mode = EXCLUSIVE"); !done) return done;
    if (Status done = check_identity(connection_); !done) return done;
    if (Status done = collect("", "PRAGMA quick_check(20)", "ok"); !done) return done;
    for (const Rule& rule : kRules) {
      if (Status done = collect(rule.broken, rule.sql, ""); !done) return done;
    }
    return count();
  }

 private:
  Status collect(const std::string& broken, const char* sql, std::string_view good) {
    Result<Statement> statement = Statement::prepare(connection_, sql);
    if (!statement) return statement.error();
    Rows rows(*statement, {});
    while (result_.faults.size() < kTold && rows.next()) {
      if (rows.bytes(0) != good) result_.faults.push_back(broken + rows.text(0));
    }
    return rows.failed() ? Status(Error{connection_.error()}) : Done{};
  }

  Status count() {
    const Result<std::string> messages = connection_.ask("SELECT count(*) FROM message");
    if (!messages) return messages.error();
    result_.messages = std::strtoull(messages->c_str(), nullptr, 10);
    Result<Statement> statement = Statement::prepare(
        connection_, "SELECT lane, state, count(*), sum(cost) FROM batch GROUP BY lane, state");
    if (!statement) return statement.error();
    Rows rows(*statement, {});
    while (rows.next()) {
      const std::optional<Lane> lane = lane_at(rows.integer(0));
      const std::optional<BatchState> state = state_at(rows.integer(1));
      if (!lane || !state) continue;
      result_.tallies[index(*lane)][index(*state)] = {rows.integer(2),
                                                      Units::from_micro(rows.integer(3)), 0};
    }
    return rows.failed() ? Status(Error{connection_.error()}) : Done{};
  }

  Connection& connection_;
  CopyCheck& result_;
};

}  // namespace

CopyCheck check_copy(const std::string& path) {
  CopyCheck result;
  std::error_code unknown;
  result.bytes = std::filesystem::file_size(path, unknown);
  if (unknown) {
    result.faults.push_back(path + ": " + unknown.message());
    return result;
  }
  Result<Connection> connection = Connection::open(path);
  const Status done = connection ? Check(*connection, result).run() : Status(connection.error());
  if (!done) result.faults.push_back(done.error().detail);
  result.whole = result.faults.empty();
  return result;
}

}  // namespace weir
