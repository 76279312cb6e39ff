// SPDX-License-Identifier: Apache-2.0
//
// What is done once, at start: claims of an earlier run become unknown, and what is pending is
// read.
//
// A claim that is found at start belongs to a call that may have left. Nobody knows, so it becomes
// `unknown` and is never sent again by itself; its recipients and text stay.
//
// The levels of the buckets are taken out in the same transaction, so that a run that crashes finds
// none.
//
// Called while the store is opened, before its thread runs.
//
// Limits: everything pending is read into memory at once, about 0.4 s for a million batches.
#pragma once

#include <string>

#include "weir/event.h"
#include "weir/result.h"

#include "shim/store/statements.h"

namespace weir {

Result<Restored> restore(Connection& connection, Statements& statements, WallTime now,
                         const std::string& boot_id);

}  // namespace weir
