// SPDX-License-Identifier: Apache-2.0
#include "shim/store/listing.h"

#include <limits>
#include <utility>

#include "shim/store/inquiry.h"
#include "shim/store/message_row.h"

namespace weir {
namespace {

std::optional<Query> query_of(const std::optional<BatchState>& state) {
  if (state == BatchState::kPending) return Query::kPendingBefore;
  if (state == BatchState::kClaimed) return Query::kClaimedBefore;
  if (state == BatchState::kUnknown) return Query::kUnknownBefore;
  return std::nullopt;
}

// The walk: the next message below a message id. Batches get their ids in the order of their
// messages, so a walk over the batches of a state is one over messages.
class Walk {
 public:
  Walk(Statements& statements, const ListMessages& command)
      : statements_(statements),
        command_(command),
        message_(command.before ? raw(*command.before) : std::numeric_limits<int64_t>::max()) {}

  bool start() {
    const bool by_batches = command_.key.empty() && query_of(command_.state);
    if (!by_batches || !command_.before) return true;
    // The cursor names a message; it may have left since, its elder neighbour has not.
    std::optional<MessageRow> row = one(Query::kMessagesBefore, {message_});
    batch_ = row ? raw(row->last_batch) + 1 : 0;
    return !failed_;
  }

  std::optional<MessageRow> next() {
    std::optional<MessageRow> row = find();
    if (row) {
      message_ = raw(row->message.id);
      batch_ = raw(row->first_batch);
    }
    return row;
  }

  bool failed() const { return failed_; }
  int64_t reached() const { return message_; }

 private:
  std::optional<MessageRow> find() {
    if (!command_.key.empty()) {
      if (std::exchange(key_done_, true)) return std::nullopt;
      std::optional<MessageRow> row = one(Query::kMessageByKey, {std::string_view(command_.key)});
      return row && raw(row->message.id) < message_ ? std::move(row) : std::nullopt;
    }
    if (const std::optional<Query> query = query_of(command_.state)) {
      int64_t found = 0;
      {
        Rows rows(statements_[*query], {batch_});
        if (!rows.next()) {
          failed_ |= rows.failed();
          return std::nullopt;
        }
        found = rows.integer(0);
      }
      return one(Query::kMessageById, {found});
    }
    if (!command_.tag.empty()) {
      return one(Query::kTaggedBefore, {message_, std::string_view(command_.tag)});
    }
    return one(Query::kMessagesBefore, {message_});
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

  Statements& statements_;
  const ListMessages& command_;
  int64_t message_;
  int64_t batch_ = std::numeric_limits<int64_t>::max();
  bool key_done_ = false;
  bool failed_ = false;
};

bool fits(const ListMessages& command, const Message& message) {
  return (command.class_name.empty() || message.class_name == command.class_name) &&
         (command.tag.empty() || message.tag == command.tag);
}

}  // namespace

Listed list_messages(Statements& statements, const ListMessages& command) {
  Listed answer;
  answer.request = command.request;
  Walk walk(statements, command);
  if (!walk.start()) return answer;
  uint64_t looked_at = 0;
  bool ended = false;
  while (answer.messages.size() < command.limit && looked_at < kRowsLookedAt) {
    std::optional<MessageRow> row = walk.next();
    if (walk.failed()) return answer;
    ended = !row;
    if (ended) break;
    ++looked_at;
    if (!fits(command, row->message)) continue;
    MessageSummary summary;
    std::optional<uint64_t> batches = summarize(statements, *row, command.state, summary);
    if (!batches) return answer;
    looked_at += *batches;
    if (command.state && summary.states[index(*command.state)].batches == 0) continue;
    summary.message = std::move(row->message);
    answer.messages.push_back(std::move(summary));
  }
  if (!ended) answer.next = MessageId{walk.reached()};
  answer.failed = false;
  return answer;
}

}  // namespace weir
