// SPDX-License-Identifier: Apache-2.0
//
// The tables, and how a file of an earlier version comes to have them. SCHEMA.md explains every
// column.
//
// Called while the store is opened, before its thread runs.
//
// What always holds: a file is told apart before anything is written to it; each migration is one
// transaction with its version number; a file never goes back to an older version, and a copy of
// what it was is there before it is changed.
#pragma once

#include <string>

#include "weir/result.h"

#include "shim/store/sqlite.h"

namespace weir {

// The version that this program writes.
int schema_version();

// Whether the file is one that migrate() may touch: empty, or weir's and not newer.
Status check_identity(Connection& connection);

// Before the first step of a file that holds something, a copy of it is put beside it, as
// PATH.v1.backup for version 1. It stays; it is the operator's to delete.
Status migrate(Connection& connection, const std::string& path);

}  // namespace weir
