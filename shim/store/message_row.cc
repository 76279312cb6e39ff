// SPDX-License-Identifier: Apache-2.0
#include "shim/store/message_row.h"

#include <algorithm>

#include "shim/store/row_values.h"

namespace weir {
namespace {

// The order of the columns in kMessageByKey and kMessageById.
enum Column : int {
  kId,
  kClass,
  kLane,
  kPriority,
  kEncoding,
  kUnits,
  kSegments,
  kRecipients,
  kCost,
  kCreated,
  kDeadline,
  kNotBefore,
  kKey,
  kHashHigh,
  kHashLow,
  kTag,
  kTest,
  kFirstBatch,
  kLastBatch,
};

}  // namespace

std::optional<MessageRow> message_row(const Rows& rows) {
  constexpr size_t kEncodings = 2;
  if (!below(rows.integer(kLane), kLanes) || !below(rows.integer(kPriority), kPriorities) ||
      !below(rows.integer(kEncoding), kEncodings)) {
    return std::nullopt;
  }
  MessageRow row;
  Message& message = row.message;
  message.id = MessageId{rows.integer(kId)};
  message.class_name = rows.text(kClass);
  message.lane = static_cast<Lane>(rows.integer(kLane));
  message.priority = static_cast<uint8_t>(rows.integer(kPriority));
  message.encoding = static_cast<Encoding>(rows.integer(kEncoding));
  message.units = static_cast<uint32_t>(rows.integer(kUnits));
  message.segments = static_cast<uint32_t>(rows.integer(kSegments));
  message.recipients = static_cast<uint32_t>(rows.integer(kRecipients));
  message.cost = Units::from_micro(rows.integer(kCost));
  message.created = WallTime::from_unix_ms(rows.integer(kCreated));
  message.deadline = WallTime::from_unix_ms(rows.integer(kDeadline));
  message.not_before = WallTime::from_unix_ms(rows.integer(kNotBefore));
  message.key = rows.text(kKey);
  message.hash.high = static_cast<uint64_t>(rows.integer(kHashHigh));
  message.hash.low = static_cast<uint64_t>(rows.integer(kHashLow));
  message.tag = rows.text(kTag);
  message.test = rows.integer(kTest) != 0;
  row.first_batch = BatchId{rows.integer(kFirstBatch)};
  row.last_batch = BatchId{rows.integer(kLastBatch)};
  return row;
}

bool insert_message_row(Statement& insert, const Draft& draft, int64_t text) {
  const auto [first, last] =
      std::minmax_element(draft.batches.begin(), draft.batches.end(),
                          [](const BatchCut& a, const BatchCut& b) { return a.id < b.id; });
  const Message& message = draft.message;
  return insert.run({
      raw(message.id),
      message.class_name,
      static_cast<int64_t>(message.lane),
      int64_t{message.priority},
      static_cast<int64_t>(message.encoding),
      int64_t{message.units},
      int64_t{message.segments},
      int64_t{message.recipients},
      message.cost.micro(),
      message.created.unix_ms(),
      message.deadline.unix_ms(),
      message.not_before.unix_ms(),
      text_or_null(message.key),
      static_cast<int64_t>(message.hash.high),
      static_cast<int64_t>(message.hash.low),
      text_or_null(message.tag),
      int64_t{message.test},
      raw(first->id),
      raw(last->id),
      static_cast<int64_t>(draft.batches.size()),
      text,
  });
}

}  // namespace weir
