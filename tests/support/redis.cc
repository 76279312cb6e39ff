// SPDX-License-Identifier: Apache-2.0
#include "tests/support/redis.h"

#include <csignal>

#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/loopback.h"
#include "tests/support/process.h"
#include "tests/support/raw_gateway.h"

namespace weir::test {
namespace {

// What env(1) ends with when it does not find the program.
constexpr int kNoSuchProgram = 127;

}  // namespace

Redis::Redis() = default;

Redis::~Redis() {
  if (socket_ >= 0) close(socket_);
}

Redis::Start Redis::start() {
  const uint16_t port = refusing_port();  // Redis cannot choose one by itself
  process_ = std::make_unique<Process>(
      std::vector<std::string>{"/usr/bin/env", "redis-server", "--port", std::to_string(port),
                               "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"});
  if (process_->wait_for_line("Ready to accept connections").empty()) {
    process_->signal(SIGKILL);  // if it has not ended by itself
    return process_->wait() == kNoSuchProgram ? Start::kNotInstalled : Start::kFailed;
  }
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  const bool connected =
      connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  return connected ? Start::kRunning : Start::kFailed;
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
