// SPDX-License-Identifier: Apache-2.0
//
// CsvRows: the rows of a CSV file (RFC 4180), piece after piece.
//
// Fields are separated by commas, rows by LF or CRLF; a field in quotes may hold commas, line ends
// and doubled quotes. A byte order mark of UTF-8 at the start and rows without a character are
// passed over. Every row knows the line that it begins on. A row that is not as it should be
// carries a sentence instead of fields, and the next one begins on the next line.
//
// It is our own because Debian 12 has none that does this: fast-cpp-csv-parser knows no line ends
// in quotes and reads its file itself, libcsv strips blanks, counts no lines, has no bound and does
// not go on after an error; the others hold the file in memory.
//
// Used by the verbs of the command, on their only thread.
//
// Limits: kMostRowBytes a row, kMostFields fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

struct CsvRow {
  uint64_t line = 0;  // the first is 1
  std::vector<std::string> fields;
  std::string fault;  // not empty: what is wrong with it, and how to mend it
};

class CsvRows {
 public:
  static constexpr size_t kMostRowBytes = 1024 * 1024;
  static constexpr size_t kMostFields = 1000;

  // The next piece. Ask for all of its rows before the one after.
  void feed(std::string_view bytes);
  // Nothing comes any more; the last row may have no line end.
  void end();
  // False: there is no whole row (yet).
  bool next(CsvRow& row);

 private:
  enum class At { kFieldStart, kPlain, kQuoted, kQuoteInQuoted, kReturnAfterQuoted, kSkipping };

  bool take(char c);  // true: the row ends with it
  bool take_after_quoted(char c);
  void close_field();
  bool close_row();
  void give_up(const char* fault);
  bool give_out(CsvRow& row);

  std::string pending_;
  size_t read_ = 0;  // of pending_
  bool ended_ = false;
  bool begun_ = false;  // the mark at the start was looked for

  At at_ = At::kFieldStart;
  CsvRow row_;
  std::string field_;
  size_t row_bytes_ = 0;
  uint64_t line_ = 1;  // that the next byte stands on
};

}  // namespace weir
