// SPDX-License-Identifier: Apache-2.0
#include "shim/store/lock_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace weir {
namespace {

// " (process 1234)", or nothing when the holder has not written its id yet.
std::string holder(int descriptor) {
  char bytes[20];
  const ssize_t size = pread(descriptor, bytes, sizeof bytes, 0);
  std::string digits;
  for (ssize_t i = 0; i < size && bytes[i] >= '0' && bytes[i] <= '9'; ++i)
    digits += bytes[i];
  return digits.empty() ? digits : " (process " + digits + ")";
}

}  // namespace

Result<LockFile> LockFile::take(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return Error{"cannot create the lock file " + path + ": " +
                 std::generic_category().message(errno) +
                 "; its folder must exist and be writable for this user"};
  }
  LockFile lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) {
      return Error{"cannot lock " + path + ": " + std::generic_category().message(errno)};
    }
    return Error{path + " is held by another weir" + holder(descriptor) +
                 "; stop that one, or give this one a database of its own"};
  }
  // The id is a courtesy to whoever comes second; the lock holds without it, on a full disk too.
  const std::string id = std::to_string(getpid()) + "\n";
  if (ftruncate(descriptor, 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(descriptor, id.data(), id.size(), 0);
  }
  return lock;
}

LockFile::LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

LockFile::~LockFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace weir
