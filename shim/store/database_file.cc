// SPDX-License-Identifier: Apache-2.0
//
// Method. The order is what matters:
//   1. The lock file, so that a second weir touches nothing.
//   2. The file itself, created before SQLite opens it: a descriptor closed later would drop
//      SQLite's locks. An empty file is a valid empty database.
//   3. locking_mode=EXCLUSIVE before the first look at the file, and before journal_mode=WAL: the
//      other way round a shared-memory file is made and kept, and other processes can come in.
//   4. Whose file it is, before the first write to it.
//   5. The rest of the settings; two of them only count before the first table is written.
//   6. The log of an earlier run is folded into the file.
//   7. The migrations. The lock that the first access took stays until the file is closed.
#include "shim/store/database_file.h"

#include <cerrno>
#include <span>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "shim/store/schema.h"
#include "shim/store/sync_folder.h"

namespace weir {
namespace {

struct Setting {
  const char* name;
  const char* value;
  const char* reads_back;
};

constexpr Setting kBeforeIdentity[] = {
    // Another program may hold the file for a moment at start (a backup, a shell). Later on nothing
    // can, so this wait never happens on the thread.
    {"busy_timeout", "1000", "1000"},
    {"locking_mode", "EXCLUSIVE", "exclusive"},
};

constexpr Setting kAfterIdentity[] = {
    // A claim writes 2 pages; 8 KiB pages would double its bytes.
    {"page_size", "4096", "4096"},
    // Has to be chosen before the first table; the file could never shrink otherwise.
    {"auto_vacuum", "INCREMENTAL", "2"},
    {"journal_mode", "WAL", "wal"},
    // NORMAL lost 1 % of the acknowledged rows in simulated power cuts; FULL lost none.
    {"synchronous", "FULL", "2"},
    // Not within a commit, which would wait for it; the journal folds the log between two.
    {"wal_autocheckpoint", "0", "0"},
    // Bytes. The log file is overwritten in place, which syncs twice as fast as growing it.
    {"journal_size_limit", "67108864", "67108864"},
    // KiB. It fills whatever the depth, so it is most of what weir takes.
    {"cache_size", "-16384", "-16384"},
    {"temp_store", "MEMORY", "2"},
    // A mapped file turns an I/O error into a signal.
    {"mmap_size", "0", "0"},
    {"foreign_keys", "OFF", "0"},
    {"trusted_schema", "OFF", "0"},
};

// Overwrites what is deleted where it costs no extra write: most numbers and bodies go with it.
constexpr Setting kEraseWhereFree = {"secure_delete", "FAST", "2"};
// Everywhere: deleting takes about four times as long.
constexpr Setting kErase = {"secure_delete", "ON", "1"};

using Settings = std::span<const Setting>;

Status set(Connection& connection, Settings settings) {
  for (const Setting& setting : settings) {
    const std::string pragma = std::string("PRAGMA ") + setting.name + "=" + setting.value;
    Status done = connection.run(pragma.c_str());
    if (!done) return done;
  }
  return Done{};
}

Status read_back(Connection& connection, Settings settings) {
  for (const Setting& setting : settings) {
    const std::string pragma = std::string("PRAGMA ") + setting.name;
    Result<std::string> found = connection.ask(pragma.c_str());
    if (!found) return found.error();
    if (*found != setting.reads_back) {
      return Error{std::string("its ") + setting.name + " is " + *found + " and cannot be made " +
                   setting.reads_back + "; weir needs a file that it created itself"};
    }
  }
  return Done{};
}

Status create_if_missing(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0) {
    close(descriptor);
    return sync_folder(path);
  }
  if (errno == EEXIST) return Done{};
  return Error{std::generic_category().message(errno)};
}

// The kernel may show pages of the log that are not on the disk: after a sync that failed it takes
// them for written, and the process that would have written them again has died. What is built on
// them would be lost with them at a power cut. Folded, they are in the file and synced there.
Status fold_what_was_found(Connection& connection) {
  return connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

Status make_ours(Connection& connection, const DatabaseOptions& options) {
  Status done = set(connection, kBeforeIdentity);
  if (done) done = check_identity(connection);
  if (done) done = set(connection, kAfterIdentity);
  if (done) done = read_back(connection, kBeforeIdentity);
  if (done) done = read_back(connection, kAfterIdentity);
  const Setting erase[] = {options.erase ? kErase : kEraseWhereFree};
  if (done) done = set(connection, erase);
  if (done) done = read_back(connection, erase);
  if (done) done = fold_what_was_found(connection);
  if (done) done = migrate(connection, options.path);
  if (done) connection.watch_log();
  return done;
}

std::string explained(const Connection& connection, const Error& error) {
  switch (connection.fault()) {
    case Fault::kLocked:
      return "another program has it open; weir needs it alone, so close that one first";
    case Fault::kNotDatabase: return "it is not an SQLite database; name another file";
    case Fault::kCorrupt:
      return "it is damaged (" + error.detail +
             "); keep it and its -wal file as they are, and restore a backup, or try the .recover "
             "command of the sqlite3 shell on a copy";
    case Fault::kNone:
    case Fault::kRow:
    case Fault::kFull:
    case Fault::kReadOnly:
    case Fault::kIo:
    case Fault::kOther: return error.detail;
  }
  return error.detail;
}

}  // namespace

Result<DatabaseFile> open_database_file(const DatabaseOptions& options) {
  const std::string& path = options.path;
  const std::string prefix = "database " + path + ": ";
  Result<LockFile> lock = LockFile::take(path + ".lock");
  if (!lock) return Error{prefix + lock.error().detail};
  Status created = create_if_missing(path);
  if (!created) return Error{prefix + "cannot create it: " + created.error().detail};
  Result<Connection> connection = Connection::open(path);
  if (!connection) return Error{prefix + connection.error().detail};
  Status ours = make_ours(*connection, options);
  if (!ours) return Error{prefix + explained(*connection, ours.error())};
  return DatabaseFile{std::move(*lock), std::move(*connection)};
}

}  // namespace weir
