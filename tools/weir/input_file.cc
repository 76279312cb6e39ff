// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/input_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weir {
namespace {

Error system_error(const std::string& path) {
  return Error{path + ": " + std::generic_category().message(errno)};
}

}  // namespace

Result<InputFile> InputFile::open(const std::string& path) {
  if (path == "-") return InputFile(STDIN_FILENO, "stdin");
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error(path);
  return InputFile(descriptor, path);
}

InputFile::InputFile(int descriptor, std::string path)
    : descriptor_(descriptor), path_(std::move(path)) {
  struct stat found {};
  if (fstat(descriptor_, &found) == 0 && S_ISREG(found.st_mode)) {
    size_ = static_cast<uint64_t>(found.st_size);
  }
}

InputFile::InputFile(InputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      size_(other.size_) {}

InputFile::~InputFile() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

Result<std::optional<size_t>> InputFile::read(char* to, size_t room, int most_wait_ms) {
  pollfd ready{descriptor_, POLLIN, 0};
  const int found = poll(&ready, 1, most_wait_ms);
  if (found == 0 || (found < 0 && errno == EINTR)) return std::optional<size_t>();
  const ssize_t got = ::read(descriptor_, to, room);
  if (got >= 0) return std::optional<size_t>(static_cast<size_t>(got));
  if (errno == EINTR || errno == EAGAIN) return std::optional<size_t>();
  return system_error(path_);
}

}  // namespace weir
