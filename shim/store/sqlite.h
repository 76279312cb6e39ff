// SPDX-License-Identifier: Apache-2.0
//
// The little of SQLite that the store needs, with owners: a connection, a prepared statement, and
// the rows of one run of it. sqlite3.h is included in sqlite.cc and nowhere else.
//
// Threads: a connection and its statements are used by one thread at a time; SQLite's own mutexes
// are switched off.
//
// What always holds: a statement is reset as soon as its run is over, because one that is left open
// is a reader that keeps the write-ahead log from being reset.
//
// Limits: errors are a bool here; Connection::error() has the words, until the next call.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "weir/result.h"

struct sqlite3;
struct sqlite3_backup;
struct sqlite3_stmt;

namespace weir {

// What the last call failed of, as far as it makes a difference to somebody.
enum class Fault : uint8_t {
  kNone,
  kRow,          // the row broke a rule of the tables; the transaction stands
  kLocked,       // another program has the file
  kNotDatabase,  // the file is not SQLite's
  kFull,
  kReadOnly,
  kIo,
  kCorrupt,  // a page is not what SQLite writes
  kOther,
};

class Connection {
 public:
  // The file must exist; it may be empty.
  static Result<Connection> open(const std::string& path);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  ~Connection();

  // Statements that yield no rows, prepared for this once.
  Status run(const char* sql);
  // The first column of the first row as text; empty if there is no row.
  Result<std::string> ask(const char* sql);

  // Of the last statement that changed rows.
  int64_t changes() const;
  // False after a statement or commit that made SQLite roll everything back; nothing else tells.
  bool in_transaction() const;
  Fault fault() const;
  // Names what failed, never a value.
  std::string error() const;
  // From here on log_pages() knows, and SQLite does not fold the log into the file within a commit:
  // the owner does, by a checkpoint. After all settings; `wal_autocheckpoint` would undo it.
  void watch_log();
  // Pages of the write-ahead log, as of the last commit.
  int log_pages() const { return *log_pages_; }

 private:
  friend class OnlineBackup;
  friend class Statement;
  explicit Connection(sqlite3* handle) : handle_(handle) {}
  Fault io_fault() const;
  sqlite3* handle_;
  std::unique_ptr<int> log_pages_ = std::make_unique<int>(0);  // where the hook finds it
};

const char* sqlite_version();

// Bytes, where a plain text would be stored as TEXT.
struct Blob {
  std::string_view bytes;
};

// NULL, an integer, a text or bytes. What it points at must outlive the run.
using Value = std::variant<std::monostate, int64_t, std::string_view, Blob>;

// For columns where the absence of a text is NULL.
inline Value text_or_null(std::string_view text) {
  return text.empty() ? Value(std::monostate{}) : Value(text);
}

class Statement {
 public:
  static Result<Statement> prepare(Connection& connection, const char* sql);
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Runs a statement that yields no rows.
  bool run(std::initializer_list<Value> values = {});

 private:
  friend class Rows;
  explicit Statement(sqlite3_stmt* handle) : handle_(handle) {}
  void bind(std::initializer_list<Value> values);
  sqlite3_stmt* handle_;
};

// One run of a query. What a column's bytes point at is valid until next().
class Rows {
 public:
  Rows(Statement& statement, std::initializer_list<Value> values);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows();

  bool next();
  // Why next() was false: the end, or an error.
  bool failed() const { return failed_; }

  bool is_null(int column) const;
  int64_t integer(int column) const;
  std::string_view bytes(int column) const;
  std::string text(int column) const { return std::string(bytes(column)); }

 private:
  sqlite3_stmt* handle_;
  bool failed_ = false;
};

// A copy of a whole database while it is in use, by SQLite's online backup. What the connection
// writes in between goes into the copy, too.
class OnlineBackup {
 public:
  enum class Step : uint8_t { kMore, kDone, kFailed };

  // `path` must not exist; it is made for its owner only.
  static Result<OnlineBackup> start(Connection& from, const std::string& path);
  OnlineBackup(OnlineBackup&& other) noexcept;
  OnlineBackup& operator=(OnlineBackup&&) = delete;
  ~OnlineBackup();  // without finish(): the copy is not whole

  // Outside of a transaction.
  Step copy_pages(int most);
  // Whether the copy is whole and on disk. Once, at the end.
  Status finish();

 private:
  OnlineBackup(Connection to, sqlite3_backup* handle) : to_(std::move(to)), handle_(handle) {}
  Connection to_;
  sqlite3_backup* handle_;
};

}  // namespace weir
