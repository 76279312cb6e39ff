// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/csv_rows.h"

#include <utility>

namespace weir {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";

}  // namespace

void CsvRows::feed(std::string_view bytes) {
  pending_.erase(0, std::exchange(read_, 0));
  pending_.append(bytes);
}

void CsvRows::end() {
  ended_ = true;
}

bool CsvRows::next(CsvRow& row) {
  if (!begun_) {
    if (pending_.size() < kMark.size() && !ended_) return false;
    begun_ = true;
    if (pending_.starts_with(kMark)) read_ = kMark.size();
  }
  while (read_ < pending_.size()) {
    const char c = pending_[read_++];
    if (row_bytes_++ == 0) row_.line = line_;
    if (c == '\n') line_ += 1;
    if (!take(c)) continue;
    if (give_out(row)) return true;
  }
  if (!ended_ || row_bytes_ == 0) return false;
  if (at_ == At::kQuoted) {
    give_up("a quote is opened and not closed up to the end of the file");
  }
  close_row();
  return give_out(row);
}

bool CsvRows::take(char c) {
  if (row_bytes_ > kMostRowBytes && at_ != At::kSkipping) {
    give_up("is above 1 MiB; is a quote opened and not closed?");
  }
  switch (at_) {
    case At::kFieldStart:
      if (c == '"') {
        at_ = At::kQuoted;
        return false;
      }
      at_ = At::kPlain;
      [[fallthrough]];
    case At::kPlain:
      if (c == ',') {
        close_field();
      } else if (c == '\n') {
        return close_row();
      } else if (c == '"') {
        give_up("a quote stands inside of a field; put the field in quotes and double it");
      } else {
        field_ += c;
      }
      return false;
    case At::kQuoted:
      if (c == '"') {
        at_ = At::kQuoteInQuoted;
      } else {
        field_ += c;
      }
      return false;
    case At::kQuoteInQuoted:
    case At::kReturnAfterQuoted: return take_after_quoted(c);
    case At::kSkipping: return c == '\n';
  }
  return false;
}

bool CsvRows::take_after_quoted(char c) {
  const bool after_return = at_ == At::kReturnAfterQuoted;
  if (c == '\n') {
    // What was in the quotes stays as it is, a return at its end too.
    row_.fields.push_back(std::exchange(field_, {}));
    at_ = At::kFieldStart;
    return true;
  }
  if (c == ',' && !after_return) {
    close_field();
  } else if (c == '\r' && !after_return) {
    at_ = At::kReturnAfterQuoted;
  } else if (c == '"' && !after_return) {
    field_ += '"';
    at_ = At::kQuoted;
  } else {
    give_up("something stands between a closing quote and the comma; double quotes in a field");
  }
  return false;
}

void CsvRows::close_field() {
  row_.fields.push_back(std::exchange(field_, {}));
  at_ = At::kFieldStart;
  if (row_.fields.size() > kMostFields) give_up("has more than 1000 fields");
}

bool CsvRows::close_row() {
  if (at_ == At::kSkipping) return true;
  const bool quoted = at_ == At::kQuoteInQuoted || at_ == At::kReturnAfterQuoted;
  if (!quoted && field_.ends_with('\r')) field_.pop_back();
  // A row without a character is none.
  if (!row_.fields.empty() || quoted || !field_.empty()) row_.fields.push_back(field_);
  field_.clear();
  return true;
}

void CsvRows::give_up(const char* fault) {
  row_.fault = fault;
  row_.fields.clear();
  field_.clear();
  at_ = At::kSkipping;
}

// False: it is blank, and passed over.
bool CsvRows::give_out(CsvRow& row) {
  row = std::exchange(row_, {});
  at_ = At::kFieldStart;
  row_bytes_ = 0;
  return !row.fields.empty() || !row.fault.empty();
}

}  // namespace weir
