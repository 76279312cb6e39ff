// SPDX-License-Identifier: Apache-2.0
#include "tests/support/raw_gateway.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "weir/check.h"

#include "tests/support/loopback.h"

namespace weir::test {
namespace {

constexpr int kBacklog = 512;

int bound_socket(uint16_t& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  WEIR_CHECK(fd >= 0);
  sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  WEIR_CHECK(::bind(fd, reinterpret_cast<sockaddr*>(&address), length) == 0);
  WEIR_CHECK(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  port = ntohs(address.sin_port);
  return fd;
}

std::string url_of(uint16_t port) {
  return "http://127.0.0.1:" + std::to_string(port);
}

}  // namespace

size_t content_length(const std::string& head) {
  constexpr std::string_view kName = "Content-Length: ";
  const size_t at = head.find(kName);
  return at == std::string::npos ? 0 : std::stoul(head.substr(at + kName.size()));
}

std::string http_answer(int status, std::string_view json, std::string_view more_headers) {
  std::string text = "HTTP/1.1 " + std::to_string(status) + " Answer\r\n";
  text += "Content-Type: application/json\r\n";
  text += "Content-Length: " + std::to_string(json.size()) + "\r\n";
  text += more_headers;
  text += "\r\n";
  text += json;
  return text;
}

RawConnection::~RawConnection() {
  fin();
}

bool RawConnection::fill() {
  char bytes[16384];
  const ssize_t got = fd_ < 0 ? -1 : ::recv(fd_, bytes, sizeof bytes, 0);
  if (got <= 0) return false;
  buffer_.append(bytes, static_cast<size_t>(got));
  return true;
}

std::optional<std::string> RawConnection::read_head() {
  constexpr std::string_view kEnd = "\r\n\r\n";
  while (buffer_.find(kEnd) == std::string::npos) {
    if (!fill()) return std::nullopt;
  }
  const size_t size = buffer_.find(kEnd) + kEnd.size();
  std::string head = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return head;
}

std::optional<RawRequest> RawConnection::read_request() {
  auto head = read_head();
  if (!head) return std::nullopt;
  RawRequest request{std::move(*head), {}};
  const size_t length = content_length(request.head);
  while (buffer_.size() < length) {
    if (!fill()) return std::nullopt;
  }
  request.body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  gateway_.keep(request.body);
  return request;
}

bool RawConnection::read_bytes(size_t count) {
  while (buffer_.size() < count) {
    if (!fill()) return false;
  }
  buffer_.erase(0, count);
  return true;
}

void RawConnection::wait_closed() {
  while (fill())
    buffer_.clear();
}

void RawConnection::write(std::string_view bytes) {
  while (!bytes.empty() && fd_ >= 0) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

void RawConnection::answer(int status, std::string_view json, std::string_view more_headers) {
  write(http_answer(status, json, more_headers));
}

void RawConnection::fin() {
  if (fd_ < 0) return;
  ::shutdown(fd_, SHUT_WR);
  // What is unread would turn the close into a reset.
  char unread[4096];
  while (::recv(fd_, unread, sizeof unread, MSG_DONTWAIT) > 0) {
  }
  gateway_.forget(fd_);
  ::close(std::exchange(fd_, -1));
}

void RawConnection::rst() {
  if (fd_ < 0) return;
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  WEIR_CHECK(::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
  gateway_.forget(fd_);
  ::close(std::exchange(fd_, -1));
}

bool RawConnection::wait_for(const std::string& word) {
  return gateway_.wait_for(word);
}

void RawConnection::tell(const std::string& word) {
  gateway_.tell(word);
}

RawGateway::RawGateway(Script script) : script_(std::move(script)) {
  listener_ = bound_socket(port_);
  WEIR_CHECK(::listen(listener_, kBacklog) == 0);
  acceptor_ = std::thread([this] { accept_all(); });
}

RawGateway::~RawGateway() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const int fd : open_)
      ::shutdown(fd, SHUT_RDWR);
  }
  changed_.notify_all();
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (std::thread& thread : threads_)
    thread.join();
  ::close(listener_);
}

std::string RawGateway::url() const {
  return url_of(port_);
}

uint32_t RawGateway::connections() const {
  const std::lock_guard lock(mutex_);
  return accepted_;
}

std::vector<std::string> RawGateway::bodies() const {
  const std::lock_guard lock(mutex_);
  return bodies_;
}

bool RawGateway::wait_for(const std::string& word) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || told_.count(word) > 0; });
  return !stopping_;
}

void RawGateway::tell(const std::string& word) {
  {
    const std::lock_guard lock(mutex_);
    told_.insert(word);
  }
  changed_.notify_all();
}

void RawGateway::accept_all() {
  while (true) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0 && errno == EINTR) continue;
    if (fd < 0) return;
    const std::lock_guard lock(mutex_);
    if (stopping_) {
      ::close(fd);
      return;
    }
    open_.insert(fd);
    threads_.emplace_back([this, fd, number = accepted_++] { run(fd, number); });
  }
}

void RawGateway::run(int fd, uint32_t number) {
  RawConnection connection(*this, fd, number);
  script_(connection);
}

void RawGateway::keep(std::string body) {
  const std::lock_guard lock(mutex_);
  bodies_.push_back(std::move(body));
}

void RawGateway::forget(int fd) {
  const std::lock_guard lock(mutex_);
  open_.erase(fd);
}

BlackHole::BlackHole() {
  listener_ = bound_socket(port_);
  WEIR_CHECK(::listen(listener_, 0) == 0);
  const sockaddr_in address = loopback(port_);
  // Linux queues one more than asked for; the first connect that does not get through is enough.
  for (int i = 0; i < 8; ++i) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    WEIR_CHECK(fd >= 0);
    waiting_.push_back(fd);
    ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    pollfd connected{.fd = fd, .events = POLLOUT, .revents = 0};
    if (::poll(&connected, 1, 50) == 0) return;
  }
  WEIR_CHECK(false);
}

BlackHole::~BlackHole() {
  for (const int fd : waiting_)
    ::close(fd);
  ::close(listener_);
}

std::string BlackHole::url() const {
  return url_of(port_);
}

uint16_t refusing_port() {
  uint16_t port = 0;
  ::close(bound_socket(port));
  return port;
}

}  // namespace weir::test
