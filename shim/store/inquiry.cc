// SPDX-License-Identifier: Apache-2.0
#include "shim/store/inquiry.h"

#include "shim/store/message_row.h"
#include "shim/store/row_values.h"

namespace weir {
namespace {

// The order of the columns in kBatchesOfMessage.
enum Column : int {
  kId,
  kState,
  kRecipients,
  kCost,
  kAttempt,
  kClaimedAt,
  kDoneAt,
  kReason,
  kCode,
  kGatewayRef,
  kEvidence,
};

std::optional<WallTime> time_or_none(const Rows& rows, int column) {
  if (rows.is_null(column)) return std::nullopt;
  return WallTime::from_unix_ms(rows.integer(column));
}

BatchReport batch_row(const Rows& rows) {
  BatchReport report;
  report.id = BatchId{rows.integer(kId)};
  report.state = static_cast<BatchState>(rows.integer(kState));
  report.recipients = static_cast<uint32_t>(rows.integer(kRecipients));
  report.cost = Units::from_micro(rows.integer(kCost));
  report.attempt = static_cast<uint16_t>(rows.integer(kAttempt));
  report.claimed_at = time_or_none(rows, kClaimedAt);
  report.done_at = time_or_none(rows, kDoneAt);
  report.reason = rows.text(kReason);
  report.code = rows.text(kCode);
  report.gateway_ref = rows.text(kGatewayRef);
  report.evidence = rows.text(kEvidence);
  return report;
}

bool read_rejected(Statements& statements, BatchReport& report) {
  Rows rows(statements[Query::kRejectedOfBatch], {raw(report.id)});
  while (rows.next())
    report.rejected.push_back({static_cast<uint64_t>(rows.integer(0))});
  return !rows.failed();
}

// Counts all batches of a message and shows each; how many there are.
template <typename Show>
std::optional<uint64_t> read_states(Statements& statements, const MessageRow& row,
                                    std::array<StateCount, kBatchStates>& states, Show show) {
  uint64_t all = 0;
  Rows rows(statements[Query::kBatchesOfMessage],
            {raw(row.first_batch), raw(row.last_batch), raw(row.message.id)});
  while (rows.next()) {
    const std::optional<BatchState> state = state_at(rows.integer(kState));
    if (!state) return std::nullopt;
    StateCount& count = states[index(*state)];
    ++all;
    ++count.batches;
    count.recipients += static_cast<uint64_t>(rows.integer(kRecipients));
    show(*state, rows);
  }
  if (rows.failed()) return std::nullopt;
  return all;
}

bool read_batches(Statements& statements, const MessageRow& row, MessageReport& report) {
  const auto keep = [&report](BatchState, const Rows& rows) {
    if (report.batches.size() == MessageReport::kBatchesShown) return;
    report.batches.push_back(batch_row(rows));
  };
  if (!read_states(statements, row, report.states, keep)) return false;
  for (BatchReport& batch : report.batches) {
    if (!read_rejected(statements, batch)) return false;
  }
  return true;
}

}  // namespace

std::optional<uint64_t> summarize(Statements& statements, const MessageRow& row,
                                  std::optional<BatchState> wanted, MessageSummary& summary) {
  const auto find_reason = [&](BatchState state, const Rows& rows) {
    if (!summary.reason.empty() || (wanted && state != *wanted)) return;
    summary.reason = rows.text(kReason);
  };
  return read_states(statements, row, summary.states, find_reason);
}

Found find_message(Statements& statements, const FindMessage& command) {
  Found answer;
  answer.request = command.request;
  std::optional<MessageRow> row;
  {
    Rows rows(statements[Query::kMessageById], {raw(command.id)});
    if (!rows.next()) {
      answer.result = rows.failed() ? Found::Result::kFailed : Found::Result::kNone;
      return answer;
    }
    row = message_row(rows);
  }
  if (row && read_batches(statements, *row, answer.report)) {
    answer.report.message = std::move(row->message);
    answer.result = Found::Result::kFound;
  }
  return answer;
}

}  // namespace weir
