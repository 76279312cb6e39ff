// SPDX-License-Identifier: Apache-2.0
#include "shim/config/file_text.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/config/quantities.h"

namespace weir {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

Error cannot_read() {
  return Error{std::string("cannot be read: ") + std::strerror(errno)};
}

}  // namespace

Result<FileText> read_file_text(const std::string& path, size_t max_bytes) {
  // Without O_NONBLOCK, opening a named pipe would wait for its writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return cannot_read();
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return cannot_read();
  if (!S_ISREG(status.st_mode)) return Error{"is not a regular file"};

  FileText found;
  found.mode = status.st_mode & 07777;
  found.text.resize(max_bytes + 1);  // one more, to see that the file is longer
  size_t filled = 0;
  while (filled < found.text.size()) {
    const ssize_t got = ::read(file.get(), found.text.data() + filled, found.text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read();
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  if (filled > max_bytes) return Error{"is larger than " + format_size(max_bytes)};
  found.text.resize(filled);
  return found;
}

}  // namespace weir
