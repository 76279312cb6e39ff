// SPDX-License-Identifier: Apache-2.0
//
// A small, strict HTTP/1.1 server on libuv: bytes in, requests out, answers back.
//
// Parsing is Boost.Beast's, behind a framing guard that refuses what Beast 1.81 takes too lightly
// (several Content-Lengths, Transfer-Encoding with a length, a missing or second Host, obs-fold,
// targets that are not paths). It knows nothing of weir: the front door and the fake gateway are
// two users of it.
//
// Threads: the loop's. Every request is answered exactly once, by respond(), stream(), drop() or
// reset(), in any order, within on_request or at any later time; an exchange whose client has gone
// is answered into the void. on_gone says that it has, or that it will say no more; the exchange
// may be answered even then.
//
// What it cannot understand it answers itself, with problem+json (problem.h), and closes.
//
// Limits: HttpLimits. A connection carries one request at a time (pipelined ones wait unread). No
// Date in the answers, because nothing here reads a clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/result.h"
#include "weir/time.h"

struct uv_loop_s;

namespace weir {

struct HttpLimits {
  size_t head_bytes = 8 * 1024;
  size_t head_fields = 64;
  size_t body_bytes = 8 * 1024 * 1024;  // a submission of 100,000 recipients is about 1.5 MB
  // All bodies that are being received at once; more is answered 503. Pausing a connection bounds
  // nothing (the kernel takes megabytes for it), so it is this that bounds memory.
  size_t all_bodies_bytes = 64 * 1024 * 1024;
  size_t connections = 512;
  Duration head_time = Duration::seconds(5);   // from the first byte to the end of the head
  Duration body_time = Duration::seconds(30);  // for the whole body
  Duration idle_time = Duration::seconds(30);  // between two requests, and for an answer to leave
};

struct HttpRequest {
  std::string method;
  std::string path;   // decoded no further than the split at '?'
  std::string query;  // without '?'
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;
  bool over_unix = false;  // came by the unix socket, so the file's permissions let it in

  // The first value of a header (name in lower case), or an empty view.
  std::string_view header(std::string_view name) const;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  bool close = false;  // say Connection: close and do so
};

// Names one request for its answer. Never used twice.
enum class ExchangeId : uint64_t {};

class HttpServer {
 public:
  using OnRequest = std::function<void(ExchangeId, HttpRequest)>;
  // Its client closed the connection, or its half of it, before the answer. One that is killed does
  // the same, so who must not lose an answer takes it for that. At most once an exchange; not seen
  // while a next request of the same client waits unread.
  using OnGone = std::function<void(ExchangeId)>;

  // Bodies that are not kept whole but handed on as they come, for requests whose head is `wanted`.
  // on_request is not called for those; one that breaks off is told by on_gone. respond() before
  // the end closes the connection afterwards. The bounds on bodies do not hold for it; between two
  // pieces idle_time may pass.
  struct BodyStreams {
    std::function<bool(const HttpRequest&)> wants;
    std::function<void(ExchangeId, const HttpRequest&)> begin;
    std::function<void(ExchangeId, std::string_view)> piece;
    std::function<void(ExchangeId)> end;
  };

  HttpServer(
      uv_loop_s* loop, HttpLimits limits, OnRequest on_request, OnGone on_gone = [](ExchangeId) {});
  ~HttpServer();  // after close() has called back
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Before it listens.
  void stream_bodies(BodyStreams streams);
  // While held, no more pieces come: the connection is not read, and its sender waits.
  void hold_body(ExchangeId exchange);
  // Pieces may come before it returns.
  void release_body(ExchangeId exchange);

  // Numeric address; port 0 takes a free one. Returns the port.
  Result<uint16_t> listen_tcp(const std::string& address, uint16_t port);
  // Replaces a socket file that nobody listens on any more; refuses one that is alive.
  Status listen_unix(const std::string& path, unsigned mode);

  // False: the client has gone and got nothing. True promises less: that the kernel took it, or
  // will.
  bool respond(ExchangeId exchange, HttpResponse response);
  // An answer without an end: its head and the first part of its body; push() brings the rest, and
  // drop() ends it. False from either: the client has gone, or reads so slowly that more than
  // kMostUnsent bytes wait for it; it is closed, and the exchange is over.
  static constexpr size_t kMostUnsent = 64 * 1024;
  bool stream(ExchangeId exchange, HttpResponse response);
  bool push(ExchangeId exchange, std::string_view bytes);
  // Instead of an answer: raw bytes, or none, then a close (FIN); or a reset (RST) at once.
  void drop(ExchangeId exchange, std::string raw_bytes);
  void reset(ExchangeId exchange);

  size_t connections() const;
  // Takes no more connections or requests; those under way can still be answered.
  void stop_accepting();
  // Closes every connection and handle, then calls back (at once if nothing is open). The server
  // may be destroyed in the callback.
  void close(std::function<void()> closed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
