// SPDX-License-Identifier: Apache-2.0
#include "tests/support/redis.h"

#include <arpa/inet.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace weir::test {
namespace {

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// One that is free now; Redis cannot choose one by itself.
uint16_t free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  const bool bound = bind(probe, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(probe);
  return bound ? ntohs(address.sin_port) : 0;
}

pid_t spawn_redis(uint16_t port) {
  std::vector<std::string> words = {
      "redis-server", "--port", std::to_string(port), "--bind",   "127.0.0.1", "--save", "",
      "--appendonly", "no",     "--logfile",          "/dev/null"};
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  const int failed = posix_spawnp(&pid, argv[0], nullptr, nullptr, argv.data(), environ);
  return failed == 0 ? pid : -1;
}

}  // namespace

Redis::~Redis() {
  if (socket_ >= 0) close(socket_);
  if (pid_ <= 0) return;
  kill(pid_, SIGTERM);
  waitpid(pid_, nullptr, 0);
}

bool Redis::start() {
  const uint16_t port = free_port();
  pid_ = port == 0 ? -1 : spawn_redis(port);
  const sockaddr_in address = loopback(port);
  // Until it listens, or has ended.
  while (pid_ > 0) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      break;
    }
    socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      return true;
    }
    close(socket_);
    socket_ = -1;
  }
  return false;
}

std::string Redis::ask(const std::vector<std::string>& words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    text += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  if (write(socket_, text.data(), text.size()) < 0) return "";
  char buffer[512];
  const ssize_t got = read(socket_, buffer, sizeof buffer);
  return std::string(buffer, got > 0 ? static_cast<size_t>(got) : 0);
}

}  // namespace weir::test
