// SPDX-License-Identifier: Apache-2.0
//
// PressureStream: producers that listen to the pressure as server-sent events (HTML Living
// Standard, 9.2): one event with all lanes when they come, one at each change, and a comment from
// time to time, so that a proxy does not take the silence for the end and a client that is gone is
// noticed.
//
// Threads: the loop's.
//
// Limits: `most` listeners; each holds a connection. One that does not read is closed by the server
// (HttpServer::kMostUnsent).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <uv.h>

#include "weir/time.h"

#include "shim/front/http_server.h"

namespace weir {

class PressureStream {
 public:
  static constexpr Duration kComment = Duration::seconds(15);

  // `server` outlives it.
  PressureStream(uv_loop_t* loop, HttpServer& server, size_t most);
  PressureStream(const PressureStream&) = delete;
  PressureStream& operator=(const PressureStream&) = delete;

  // False: there are as many as may be, and nothing was answered.
  bool open(ExchangeId exchange, std::string_view json);
  void tell(std::string_view json);
  bool anybody() const { return !listeners_.empty(); }
  void gone(ExchangeId exchange);
  // Ends every stream.
  void end();
  // Must have called back before this object goes; after end().
  void close(std::function<void()> closed);

 private:
  void push(std::string_view bytes);

  HttpServer& server_;
  const size_t most_;
  uv_timer_t timer_{};
  std::vector<ExchangeId> listeners_;
  std::function<void()> closed_;
};

}  // namespace weir
