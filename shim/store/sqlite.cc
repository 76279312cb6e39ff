// SPDX-License-Identifier: Apache-2.0
#include "shim/store/sqlite.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

namespace weir {
namespace {

// The low byte of an extended result code is the primary one.
constexpr int kPrimaryCode = 0xff;

std::string error_text(sqlite3* handle) {
  std::string text = sqlite3_errmsg(handle);
  text += " (SQLite code " + std::to_string(sqlite3_extended_errcode(handle));
  const int errno_then = sqlite3_system_errno(handle);
  const int code = sqlite3_errcode(handle) & kPrimaryCode;
  if (errno_then != 0 && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN)) {
    text += ": " + std::generic_category().message(errno_then);
  }
  return text + ")";
}

struct Binder {
  sqlite3_stmt* statement;
  int at;

  int operator()(std::monostate) const { return sqlite3_bind_null(statement, at); }
  int operator()(int64_t value) const { return sqlite3_bind_int64(statement, at, value); }
  int operator()(std::string_view text) const {
    // A null pointer would bind NULL, and an empty view may hold one.
    const char* data = text.empty() ? "" : text.data();
    return sqlite3_bind_text64(statement, at, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  int operator()(Blob blob) const {
    const char* data = blob.bytes.empty() ? "" : blob.bytes.data();
    return sqlite3_bind_blob64(statement, at, data, blob.bytes.size(), SQLITE_STATIC);
  }
};

}  // namespace

Result<Connection> Connection::open(const std::string& path) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  Connection connection(handle);
  if (code != SQLITE_OK) {
    return Error{"cannot open " + path + ": " +
                 (handle != nullptr ? error_text(handle) : std::string("out of memory"))};
  }
  return connection;
}

Connection::Connection(Connection&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), log_pages_(std::move(other.log_pages_)) {}

Connection::~Connection() {
  // A statement that is still prepared would keep the file open, and locked, for ever.
  WEIR_CHECK(sqlite3_close(handle_) == SQLITE_OK);
}

Status Connection::run(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return Error{error()};
  return Done{};
}

Result<std::string> Connection::ask(const char* sql) {
  Result<Statement> statement = Statement::prepare(*this, sql);
  if (!statement) return statement.error();
  Rows rows(*statement, {});
  std::string answer;
  if (rows.next()) answer = rows.text(0);
  if (rows.failed()) return Error{error()};
  return answer;
}

int64_t Connection::changes() const {
  return sqlite3_changes64(handle_);
}

bool Connection::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

// What the system calls behind an I/O error said.
Fault Connection::io_fault() const {
  switch (sqlite3_system_errno(handle_)) {
    case ENOSPC:
    case EDQUOT: return Fault::kFull;
    case EROFS: return Fault::kReadOnly;
    default: return Fault::kIo;
  }
}

Fault Connection::fault() const {
  switch (sqlite3_errcode(handle_) & kPrimaryCode) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE: return Fault::kNone;
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH: return in_transaction() ? Fault::kRow : Fault::kOther;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Fault::kLocked;
    case SQLITE_NOTADB: return Fault::kNotDatabase;
    case SQLITE_FULL: return Fault::kFull;
    case SQLITE_READONLY: return Fault::kReadOnly;
    case SQLITE_IOERR: return io_fault();
    case SQLITE_CORRUPT: return Fault::kCorrupt;
    default: return Fault::kOther;
  }
}

std::string Connection::error() const {
  return error_text(handle_);
}

void Connection::watch_log() {
  sqlite3_wal_hook(
      handle_,
      [](void* pages, sqlite3*, const char*, int now) {
        *static_cast<int*>(pages) = now;
        return SQLITE_OK;
      },
      log_pages_.get());
}

const char* sqlite_version() {
  return sqlite3_libversion();
}

Result<Statement> Statement::prepare(Connection& connection, const char* sql) {
  sqlite3_stmt* handle = nullptr;
  if (sqlite3_prepare_v3(connection.handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle,
                         nullptr) != SQLITE_OK) {
    return Error{connection.error()};
  }
  return Statement(handle);
}

Statement::Statement(Statement&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

// Its result repeats the error of the last run, which whoever ran it has seen.
Statement::~Statement() {
  sqlite3_finalize(handle_);
}

bool Statement::run(std::initializer_list<Value> values) {
  bind(values);
  const bool done = sqlite3_step(handle_) == SQLITE_DONE;
  sqlite3_reset(handle_);
  return done;
}

void Statement::bind(std::initializer_list<Value> values) {
  // Every parameter is bound anew: the ones of the last run may point at what is gone.
  WEIR_CHECK(sqlite3_bind_parameter_count(handle_) == static_cast<int>(values.size()));
  int at = 1;
  for (const Value& value : values) {
    WEIR_CHECK(std::visit(Binder{handle_, at}, value) == SQLITE_OK);
    ++at;
  }
}

Rows::Rows(Statement& statement, std::initializer_list<Value> values) : handle_(statement.handle_) {
  statement.bind(values);
}

Rows::~Rows() {
  sqlite3_reset(handle_);
}

bool Rows::next() {
  const int code = sqlite3_step(handle_);
  failed_ = code != SQLITE_ROW && code != SQLITE_DONE;
  return code == SQLITE_ROW;
}

bool Rows::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

int64_t Rows::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

std::string_view Rows::bytes(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  const int size = sqlite3_column_bytes(handle_, column);
  return data == nullptr ? std::string_view()
                         : std::string_view(static_cast<const char*>(data), size);
}

Result<OnlineBackup> OnlineBackup::start(Connection& from, const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return Error{path + ": " + std::generic_category().message(errno)};
  close(descriptor);
  Result<Connection> to = Connection::open(path);
  if (!to) return to.error();
  sqlite3_backup* handle = sqlite3_backup_init(to->handle_, "main", from.handle_, "main");
  if (handle == nullptr) return Error{to->error()};
  return OnlineBackup(std::move(*to), handle);
}

OnlineBackup::OnlineBackup(OnlineBackup&& other) noexcept
    : to_(std::move(other.to_)), handle_(std::exchange(other.handle_, nullptr)) {}

OnlineBackup::~OnlineBackup() {
  sqlite3_backup_finish(handle_);
}

OnlineBackup::Step OnlineBackup::copy_pages(int most) {
  switch (sqlite3_backup_step(handle_, most)) {
    case SQLITE_OK: return Step::kMore;
    case SQLITE_DONE: return Step::kDone;
    default: return Step::kFailed;
  }
}

Status OnlineBackup::finish() {
  if (sqlite3_backup_finish(std::exchange(handle_, nullptr)) == SQLITE_OK) return Done{};
  return Error{to_.error()};
}

}  // namespace weir
