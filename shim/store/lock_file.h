// SPDX-License-Identifier: Apache-2.0
//
// The lock file beside the database: held for as long as the store is open, so that a second weir
// on the same file hears at once, and in words, that it is not alone.
//
// It is a file of its own because closing any descriptor of the database would drop the locks that
// SQLite holds on it. The kernel releases the lock with the process, however that ends; the file
// stays, because removing it would race with the next one that takes it.
//
// Limits: flock is of one host; the database has to be on a local file system anyway.
#pragma once

#include <string>

#include "weir/result.h"

namespace weir {

class LockFile {
 public:
  // Creates the file if need be, mode 0600, and writes this process's id into it.
  static Result<LockFile> take(const std::string& path);
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile();

 private:
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace weir
