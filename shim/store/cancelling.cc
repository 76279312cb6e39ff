// SPDX-License-Identifier: Apache-2.0
#include "shim/store/cancelling.h"

#include <algorithm>
#include <limits>

#include "shim/store/row_values.h"

namespace weir {
namespace {

// A look at a row costs about a hundredth of taking it.
constexpr size_t kLookedAtForEachTaken = 16;

struct Found {
  BatchId batch{};
  std::optional<Lane> lane;
  std::optional<BatchState> state;
  Units cost;
  bool by_claim = false;  // a claim found it, since this cancel began
};

// The walk over what a command names, from its cursor on.
class Slice {
 public:
  Slice(Statements& statements, const Cancel& command, size_t rows, const Cancelling::Take& take)
      : statements_(statements),
        command_(command),
        take_(take),
        to_take_(rows),
        to_look_(rows * kLookedAtForEachTaken) {
    answer_.request = command.request;
    answer_.written = true;
    answer_.next = command.from;
  }

  std::optional<Cancelled> run() {
    while (to_look_ > 0 && to_take_ > 0) {
      std::optional<MessageRow> row = next_message();
      if (failed_) return std::nullopt;
      answer_.done = !row;
      if (answer_.done) break;
      enter(*row);
      if (!take_batches(*row)) return std::nullopt;
    }
    return std::move(answer_);
  }

 private:
  // The message of the cursor, as long as it may have more batches; then the one after it.
  std::optional<MessageRow> next_message() {
    const CancelTarget& target = command_.target;
    const int64_t from = raw(answer_.next.message);
    std::optional<MessageRow> row;
    if (!target.tag.empty()) {
      row = one(Query::kTaggedFrom, {std::string_view(target.tag), from, raw(command_.before)});
      if (row && ended(*row)) {
        row =
            one(Query::kTaggedFrom, {std::string_view(target.tag), from + 1, raw(command_.before)});
      }
      return row;
    }
    row = target.message ? one(Query::kMessageById, {raw(*target.message)})
                         : one(Query::kMessageByKey, {std::string_view(target.key)});
    const bool covered = row && raw(row->message.id) < raw(command_.before) && !ended(*row);
    return covered ? std::move(row) : std::nullopt;
  }

  bool ended(const MessageRow& row) const {
    return row.message.id == answer_.next.message && raw(answer_.next.batch) >= raw(row.last_batch);
  }

  std::optional<MessageRow> one(Query query, std::initializer_list<Value> values) {
    Rows rows(statements_[query], values);
    if (!rows.next()) {
      failed_ |= rows.failed();
      return std::nullopt;
    }
    std::optional<MessageRow> row = message_row(rows);
    failed_ |= !row;
    return row;
  }

  void enter(const MessageRow& row) {
    if (row.message.id == answer_.next.message) return;
    answer_.counts.found += 1;
    answer_.next = {row.message.id, BatchId{raw(row.first_batch) - 1}, false};
    to_look_ -= 1;
  }

  bool take_batches(const MessageRow& row) {
    const size_t limit = std::min(to_take_, to_look_ + 1);
    std::vector<Found> found;
    {
      Rows rows(statements_[Query::kBatchesFrom],
                {raw(answer_.next.batch) + 1, raw(row.last_batch), raw(row.message.id),
                 static_cast<int64_t>(limit)});
      while (rows.next()) {
        const bool by_claim = !rows.is_null(4) && rows.integer(4) == command_.at.unix_ms();
        found.push_back({BatchId{rows.integer(0)}, lane_at(rows.integer(1)),
                         state_at(rows.integer(2)), Units::from_micro(rows.integer(3)), by_claim});
      }
      if (rows.failed()) return false;
    }
    for (const Found& one : found) {
      to_look_ -= std::min<size_t>(to_look_, 1);
      if (one.lane && one.state && !settle(row.message.id, one)) return false;
      answer_.next.batch = one.batch;
    }
    if (found.size() < limit) answer_.next.batch = row.last_batch;
    return true;
  }

  bool settle(MessageId message, const Found& one) {
    const bool pending = *one.state == BatchState::kPending;
    if (pending && !take_(one.batch, message, *one.lane, one.cost)) return false;
    if (!pending && !(*one.state == BatchState::kCancelled && one.by_claim)) {
      answer_.counts.left[index(*one.state)] += 1;
      if (*one.state == BatchState::kClaimed) answer_.under_way.push_back(one.batch);
      return true;
    }
    if (pending) {
      to_take_ -= std::min<size_t>(to_take_, 1);
      note(one.batch);
    }
    answer_.counts.batches += 1;
    answer_.counts.cost += one.cost;
    answer_.counts.messages += answer_.next.counted ? 0 : 1;
    answer_.next.counted = true;
    return true;
  }

  void note(BatchId batch) {
    std::vector<BatchRange>& ranges = answer_.batches;
    if (!ranges.empty() && raw(ranges.back().last) + 1 == raw(batch)) {
      ranges.back().last = batch;
    } else {
      ranges.push_back({batch, batch});
    }
  }

  Statements& statements_;
  const Cancel& command_;
  const Cancelling::Take& take_;
  size_t to_take_;
  size_t to_look_;
  bool failed_ = false;
  Cancelled answer_;
};

bool names(const Cancel& command, MessageId message, std::string_view key, std::string_view tag) {
  const CancelTarget& target = command.target;
  if (raw(message) >= raw(command.before)) return false;
  if (target.message) return message == *target.message;
  return target.tag.empty() ? key == target.key : tag == target.tag;
}

}  // namespace

std::optional<Cancelled> Cancelling::step(Statements& statements, const Cancel& command,
                                          size_t rows, const Take& take) {
  if (command.begin) {
    open_.push_back(command);
    Cancelled begun;
    begun.request = command.request;
    begun.written = true;
    begun.next = command.from;
    return begun;
  }
  std::optional<Cancelled> answer = Slice(statements, command, rows, take).run();
  if (answer && answer->done) give_up(command.request);
  return answer;
}

std::optional<WallTime> Cancelling::covers(MessageId message, std::string_view key,
                                           std::string_view tag) const {
  for (const Cancel& one : open_) {
    if (names(one, message, key, tag)) return one.at;
  }
  return std::nullopt;
}

void Cancelling::give_up(RequestId request) {
  std::erase_if(open_, [request](const Cancel& one) { return one.request == request; });
}

}  // namespace weir
