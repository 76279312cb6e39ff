// SPDX-License-Identifier: Apache-2.0
//
// The database file on its way to being ours: locked against a second weir, opened in the one mode
// that we trust, told apart from other files, migrated.
//
// Called while the store is opened, before its thread runs.
//
// What always holds: every setting is read back and a mismatch refuses the file, because SQLite
// ignores what it cannot do. The connection is exclusive, so no other process can read or write the
// file, and the bug of SQLite before 3.51.3 that corrupts a file with two writers (the WAL reset)
// has nothing to work on.
//
// Limits: a local file system; whether it is one is not checked.
#pragma once

#include <string>

#include "weir/result.h"

#include "shim/store/lock_file.h"
#include "shim/store/sqlite.h"

namespace weir {

struct DatabaseFile {
  LockFile lock;  // outlives the connection
  Connection connection;
};

struct DatabaseOptions {
  std::string path;
  bool erase = false;  // overwrite what is deleted, whatever it costs
};

// Creates the file, mode 0600, if it is not there.
Result<DatabaseFile> open_database_file(const DatabaseOptions& options);

}  // namespace weir
