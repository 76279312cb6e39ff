// SPDX-License-Identifier: Apache-2.0
//
// The baseline of the store's benchmarks: SQLite alone. The tables are those that the store made,
// the settings are its, the rows are those that it writes for the same messages; what is missing is
// what the store adds: its thread and queues, the counters, the look for a
// text that is there already, packing.
//
// Blocking, on one thread. An error ends the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/store_side.h"

struct sqlite3;
struct sqlite3_stmt;

namespace weir::bench {

class BareSide {
 public:
  // The file must hold the tables (make_tables) and nobody else.
  explicit BareSide(const std::string& path);
  ~BareSide();
  BareSide(const BareSide&) = delete;
  BareSide& operator=(const BareSide&) = delete;

  void begin();
  void commit();
  // The rows of the next message.
  void insert(const Shape& shape);
  // Reads the heads as a start does; how many there are.
  int64_t read_heads();

 private:
  sqlite3_stmt* prepared(const char* sql);
  void must(int code);
  void run(sqlite3_stmt* statement);
  void insert_batch(const Shape& shape, int64_t message);

  sqlite3* database_ = nullptr;
  sqlite3_stmt* begin_;
  sqlite3_stmt* commit_;
  sqlite3_stmt* message_;
  sqlite3_stmt* text_;
  sqlite3_stmt* batch_;
  sqlite3_stmt* recipients_;
  int64_t next_message_ = 1;
  int64_t next_batch_ = 1;
  std::vector<uint64_t> numbers_;
};

// By a store that opens the file and closes it.
void make_tables(const std::string& path);

}  // namespace weir::bench
