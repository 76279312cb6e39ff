// SPDX-License-Identifier: Apache-2.0
//
// InputFile: a file or stdin, read without waiting for it.
//
// Used by the verbs of the command, on their only thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "weir/result.h"

namespace weir {

class InputFile {
 public:
  // "-": stdin.
  static Result<InputFile> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  // At most `room` bytes; 0: the end; nothing: none has come within `most_wait_ms`. An error of the
  // file is one of those, for it is not to be taken for the end.
  Result<std::optional<size_t>> read(char* to, size_t room, int most_wait_ms);

  // Of a regular file.
  std::optional<uint64_t> size() const { return size_; }
  int descriptor() const { return descriptor_; }

 private:
  InputFile(int descriptor, std::string path);

  int descriptor_ = -1;
  std::string path_;
  std::optional<uint64_t> size_;
};

}  // namespace weir
