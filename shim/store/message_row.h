// SPDX-License-Identifier: Apache-2.0
//
// A row of the table `message`, both ways.
//
// Store's thread.
//
// Limits: a row that this program cannot have written (a lane or an encoding out of range) is
// nothing; the caller answers that it failed.
#pragma once

#include <optional>

#include "weir/message.h"

#include "shim/store/statements.h"

namespace weir {

struct MessageRow {
  Message message;
  // All batches of the message lie between these two ids, and perhaps some of others.
  BatchId first_batch{};
  BatchId last_batch{};
};

// `rows` stands on a row of kMessageByKey or kMessageById.
std::optional<MessageRow> message_row(const Rows& rows);

// `text` is where its text is, or will be by the end of the transaction. False: an error; the key
// was there when Connection::changes() is 0 afterwards.
bool insert_message_row(Statement& insert, const Draft& draft, int64_t text);

}  // namespace weir
