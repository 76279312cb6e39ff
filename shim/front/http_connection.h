// SPDX-License-Identifier: Apache-2.0
//
// One connection of the HTTP server: reads requests, hands each to the server's user, writes its
// answer, and keeps the deadlines. Internal to http_server.cc.
//
// Threads: the loop's.
//
// Phases:   kReading -> kAnswering -> kSending -> kReading      (or kLingering -> kClosed)
//                               or -> kStreaming -> kLingering
// A refusal goes from kReading straight to kSending. After the last answer the connection lingers:
// it says FIN and drops what still comes, because a close with unread bytes is a RST, and a RST can
// overtake the answer.
//
// What always holds:
//   - One timer; which deadline it stands for is in `deadline_`.
//   - While a request is out for its answer, at most one more read is kept unparsed.
//   - The object lives until `closed` is called, from the loop, after both handles are closed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <uv.h>

#include "shim/front/http_server.h"
#include "shim/front/request_parser.h"
#include "shim/front/response_head.h"

namespace weir {

class HttpConnection;

// What the connections of one server have in common. Outlives them.
struct HttpShared {
  uv_loop_t* loop = nullptr;
  HttpLimits limits;
  HttpServer::OnRequest on_request;
  HttpServer::OnGone on_gone;
  std::function<void(HttpConnection*)> closed;
  bool stopping = false;

  // Every read lands here and is parsed before the next one is made.
  std::vector<char> read_buffer = std::vector<char>(64 * 1024);
  size_t bodies_held = 0;
  uint64_t last_exchange = 0;
  std::unordered_map<ExchangeId, HttpConnection*> exchanges;
};

class HttpConnection {
 public:
  // `shared` outlives it. Both handles are open from here on: close() is the way out.
  HttpConnection(HttpShared& shared, uv_handle_type kind);
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // After uv_accept() into it.
  uv_stream_t* stream() { return &socket_.stream; }
  void start();

  // Answers without a request, then closes.
  void refuse(HttpFault fault);

  // The answer to the request that is out. False: it could not be written.
  bool respond(HttpResponse response);
  // An answer without an end. False: the client has gone or does not read; it is closed.
  bool stream_answer(HttpResponse response);
  bool push(std::string_view bytes);
  void drop(std::string raw_bytes);
  void reset();

  // The server takes no more requests: an idle connection closes, one in the middle of a request is
  // refused, one that waits for its answer still gets it.
  void stop();
  void close();

 private:
  enum class Phase : uint8_t { kReading, kAnswering, kSending, kStreaming, kLingering, kClosed };
  enum class Deadline : uint8_t { kNone, kIdle, kHead, kBody, kSend, kLinger };

  void read_on();
  void pause();
  void on_read(ssize_t count, const char* bytes);
  void on_end(bool clean);
  void consume(std::string_view bytes);
  size_t step(std::string_view bytes);
  void on_head(bool body_follows_at_once);
  void account_body();
  void dispatch();

  bool send(std::string head, std::string body);
  void sent();
  bool push_rest();
  void linger();

  void await(Deadline deadline);
  void on_deadline();
  void release_request();
  void on_handle_closed();

  HttpShared& shared_;
  uv_any_handle socket_{};
  uv_timer_t timer_{};
  uv_write_t write_{};
  uv_shutdown_t shutdown_{};

  RequestParser parser_;
  Phase phase_ = Phase::kReading;
  Deadline deadline_ = Deadline::kNone;
  ExchangeId exchange_{};
  std::string unread_;  // came while a request was out
  std::string unsent_;  // what the socket did not take at once
  std::string queued_;  // of a stream, after that
  size_t body_accounted_ = 0;
  int open_handles_ = 2;
  bool reading_ = false;      // uv reads
  bool consuming_ = false;    // consume() is on the stack
  bool half_closed_ = false;  // the client has said all that it will
  bool keep_alive_ = false;
  bool say_keep_alive_ = false;
  bool head_only_ = false;  // the request is a HEAD
};

}  // namespace weir
