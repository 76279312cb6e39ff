// SPDX-License-Identifier: Apache-2.0
//
// What a person asks of the database: a message, its batches, and what became of them.
//
// Store's thread, outside of a transaction, so that it sees what is committed and nothing else.
//
// Limits: it reads every batch of the message to count its states, about 0.3 us each; a message
// has at most max_recipients of them, and they stand side by side.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "shim/store/message_row.h"
#include "shim/store/reports.h"
#include "shim/store/statements.h"

namespace weir {

Found find_message(Statements& statements, const FindMessage& command);

// Adds up the batches of a message by state, and finds the first reason, if a state is given of a
// batch in it; how many there are, or nothing when they cannot be read.
std::optional<uint64_t> summarize(Statements& statements, const MessageRow& row,
                                  std::optional<BatchState> wanted, MessageSummary& summary);

}  // namespace weir
