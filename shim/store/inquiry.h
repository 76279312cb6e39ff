// SPDX-License-Identifier: Apache-2.0
//
// What a person asks of the database: a message, its batches, and what became of them.
//
// Store's thread, outside of a transaction, so that it sees what is committed and nothing else.
//
// Limits: it reads every batch of the message to count its states, about 0.3 us each; a message
// has at most max_recipients of them, and they stand side by side.
#pragma once

#include "shim/store/statements.h"
#include "shim/store/store.h"

namespace weir {

Found find_message(Statements& statements, const FindMessage& command);

}  // namespace weir
