// SPDX-License-Identifier: Apache-2.0

#include "tests/support/raw_client.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/loopback.h"

namespace weir::test {
namespace {

int connected_socket(const sockaddr* address, socklen_t size) {
  const int fd = ::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const timeval patience{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (::connect(fd, address, size) == 0) return fd;
  ::close(fd);
  return -1;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return result;
}

// "HTTP/1.1 200 OK", then fields.
RawResponse parse_head(std::string_view head) {
  RawResponse response;
  if (head.size() > 12) response.status = std::atoi(std::string(head.substr(9, 3)).c_str());
  size_t line = head.find("\r\n");
  while (line != head.npos && line + 2 < head.size()) {
    const std::string_view rest = head.substr(line + 2);
    const std::string_view field = rest.substr(0, rest.find("\r\n"));
    const size_t colon = field.find(": ");
    if (colon != field.npos) {
      response.headers.emplace_back(lower(field.substr(0, colon)), field.substr(colon + 2));
    }
    line = head.find("\r\n", line + 2);
  }
  return response;
}

}  // namespace

std::string RawResponse::header(std::string_view name) const {
  for (const auto& [field, value] : headers) {
    if (field == name) return value;
  }
  return "";
}

RawClient RawClient::tcp(uint16_t port) {
  const sockaddr_in address = loopback(port);
  return RawClient(connected_socket(reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

RawClient RawClient::unix_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return RawClient(connected_socket(reinterpret_cast<sockaddr*>(&address), sizeof address));
}

RawClient::RawClient(RawClient&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)), end_(other.end_) {}

RawClient::~RawClient() {
  close();
}

void RawClient::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

void RawClient::reset() {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

void RawClient::half_close() {
  ::shutdown(fd_, SHUT_WR);
}

bool RawClient::read_more() {
  char bytes[16 * 1024];
  const ssize_t count = ::recv(fd_, bytes, sizeof bytes, 0);
  if (count > 0) {
    buffer_.append(bytes, static_cast<size_t>(count));
    return true;
  }
  const bool timed_out = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  end_ = count == 0 ? End::kClosed : timed_out ? End::kTimedOut : End::kReset;
  return false;
}

std::optional<RawResponse> RawClient::read_response(bool to_head) {
  size_t head_end = 0;
  while ((head_end = buffer_.find("\r\n\r\n")) == buffer_.npos) {
    if (!read_more()) return std::nullopt;
  }
  RawResponse response = parse_head(std::string_view(buffer_).substr(0, head_end + 2));
  buffer_.erase(0, head_end + 4);
  if (to_head || response.status / 100 == 1) return response;
  const auto length = static_cast<size_t>(std::atoll(response.header("content-length").c_str()));
  while (buffer_.size() < length) {
    if (!read_more()) return std::nullopt;
  }
  response.body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return response;
}

std::optional<RawResponse> RawClient::ask(std::string_view request) {
  // A server may answer and close before it has read everything, so what send() says is not asked.
  send(request);
  return read_response();
}

bool RawClient::read_until(std::string_view text) {
  while (buffer_.find(text) == buffer_.npos) {
    if (!read_more()) return false;
  }
  return true;
}

RawClient::End RawClient::wait_end() {
  while (read_more()) {
  }
  return end_;
}

}  // namespace weir::test
