// SPDX-License-Identifier: Apache-2.0

#include "shim/front/unix_socket.h"

#include <cerrno>
#include <cstring>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace weir {
namespace {

Error failed(const std::string& path, const std::string& what) {
  return {"The unix socket " + path + " cannot be used: " + what};
}

Error failed_by_errno(const std::string& path, const char* step) {
  const int number = errno;
  return failed(path, std::string(step) + ": " + std::strerror(number));
}

int open_socket() {
  return ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

// Somebody answers, or is only too busy to (EAGAIN: its backlog is full).
bool is_alive(const sockaddr_un& address) {
  const int probe = open_socket();
  if (probe < 0) return true;
  const int rc = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const bool refused = rc != 0 && (errno == ECONNREFUSED || errno == ENOENT);
  ::close(probe);
  return !refused;
}

Status clear_the_way(const std::string& path, const sockaddr_un& address) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return Done{};
    return failed_by_errno(path, "stat");
  }
  if (!S_ISSOCK(found.st_mode)) {
    return failed(path, "the file is there and is no socket; move it away or choose another path.");
  }
  if (is_alive(address)) {
    return failed(path, "another process listens on it; stop that one or choose another path.");
  }
  if (::unlink(path.c_str()) != 0) return failed_by_errno(path, "removing the stale file");
  return Done{};
}

}  // namespace

Result<UnixSocket> UnixSocket::bind(const std::string& path, unsigned mode) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    return failed(
        path, "the path must have 1 to " + std::to_string(sizeof address.sun_path - 1) + " bytes.");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  if (Status clear = clear_the_way(path, address); !clear) return clear.error();

  UnixSocket bound;
  bound.path_ = path;
  bound.fd_ = open_socket();
  if (bound.fd_ < 0) return failed_by_errno(path, "socket");
  struct stat made {};
  const char* step = "bind";
  bool done = ::bind(bound.fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  // Nobody can connect before listen(), so the mode is in force in time.
  if (done) done = ::chmod(path.c_str(), static_cast<mode_t>(mode)) == 0, step = "chmod";
  if (done) done = ::lstat(path.c_str(), &made) == 0, step = "stat";
  if (!done) {
    Error error = failed_by_errno(path, step);
    ::close(bound.fd_);
    return error;
  }
  bound.device_ = made.st_dev;
  bound.inode_ = made.st_ino;
  return bound;
}

void UnixSocket::remove() const {
  struct stat found {};
  if (::lstat(path_.c_str(), &found) != 0) return;
  if (found.st_dev == device_ && found.st_ino == inode_) ::unlink(path_.c_str());
}

}  // namespace weir
