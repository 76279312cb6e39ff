// SPDX-License-Identifier: Apache-2.0
#include "shim/front/pressure_stream.h"

#include <utility>

#include "weir/check.h"

namespace weir {
namespace {

// The JSON has no line end in it, so one data line is enough.
std::string event(std::string_view json) {
  return "event: pressure\ndata: " + std::string(json) + "\n\n";
}

}  // namespace

PressureStream::PressureStream(uv_loop_t* loop, HttpServer& server, size_t most)
    : server_(server), most_(most) {
  WEIR_CHECK(uv_timer_init(loop, &timer_) == 0);
  timer_.data = this;
}

bool PressureStream::open(ExchangeId exchange, std::string_view json) {
  if (listeners_.size() >= most_) return false;
  HttpResponse response;
  response.content_type = "text/event-stream";
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = event(json);
  if (!server_.stream(exchange, std::move(response))) return true;  // gone already
  listeners_.push_back(exchange);
  if (uv_is_active(reinterpret_cast<uv_handle_t*>(&timer_))) return true;
  const auto comment = [](uv_timer_t* timer) {
    static_cast<PressureStream*>(timer->data)->push(":\n\n");
  };
  uv_timer_start(&timer_, comment, kComment.ms(), kComment.ms());
  return true;
}

void PressureStream::tell(std::string_view json) {
  push(event(json));
}

void PressureStream::push(std::string_view bytes) {
  std::erase_if(listeners_, [&](ExchangeId one) { return !server_.push(one, bytes); });
  if (listeners_.empty()) uv_timer_stop(&timer_);
}

void PressureStream::gone(ExchangeId exchange) {
  std::erase(listeners_, exchange);
}

void PressureStream::end() {
  for (ExchangeId one : std::exchange(listeners_, {}))
    server_.drop(one, {});
  uv_timer_stop(&timer_);
}

void PressureStream::close(std::function<void()> closed) {
  end();
  closed_ = std::move(closed);
  uv_close(reinterpret_cast<uv_handle_t*>(&timer_), [](uv_handle_t* handle) {
    // It may end this object.
    auto done = std::move(static_cast<PressureStream*>(handle->data)->closed_);
    done();
  });
}

}  // namespace weir
