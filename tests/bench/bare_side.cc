// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/bare_side.h"

#include <cstdio>
#include <cstdlib>

#include <sqlite3.h>

namespace weir::bench {
namespace {

// The log is folded where SQLite does it by itself, at the length at which the store does it.
constexpr const char* kSettings =
    "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
    "PRAGMA wal_autocheckpoint=1000; PRAGMA journal_size_limit=67108864;"
    "PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY; PRAGMA mmap_size=0;"
    "PRAGMA secure_delete=FAST; PRAGMA foreign_keys=OFF";

constexpr const char* kInsertMessage =
    "INSERT INTO message (id, class, lane, priority, encoding, units, segments, recipients, cost,"
    " created, deadline, not_before, key, hash_high, hash_low, test, first_batch, last_batch,"
    " open_batches, text_id) VALUES (?1, 'promotional', 2, 5, 0, 64, 1, ?2, ?3, 1790000000000,"
    " 1800000000000, 0, ?4, ?5, 7, 0, ?6, ?7, ?8, ?9)";
constexpr const char* kInsertText = "INSERT INTO text VALUES (?1, 1, ?2, NULL, x'01')";
constexpr const char* kInsertBatch =
    "INSERT INTO batch (id, message_id, lane, class, priority, state, cost, recipients, attempt,"
    " not_before, eligible, deadline) VALUES (?1, ?2, 2, 'promotional', 5, 0, ?3, ?4, 0, 0,"
    " 1790000000000, 1800000000000)";
constexpr const char* kInsertRecipients = "INSERT INTO batch_recipients VALUES (?1, ?2)";
constexpr const char* kReadHeads =
    "SELECT id, lane, class, priority, cost, attempt, not_before, eligible, deadline, producer"
    " FROM batch WHERE state = 0 ORDER BY id";

constexpr int64_t kMicro = 1'000'000;

}  // namespace

BareSide::BareSide(const std::string& path) {
  must(sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                       nullptr));
  must(sqlite3_exec(database_, kSettings, nullptr, nullptr, nullptr));
  begin_ = prepared("BEGIN IMMEDIATE");
  commit_ = prepared("COMMIT");
  message_ = prepared(kInsertMessage);
  text_ = prepared(kInsertText);
  batch_ = prepared(kInsertBatch);
  recipients_ = prepared(kInsertRecipients);
}

BareSide::~BareSide() {
  for (sqlite3_stmt* one : {begin_, commit_, message_, text_, batch_, recipients_})
    sqlite3_finalize(one);
  must(sqlite3_close(database_));
}

void BareSide::must(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  std::fprintf(stderr, "baseline: %s\n", sqlite3_errmsg(database_));
  std::exit(1);
}

sqlite3_stmt* BareSide::prepared(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  must(sqlite3_prepare_v3(database_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  return statement;
}

void BareSide::run(sqlite3_stmt* statement) {
  must(sqlite3_step(statement));
  sqlite3_reset(statement);
}

void BareSide::begin() {
  run(begin_);
}

void BareSide::commit() {
  run(commit_);
}

void BareSide::insert(const Shape& shape) {
  const int64_t message = next_message_++;
  const int64_t text = shape.own_text ? message : 1;
  const int64_t recipients = int64_t{shape.batches} * shape.batch_size;
  const std::string key = key_of(message);
  sqlite3_bind_int64(message_, 1, message);
  sqlite3_bind_int64(message_, 2, recipients);
  sqlite3_bind_int64(message_, 3, recipients * kMicro);
  sqlite3_bind_text(message_, 4, key.c_str(), -1, SQLITE_STATIC);
  sqlite3_bind_int64(message_, 5,
                     static_cast<int64_t>(static_cast<uint64_t>(message) * 0x9e3779b97f4a7c15));
  sqlite3_bind_int64(message_, 6, next_batch_);
  sqlite3_bind_int64(message_, 7, next_batch_ + shape.batches - 1);
  sqlite3_bind_int64(message_, 8, shape.batches);
  sqlite3_bind_int64(message_, 9, text);
  run(message_);
  if (text == message) {
    const std::string body = text_of(message, shape.own_text);
    sqlite3_bind_int64(text_, 1, text);
    sqlite3_bind_text(text_, 2, body.c_str(), -1, SQLITE_STATIC);
    run(text_);
  }
  for (uint32_t i = 0; i < shape.batches; ++i)
    insert_batch(shape, message);
}

void BareSide::insert_batch(const Shape& shape, int64_t message) {
  const int64_t batch = next_batch_++;
  sqlite3_bind_int64(batch_, 1, batch);
  sqlite3_bind_int64(batch_, 2, message);
  sqlite3_bind_int64(batch_, 3, shape.batch_size * kMicro);
  sqlite3_bind_int64(batch_, 4, shape.batch_size);
  run(batch_);
  numbers_.resize(shape.batch_size);
  for (uint32_t i = 0; i < shape.batch_size; ++i)
    numbers_[i] = 910'000'000'000U + static_cast<uint64_t>(batch) * 200 + i;
  sqlite3_bind_int64(recipients_, 1, batch);
  sqlite3_bind_blob(recipients_, 2, numbers_.data(), static_cast<int>(numbers_.size() * 8),
                    SQLITE_STATIC);
  run(recipients_);
}

int64_t BareSide::read_heads() {
  sqlite3_stmt* heads = prepared(kReadHeads);
  int64_t rows = 0;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(heads)) == SQLITE_ROW) {
    for (int column = 0; column < sqlite3_column_count(heads); ++column) {
      if (column == 2) {
        (void)sqlite3_column_text(heads, column);
      } else {
        (void)sqlite3_column_int64(heads, column);
      }
    }
    ++rows;
  }
  must(code);
  sqlite3_finalize(heads);
  return rows;
}

void make_tables(const std::string& path) {
  const StoreSide made(path);
}

}  // namespace weir::bench
