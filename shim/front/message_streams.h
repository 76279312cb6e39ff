// SPDX-License-Identifier: Apache-2.0
//
// MessageStreams: uploads of many messages in one request, a JSON object a line (NDJSON).
//
// Lines are submitted as they come, a bounded number at once. While the lane that the last ones
// went to is at `pause` or above, nothing more is read: the kernel's buffers fill and the sender
// waits, however large its file is. It goes on when the pressure falls. A line for which there is
// no room at the moment (lane_full, deadline_unreachable, store_unavailable, over_quota) is not
// refused; it is submitted again when it may be.
//
// The answer comes at the end: a line for each message that was refused, then a summary. A
// connection that breaks, or a weir that stops, in the middle leaves what was accepted accepted.
// The same file is sent again, and the keys see to it that nothing is there twice; so every line
// needs one.
//
// Threads: the loop's.
//
// Limits: kAtOnce lines or kBytesAtOnce under way for each upload, one line of at most body_bytes
// that is being received, and kMostRefused refusals, after which the upload ends: that many mean a
// file that is wrong as a whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include <uv.h>

#include "weir/effect.h"
#include "weir/message.h"
#include "weir/options.h"

#include "shim/front/http_server.h"
#include "shim/front/problem.h"

namespace weir {

class MessageStreams {
 public:
  static constexpr size_t kAtOnce = 256;
  static constexpr size_t kBytesAtOnce = 1024 * 1024;
  static constexpr uint64_t kMostRefused = 10'000;

  struct Backend {
    std::function<RequestId()> next_request;
    std::function<void(RequestId, Submission)> submit;
    const EngineOptions* engine = nullptr;  // outlives the streams
  };
  // `server` outlives it. `most`: how many may be under way; each keeps a connection while it
  // waits.
  MessageStreams(uv_loop_t* loop, HttpServer& server, size_t most, size_t most_line_bytes,
                 Backend backend);
  ~MessageStreams();  // after close() has called back
  MessageStreams(const MessageStreams&) = delete;
  MessageStreams& operator=(const MessageStreams&) = delete;

  // POST /v1/messages with application/x-ndjson.
  static bool wants(const HttpRequest& head);
  // False: there are as many as may be.
  bool begin(ExchangeId exchange, ProducerId producer);
  void piece(ExchangeId exchange, std::string_view bytes);
  void end(ExchangeId exchange);
  void gone(ExchangeId exchange);

  bool has(RequestId request) const { return lines_.contains(request); }
  // Of a request that it has.
  void answer(const Accept& accepted);
  void answer(Refuse refused);

  void pressure_moved(const PressureChanged& change);
  // weir is stopping: every upload is answered with how far it came.
  void stop();
  void close(std::function<void()> closed);

 private:
  struct Line {
    uint64_t number = 0;
    std::string text;
  };
  struct Upload;
  struct UnderWay {
    ExchangeId exchange{};
    Line line;
    std::string key;
  };

  void cut_lines(Upload& upload, std::string_view bytes);
  // Submits what may be submitted, then holds or releases the body, or answers.
  void pump(Upload& upload);
  bool has_room(const Upload& upload) const;
  void submit(Upload& upload, Line line);
  void refuse(Upload& upload, const Line& line, const std::string& key, const Problem& problem);
  Upload* land(RequestId request, UnderWay& done);
  void finish(Upload& upload);
  void pump_all();
  void look_again_soon();

  HttpServer& server_;
  const size_t most_;
  const size_t most_line_bytes_;
  Backend backend_;
  uv_timer_t again_{};
  std::array<Pressure, kLanes> pressure_{};
  std::unordered_map<ExchangeId, std::unique_ptr<Upload>> uploads_;
  std::unordered_map<RequestId, UnderWay> lines_;
  std::function<void()> closed_;
};

}  // namespace weir
