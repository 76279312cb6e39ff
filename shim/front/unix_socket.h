// SPDX-License-Identifier: Apache-2.0
//
// A listening unix socket as a file: found, replaced if it is stale, given its mode, and removed.
//
// A file that a killed process left behind is replaced; one that somebody listens on is not, nor is
// anything that is no socket. The mode is set before anybody can connect.
//
// Threads: the loop's, at start and at the end. It blocks for a few system calls on a local file.
#pragma once

#include <string>

#include <sys/types.h>

#include "weir/result.h"

namespace weir {

class UnixSocket {
 public:
  // Bound, not yet listening.
  static Result<UnixSocket> bind(const std::string& path, unsigned mode);

  // The descriptor; the caller closes it.
  int fd() const { return fd_; }
  // Removes the file, unless another process has put its own there since.
  void remove() const;

 private:
  int fd_ = -1;
  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace weir
