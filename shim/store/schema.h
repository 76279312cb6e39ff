// SPDX-License-Identifier: Apache-2.0
//
// The tables, and how a file of an earlier version comes to have them. SCHEMA.md explains every
// column.
//
// Called while the store is opened, before its thread runs.
//
// What always holds: a file is told apart before anything is written to it; each migration is one
// transaction with its version number; a file never goes back to an older version.
#pragma once

#include "weir/result.h"

#include "shim/store/sqlite.h"

namespace weir {

// The version that this program writes.
int schema_version();

// Whether the file is one that migrate() may touch: empty, or weir's and not newer.
Status check_identity(Connection& connection);

Status migrate(Connection& connection);

}  // namespace weir
