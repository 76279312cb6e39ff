// SPDX-License-Identifier: Apache-2.0
//
// One HTTP/1.1 request after the other out of the bytes of a connection. No I/O.
//
// Bytes go in as they come, in pieces of any size; what belongs to the next request is left to the
// caller. The head is collected until it is whole, looked at by the framing guard, and read once;
// the body is appended to the request as it comes. Of a streamed one it is the caller that takes
// each piece away, and body_bytes is no bound.
//
// Threads: the loop's; one parser a connection.
//
// What always holds: no more is kept than head_bytes, body_bytes and one line of a chunk; a request
// that is handed out has passed the guard.
//
// Limits: trailers of a chunked body are read and dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "shim/front/framing_guard.h"
#include "shim/front/http_server.h"

namespace weir {

class RequestParser {
 public:
  // Whether the body of the request with this head is to be taken in pieces.
  using Streams = std::function<bool(const HttpRequest&)>;
  // Both outlive the parser.
  RequestParser(const HttpLimits& limits, const Streams& streams);
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  enum class Progress : uint8_t {
    kMore,      // all bytes were taken; the request is not whole
    kHead,      // the head is whole and a body is to follow
    kComplete,  // the request is whole: take() it, then next()
    kFault,     // fault() says why; nothing more can be read
  };
  struct Fed {
    size_t consumed = 0;
    Progress progress = Progress::kMore;
  };
  Fed feed(std::string_view bytes);

  const HttpFault& fault() const { return fault_; }

  bool started() const;      // a byte of this request was seen
  bool head_done() const;    // its head is whole
  size_t body_held() const;  // bytes of its body so far
  // What the head says; after kHead or kComplete.
  uint64_t declared_body() const;  // 0: chunked, or none
  bool expects_continue() const;
  bool keep_alive() const;
  bool http_1_0() const;

  // After kHead: nothing of the body is kept but what take_piece() has not taken.
  bool streamed() const;
  std::string take_piece();
  // Without a body, after kHead.
  const HttpRequest& head() const;

  HttpRequest take();
  // Forgets the request and begins with the next one.
  void next();

 private:
  class Machine;

  size_t skip_leading_line(std::string_view bytes);
  Fed feed_head(std::string_view bytes);
  Fed feed_body(std::string_view bytes);
  Fed feed_chunks(std::string_view bytes);
  Progress read_head(std::string_view head);
  Progress fail(HttpFault fault);

  const HttpLimits& limits_;
  const Streams& streams_;
  std::unique_ptr<Machine> machine_;
  std::string pending_;  // of an unfinished head or line of a chunk
  size_t chunk_bytes_ = 0;
  size_t leading_ = 0;  // bytes of an empty line before the request; 2: none is looked for
  HttpFault fault_;
};

}  // namespace weir
