// SPDX-License-Identifier: Apache-2.0
//
// BulkLines: a file of messages, piece after piece, as the lines that POST /v1/messages takes.
//
// A line of the upload has the number of the line in the file on which its message begins, so that
// what weir says of a line is true of the file: what is no message (the header, a row that is
// refused here) leaves a blank line behind. A line that cannot be a message is refused and the rest
// goes on; what spoils the whole file is an error, and comes before the first line is given out.
//
// Used by `weir send --file`, on its only thread.
//
// Limits: whoever feeds it takes what has come out before the next piece, so it holds no more than
// one piece and one line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/result.h"

namespace weir {

// What all messages of the file have in common.
struct BulkForm {
  std::string campaign;     // the tag, and the beginning of each key
  std::string class_name;   // empty: the template's
  std::string template_id;  // this or `text`, or neither where the lines have their own
  std::string text;
  std::string sender;
  std::string deadline;
  std::vector<std::pair<std::string, std::string>> params;
  bool test = false;
};

// As the API gives it, for a line that was refused before it was sent.
struct RefusedLine {
  uint64_t line = 0;
  std::string_view code;  // one of the API's
  std::string detail;
};

class BulkLines {
 public:
  using Refuse = std::function<void(const RefusedLine&)>;

  explicit BulkLines(Refuse refuse) : refuse_(std::move(refuse)) {}
  virtual ~BulkLines() = default;

  virtual Status feed(std::string_view bytes) = 0;
  // Nothing comes any more.
  virtual Status end() = 0;

  // What may be sent; whoever takes of it erases that.
  std::string& out() { return out_; }
  uint64_t messages() const { return messages_; }

 protected:
  // `line` rises from call to call.
  void give(uint64_t line, std::string_view message) {
    pad_to(line - 1);
    out_.append(message).push_back('\n');
    given_ = line;
    messages_ += 1;
  }
  void refuse(uint64_t line, std::string_view code, std::string detail) {
    pad_to(line);
    refuse_({line, code, std::move(detail)});
  }

 private:
  void pad_to(uint64_t line) {
    out_.append(line - given_, '\n');
    given_ = line;
  }

  Refuse refuse_;
  std::string out_;
  uint64_t given_ = 0;  // lines
  uint64_t messages_ = 0;
};

}  // namespace weir
