// SPDX-License-Identifier: Apache-2.0
//
// JsonLines: a file that has a message a line already (NDJSON).
//
// A line goes as it stands; what it lacks of what the messages have in common is put at its end. A
// line that has a key, a tag or a text keeps it.
//
// Used by `weir send --file`, on its only thread.
//
// Limits: kMostLineBytes a line, twice what weir takes unless it is configured otherwise.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "tools/weir/bulk_lines.h"

namespace weir {

class JsonLines final : public BulkLines {
 public:
  static constexpr size_t kMostLineBytes = 16 * 1024 * 1024;

  JsonLines(BulkForm form, Refuse refuse);

  Status feed(std::string_view bytes) override;
  Status end() override;

 private:
  void take_line();
  // What `line`, which is `has`, lacks, as JSON: empty, or without the braces around it.
  std::string lacking(std::string_view line, const boost::json::object& has) const;

  BulkForm form_;
  std::string line_;
  uint64_t number_ = 0;
  bool too_long_ = false;
};

}  // namespace weir
