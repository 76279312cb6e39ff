// SPDX-License-Identifier: Apache-2.0
#include "shim/store/restore.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "shim/store/ceiling_row.h"
#include "shim/store/guarded_rows.h"
#include "shim/store/producer_names.h"
#include "shim/store/recent_texts.h"
#include "shim/store/row_values.h"
#include "shim/store/stop_setting.h"
#include "shim/store/template_row.h"

namespace weir {
namespace {

// A setting of the file: the run that wrote last.
constexpr std::string_view kRun = "run";

// The order of the columns in kPendingBatches.
enum Column : int {
  kId,
  kLane,
  kClass,
  kPriority,
  kCost,
  kAttempt,
  kNotBefore,
  kEligible,
  kDeadline,
  kProducer,
};

// By recount: batches and cost of each lane in one state.
using Recount = std::array<std::pair<int64_t, Units>, kLanes>;

Restored::Pending pending_row(const Rows& rows, const ProducersByName& producers) {
  Restored::Pending pending;
  pending.lane = static_cast<Lane>(rows.integer(kLane));
  pending.class_name = rows.text(kClass);
  pending.not_before = WallTime::from_unix_ms(rows.integer(kNotBefore));
  Head& head = pending.head;
  head.id = BatchId{rows.integer(kId)};
  head.cost = Units::from_micro(rows.integer(kCost));
  head.deadline = WallTime::from_unix_ms(rows.integer(kDeadline));
  head.eligible = WallTime::from_unix_ms(rows.integer(kEligible));
  head.attempt = static_cast<uint16_t>(rows.integer(kAttempt));
  head.priority = static_cast<uint8_t>(rows.integer(kPriority));
  head.producer = producers.find(rows.bytes(kProducer));
  return pending;
}

class Start {
 public:
  Start(Connection& connection, Statements& statements, TallyBook& tallies,
        const StoreOptions& options)
      : connection_(connection), statements_(statements), tallies_(tallies), options_(options) {}

  Result<RestoredFile> run(WallTime now) {
    Status done = read_pending();
    if (done) done = read_next_ids();
    if (done) done = identify();
    if (done) done = recount();
    if (done) write_run_file();
    if (done) done = settle(now);
    if (done) done = read_rest();
    if (done && !read_guarded(statements_, options_.guarded, now, found_.restored.guarded)) {
      return failed("read what the guarded classes accepted");
    }
    if (!done) return done.error();
    return std::move(found_);
  }

 private:
  Error failed(const std::string& what) const {
    return Error{"cannot " + what + ": " + connection_.error()};
  }

  Status read_pending();
  Status read_next_ids();
  Status identify();
  Status recount();
  bool count(Query query, Recount& counted);
  void compare(BatchState state, const Recount& counted);
  bool claims_become_unknown(WallTime now);
  Status settle(WallTime now);
  Status read_rest();
  bool read_texts();
  Result<std::string> setting(std::string_view name);
  Result<int64_t> next_id(const std::string& table);
  void write_run_file();

  Connection& connection_;
  Statements& statements_;
  TallyBook& tallies_;
  const StoreOptions& options_;
  RestoredFile found_;
  Recount pending_{};
  Recount claimed_{};
  std::string run_before_;
  const std::string run_ = new_run();
};

Status Start::read_pending() {
  Restored& restored = found_.restored;
  const Tallies& known = tallies_.now();
  int64_t rows_expected = 0;
  for (Lane lane : kAllLanes)
    rows_expected += std::max<int64_t>(0, known[index(lane)][index(BatchState::kPending)].batches);
  // A vector that grows by itself would hold half as much again for a moment.
  restored.pending.reserve(static_cast<size_t>(std::min<int64_t>(rows_expected, 100'000'000)));
  const ProducersByName producers(options_.producers);
  Rows rows(statements_[Query::kPendingBatches], {});
  while (rows.next()) {
    const std::optional<Lane> lane = lane_at(rows.integer(kLane));
    const int64_t priority = rows.integer(kPriority);
    if (!lane || !below(priority, kPriorities)) {
      return Error{"batch " + std::to_string(rows.integer(kId)) + " has lane " +
                   std::to_string(rows.integer(kLane)) + " and priority " +
                   std::to_string(priority) +
                   ", which no weir writes; the file was changed by something else"};
    }
    restored.pending.push_back(pending_row(rows, producers));
    auto& [batches, cost] = pending_[index(*lane)];
    batches += 1;
    cost += restored.pending.back().head.cost;
  }
  if (rows.failed()) return failed("read what is pending");
  return Done{};
}

Result<std::string> Start::setting(std::string_view name) {
  Rows rows(statements_[Query::kSetting], {name});
  std::string value = rows.next() ? rows.text(0) : std::string();
  if (rows.failed()) return failed("read a setting");
  return value;
}

// Whether this is the file that weir wrote last in this place.
Status Start::identify() {
  const Result<std::string> run = setting(kRun);
  if (!run) return run.error();
  const Result<std::string> known = setting(kQuarantineSetting);
  if (!known) return known.error();
  run_before_ = *run;
  std::string& reason = found_.restored.quarantine;
  reason = *known;
  // What never held a message has nothing that could go out twice.
  if (!reason.empty() || found_.restored.next_message == MessageId{1}) return Done{};

  const std::optional<RunMark> mark = RunFile::read(options_.path + ".run");
  if (!mark && run->empty()) return Done{};  // of a version that knew of no runs
  if (!mark) {
    reason = "there is no " + std::filesystem::path(options_.path).filename().string() +
             ".run beside it, so it was copied here, or that file was removed";
  } else if (mark->run != *run && mark->before != *run) {
    reason = "another run wrote in this place last, so it is a copy from elsewhere or from before";
  } else if (mark->claims > tallies_.claims()) {
    reason = std::to_string(mark->claims - tallies_.claims()) +
             " calls were begun in this place that it does not know of, so it is an older copy";
  }
  return Done{};
}

bool Start::count(Query query, Recount& counted) {
  Rows rows(statements_[query], {});
  while (rows.next()) {
    const std::optional<Lane> lane = lane_at(rows.integer(0));
    if (!lane) continue;
    auto& [batches, cost] = counted[index(*lane)];
    batches += 1;
    cost += Units::from_micro(rows.integer(1));
  }
  return !rows.failed();
}

// Whether the counters are what the rows say. They are in the same transactions, so a difference
// means that something else wrote to the file, or a bug; the rows are right.
void Start::compare(BatchState state, const Recount& counted) {
  for (Lane lane : kAllLanes) {
    const auto& [batches, cost] = counted[index(lane)];
    const Tally known = tallies_.now()[index(lane)][index(state)];
    if (known.batches == batches && known.cost == cost) continue;
    found_.restored.notes.push_back("the file counted " + std::to_string(known.batches) + " " +
                                    std::string(name(state)) + " batches of lane " +
                                    std::string(name(lane)) + " and holds " +
                                    std::to_string(batches) + "; the counter was set right");
    tallies_.correct(lane, state, batches, cost);
  }
}

Status Start::recount() {
  Recount unknown{};
  if (!count(Query::kClaimedBatches, claimed_) || !count(Query::kUnknownBatches, unknown)) {
    return failed("count what is there");
  }
  compare(BatchState::kPending, pending_);
  compare(BatchState::kClaimed, claimed_);
  compare(BatchState::kUnknown, unknown);
  return Done{};
}

bool Start::claims_become_unknown(WallTime now) {
  for (Lane lane : kAllLanes) {
    const auto& [batches, cost] = claimed_[index(lane)];
    tallies_.leave(lane, BatchState::kClaimed, cost, batches);
    tallies_.enter(lane, BatchState::kUnknown, cost, batches);
  }
  return statements_[Query::kClaimsBecomeUnknown].run({now.unix_ms()});
}

// What must be on disk before anything is done with what was found.
Status Start::settle(WallTime now) {
  const std::string& quarantine = found_.restored.quarantine;
  Statement& put = statements_[Query::kPutSetting];
  if (statements_[Query::kBegin].run() && claims_become_unknown(now) &&
      take_levels(statements_, options_.boot_id, found_.restored.levels) &&
      put.run({kRun, std::string_view(run_)}) &&
      (quarantine.empty() || put.run({kQuarantineSetting, std::string_view(quarantine)})) &&
      tallies_.write(statements_) && statements_[Query::kCommit].run()) {
    tallies_.keep();
    return Done{};
  }
  const Error error = failed("write to the database");
  tallies_.forget();
  if (connection_.in_transaction()) statements_[Query::kRollback].run();
  return error;
}

// Before the database says the same, so that whatever ends a start in between, the file's `before`
// is what the database has. Without it the next start errs to the safe side: a quarantine.
void Start::write_run_file() {
  Result<RunFile> file = RunFile::create(
      options_.path + ".run", {.run = run_, .claims = tallies_.claims(), .before = run_before_});
  if (file) {
    found_.run_file = std::move(*file);
  } else {
    found_.restored.notes.push_back("cannot write " + options_.path +
                                    ".run: " + file.error().detail +
                                    "; the next start will take this file for a copy");
  }
}

// The next id of a table. AUTOINCREMENT keeps the highest one ever used, so that an id never
// returns, not even when its row is gone.
Result<int64_t> Start::next_id(const std::string& table) {
  const std::string sql = "SELECT seq FROM sqlite_sequence WHERE name = '" + table + "'";
  Result<std::string> highest = connection_.ask(sql.c_str());
  if (!highest) return highest.error();
  return std::atoll(highest->c_str()) + 1;
}

Status Start::read_next_ids() {
  const Result<int64_t> message = next_id("message");
  if (!message) return message.error();
  const Result<int64_t> batch = next_id("batch");
  if (!batch) return batch.error();
  found_.restored.next_message = MessageId{*message};
  found_.restored.next_batch = BatchId{*batch};
  return Done{};
}

bool Start::read_texts() {
  Rows rows(statements_[Query::kNewestTexts], {static_cast<int64_t>(RecentTexts::kTexts)});
  while (rows.next()) {
    found_.texts.emplace_back(RecentTexts::hash(rows.bytes(1), rows.bytes(2), rows.bytes(3)),
                              rows.integer(0));
  }
  std::reverse(found_.texts.begin(), found_.texts.end());
  return !rows.failed();
}

Status Start::read_rest() {
  Restored& restored = found_.restored;
  if (!read_last_rate(statements_, restored.last_rate) ||
      !read_last_outcome(statements_, restored.last_outcome)) {
    return failed("read the ceiling's history");
  }
  if (!read_texts()) return failed("read the texts");
  if (Status templates = read_templates(connection_, restored.templates); !templates) {
    return templates;
  }
  if (Status stops = read_stops(statements_, restored.stops); !stops) return stops;
  for (Lane lane : kAllLanes) {
    restored.unknown_batches +=
        static_cast<uint64_t>(tallies_.now()[index(lane)][index(BatchState::kUnknown)].batches);
  }
  return Done{};
}

}  // namespace

Result<RestoredFile> restore(Connection& connection, Statements& statements, TallyBook& tallies,
                             WallTime now, const StoreOptions& options) {
  if (!tallies.load(statements)) {
    return Error{"cannot read the counters: " + connection.error()};
  }
  return Start(connection, statements, tallies, options).run(now);
}

}  // namespace weir
