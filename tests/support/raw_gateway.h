// SPDX-License-Identifier: Apache-2.0
//
// RawGateway: a gateway made of bare sockets, for tests of what happens on the wire.
//
// A script runs once for each connection, on a thread of its own, and does to the connection
// whatever the test is about: reads as much as it likes, answers half, resets, says nothing, speaks
// unasked. The bodies that came whole are kept; they are the truth that a test compares with.
//
// A script waits for the test with wait_for(), the test tells it with tell(), and the other way
// round; both return false once the gateway is being destroyed, so no test needs to sleep and no
// script can hang it.
//
// Limits: HTTP/1.1 requests with a Content-Length, on 127.0.0.1, at a port of the system's choice.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace weir::test {

struct RawRequest {
  std::string head;  // with the blank line
  std::string body;
};

class RawGateway;

class RawConnection {
 public:
  RawConnection(RawGateway& gateway, int fd, uint32_t number)
      : gateway_(gateway), fd_(fd), number_(number) {}
  ~RawConnection();
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  uint32_t number() const { return number_; }  // from 0, in the order of acceptance

  // Absent or false: the other side closed first.
  std::optional<std::string> read_head();
  std::optional<RawRequest> read_request();
  bool read_bytes(size_t count);
  // Reads and drops until the other side closes.
  void wait_closed();

  void write(std::string_view bytes);
  void answer(int status, std::string_view json, std::string_view more_headers = "");

  void fin();  // an orderly close
  void rst();

  bool wait_for(const std::string& word);
  void tell(const std::string& word);

 private:
  friend class RawGateway;
  bool fill();

  RawGateway& gateway_;
  int fd_;
  uint32_t number_;
  std::string buffer_;
};

class RawGateway {
 public:
  using Script = std::function<void(RawConnection&)>;

  explicit RawGateway(Script script);
  ~RawGateway();
  RawGateway(const RawGateway&) = delete;
  RawGateway& operator=(const RawGateway&) = delete;

  uint16_t port() const { return port_; }
  std::string url() const;
  uint32_t connections() const;
  // Of the requests that were read whole, in the order of their ends.
  std::vector<std::string> bodies() const;

  bool wait_for(const std::string& word);
  void tell(const std::string& word);

 private:
  friend class RawConnection;
  void accept_all();
  void run(int fd, uint32_t number);
  void keep(std::string body);
  void forget(int fd);

  Script script_;
  int listener_ = -1;
  uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::set<std::string> told_;
  std::set<int> open_;
  std::vector<std::string> bodies_;
  std::vector<std::thread> threads_;  // of connections; touched by the accepting thread
  uint32_t accepted_ = 0;
  std::thread acceptor_;
};

// A port at which every further connect hangs: its queue of connections to accept is full.
class BlackHole {
 public:
  BlackHole();
  ~BlackHole();
  BlackHole(const BlackHole&) = delete;
  BlackHole& operator=(const BlackHole&) = delete;
  std::string url() const;

 private:
  int listener_ = -1;
  uint16_t port_ = 0;
  std::vector<int> waiting_;
};

// A port at which nobody listens: connects are refused.
uint16_t refusing_port();

// As a request's head tells it; 0: it does not.
size_t content_length(const std::string& head);

// The whole answer: status line, Content-Length, body.
std::string http_answer(int status, std::string_view json, std::string_view more_headers = "");

}  // namespace weir::test
