// SPDX-License-Identifier: Apache-2.0
//
// BulkSource: a file as the body of an upload, read only as fast as it is asked for.
//
// A pipe may be silent for longer than weir waits for the next piece of a body, so a blank is sent
// meanwhile; before a line it means nothing.
//
// Used by `weir send --file`, on its only thread.
//
// Limits: memory is a piece of the file and a line of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "weir/result.h"

#include "tools/weir/bulk_lines.h"
#include "tools/weir/input_file.h"

namespace weir {

class BulkSource {
 public:
  // A third of what weir allows by default.
  static constexpr std::chrono::milliseconds kMostSilence{10'000};

  BulkSource(InputFile input, std::unique_ptr<BulkLines> lines,
             std::chrono::milliseconds most_silence = kMostSilence);

  // Reads up to the first message, or the end; `go_on` says false to break off. An error: the file
  // cannot be used, and nothing of it was sent.
  Status begin(const std::function<bool()>& go_on);
  // For an upload, see Upload::read. After a failure it has nothing, ever.
  std::optional<size_t> read(char* to, size_t room);

  uint64_t messages() const { return lines_->messages(); }
  uint64_t bytes() const { return bytes_; }
  std::optional<uint64_t> size() const { return input_.size(); }
  int descriptor() const { return input_.descriptor(); }
  // Everything was given out.
  bool all_given() const { return ended_ && lines_->out().size() == given_; }
  // The file could not be read on; empty: it could.
  const std::string& failure() const { return failure_; }

 private:
  // False: nothing has come.
  Result<bool> take_piece(int most_wait_ms);

  InputFile input_;
  std::unique_ptr<BulkLines> lines_;
  std::chrono::milliseconds most_silence_;
  std::chrono::steady_clock::time_point last_given_;
  size_t given_ = 0;  // of lines_->out()
  uint64_t bytes_ = 0;
  bool ended_ = false;
  std::string failure_;
};

}  // namespace weir
