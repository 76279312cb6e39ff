// SPDX-License-Identifier: Apache-2.0
//
// RawClient: an HTTP client of bare bytes, for tests of what a server does on the wire.
//
// It sends what it is told, well-formed or not, in pieces if the test wants pieces, and tells an
// orderly end from a reset. Every wait ends after ten seconds with a failure, so that a server that
// says nothing does not hang the test.
//
// Threads: blocking, on the test's own; the server runs on another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

struct RawResponse {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;

  // Empty if it is not there.
  std::string header(std::string_view name) const;
};

class RawClient {
 public:
  static RawClient tcp(uint16_t port);  // on 127.0.0.1
  static RawClient unix_socket(const std::string& path);
  ~RawClient();
  RawClient(RawClient&& other) noexcept;
  RawClient& operator=(RawClient&&) = delete;

  bool connected() const { return fd_ >= 0; }

  // False: the other side is gone.
  bool send(std::string_view bytes);
  // Says that nothing more comes; answers can still be read.
  void half_close();
  void close();
  void reset();  // RST

  // The next answer; nothing if the other side ends first. The answer to a HEAD has no body.
  std::optional<RawResponse> read_response(bool to_head = false);
  // send() and read_response().
  std::optional<RawResponse> ask(std::string_view request);

  // Reads until `text` has come, of an answer without an end; false: the other side ends first.
  bool read_until(std::string_view text);

  enum class End : uint8_t { kClosed, kReset, kTimedOut };
  // Reads until the other side ends.
  End wait_end();
  // What was read and belongs to no answer yet.
  const std::string& rest() const { return buffer_; }

 private:
  explicit RawClient(int fd) : fd_(fd) {}
  bool read_more();

  int fd_ = -1;
  std::string buffer_;
  End end_ = End::kTimedOut;
};

}  // namespace weir::test
