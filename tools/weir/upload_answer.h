// SPDX-License-Identifier: Apache-2.0
//
// UploadAnswer: what an upload is answered with, line by line, and what of it is refused.
//
// The lines that were refused before they were sent come in here as well, so that all refusals are
// counted, shown and written in one place.
//
// Used by `weir send --file`, on its only thread.
//
// Limits: it keeps kMostShown refusals; all go to the stream that is handed in. A line is bounded
// by what weir writes, and at kMostAnswerLine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "tools/weir/bulk_lines.h"

namespace weir {

class UploadAnswer {
 public:
  static constexpr size_t kMostShown = 5;
  static constexpr size_t kMostAnswerLine = 1024 * 1024;

  // `all_refused` may be null; else it outlives this.
  explicit UploadAnswer(std::ostream* all_refused) : all_refused_(all_refused) {}

  void refuse(const RefusedLine& line);
  void feed(std::string_view bytes);
  void end();

  uint64_t refused() const { return refused_; }
  // Of those: a later try may be taken.
  uint64_t refused_for_now() const { return refused_for_now_; }
  // The first ones, as the API gives them.
  const std::vector<boost::json::object>& shown() const { return shown_; }
  // The last line of the answer; nothing: it did not come.
  const std::optional<boost::json::object>& summary() const { return summary_; }
  // An answer that is not an upload's: a problem, as it came.
  const std::string& other() const { return other_; }

 private:
  void take_line();
  void add(const boost::json::object& refusal);

  std::ostream* all_refused_;
  std::string line_;
  uint64_t refused_ = 0;
  uint64_t refused_for_now_ = 0;
  std::vector<boost::json::object> shown_;
  std::optional<boost::json::object> summary_;
  std::string other_;
};

// A refusal for a person: its line, key, code and what is wrong.
std::string refusal_words(const boost::json::object& refusal);

}  // namespace weir
