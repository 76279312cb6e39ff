// SPDX-License-Identifier: Apache-2.0
//
// The list of messages that a person asks for, newest first.
//
// Store's thread, outside of a transaction.
//
// Method. One condition leads, whichever narrows most and has an index: the key, then a state that
// few batches are in (pending, claimed, unknown), then the tag; without any of them the messages
// themselves are walked. What is found is then held against the other conditions.
//
// Limits: a request looks at kRowsLookedAt rows, more only to finish one message; what it has not
// come to is behind its cursor.
#pragma once

#include "shim/store/reports.h"
#include "shim/store/statements.h"

namespace weir {

inline constexpr uint64_t kRowsLookedAt = 4000;

Listed list_messages(Statements& statements, const ListMessages& command);

}  // namespace weir
