// SPDX-License-Identifier: Apache-2.0
//
// CsvLines: a message for each row of a CSV file.
//
// The first row is the header (csv_header.h). With a text of ours each row's body is filled here;
// with one of weir's templates the row's fields go along as `vars`. A row that cannot be filled is
// refused with its line, its column and what to do.
//
// Used by `weir send --file`, on its only thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/template.h"

#include "tools/weir/bulk_lines.h"
#include "tools/weir/csv_header.h"
#include "tools/weir/csv_rows.h"

namespace weir {

class CsvLines final : public BulkLines {
 public:
  // `places`: of the text or the template; nothing: the template may not be looked at.
  CsvLines(BulkForm form, std::string to_column, std::optional<std::vector<std::string>> places,
           Refuse refuse);

  Status feed(std::string_view bytes) override;
  Status end() override;

 private:
  Status take_rows();
  void take_row(const CsvRow& row);
  // What is wrong with the row; empty: nothing.
  std::string fault_of(const CsvRow& row) const;
  std::string message_of(const CsvRow& row) const;

  BulkForm form_;
  Template text_;  // form_.text, where that is the body
  std::string to_column_;
  std::optional<std::vector<std::string>> places_;
  CsvRows rows_;
  std::optional<CsvHeader> header_;
};

}  // namespace weir
