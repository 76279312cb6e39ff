// SPDX-License-Identifier: Apache-2.0

#include "shim/front/http_connection.h"

#include <array>
#include <utility>

#include "weir/check.h"

#include "shim/front/problem.h"

namespace weir {
namespace {

// How long a client may take to notice the end. Long enough for a body that is under way on
// loopback, short enough not to collect connections.
constexpr Duration kLingerTime = Duration::seconds(2);
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

HttpConnection* owner(void* data) {
  return static_cast<HttpConnection*>(data);
}

uv_buf_t buffer_of(std::string_view bytes) {
  return uv_buf_init(const_cast<char*>(bytes.data()), static_cast<unsigned>(bytes.size()));
}

}  // namespace

HttpConnection::HttpConnection(HttpShared& shared, uv_handle_type kind)
    : shared_(shared), parser_(shared.limits, shared.body_streams.wants) {
  if (kind == UV_TCP) {
    WEIR_CHECK(uv_tcp_init(shared.loop, &socket_.tcp) == 0);
  } else {
    WEIR_CHECK(uv_pipe_init(shared.loop, &socket_.pipe, 0) == 0);
  }
  WEIR_CHECK(uv_timer_init(shared.loop, &timer_) == 0);
  socket_.handle.data = this;
  timer_.data = this;
}

void HttpConnection::start() {
  // Answers are written whole, so waiting for more to put into a packet only delays them.
  if (socket_.handle.type == UV_TCP) uv_tcp_nodelay(&socket_.tcp, 1);
  read_on();
  await(Deadline::kIdle);
}

void HttpConnection::read_on() {
  if (reading_ || half_closed_ || phase_ == Phase::kClosed) return;
  const auto give = [](uv_handle_t* handle, size_t, uv_buf_t* buffer) {
    auto& room = owner(handle->data)->shared_.read_buffer;
    *buffer = uv_buf_init(room.data(), static_cast<unsigned>(room.size()));
  };
  const auto take = [](uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
    owner(stream->data)->on_read(count, buffer->base);
  };
  if (uv_read_start(stream(), give, take) != 0) return close();
  reading_ = true;
}

void HttpConnection::pause() {
  uv_read_stop(stream());
  reading_ = false;
}

void HttpConnection::on_read(ssize_t count, const char* bytes) {
  if (count == 0) return;
  if (count < 0) return on_end(count == UV_EOF);
  const std::string_view read(bytes, static_cast<size_t>(count));
  if (takes_bytes()) return consume(read);
  if (phase_ == Phase::kLingering || phase_ == Phase::kStreaming) return;
  // The next request comes while one is out. One read of it is kept; the rest waits in the kernel.
  unread_.append(read);
  pause();
}

void HttpConnection::on_end(bool clean) {
  pause();
  half_closed_ = true;
  // A client may close its half and still wait for its answer.
  const bool unanswered =
      phase_ == Phase::kAnswering || phase_ == Phase::kStreaming || phase_ == Phase::kReceiving;
  const ExchangeId exchange = exchange_;
  // Nobody can tell one that still reads a stream from one that is dead.
  const bool waits = phase_ == Phase::kAnswering || phase_ == Phase::kSending;
  if (!clean || !waits) close();
  if (unanswered) shared_.on_gone(exchange);
}

void HttpConnection::consume(std::string_view bytes) {
  consuming_ = true;
  while (takes_bytes() && !bytes.empty())
    bytes.remove_prefix(step(bytes));
  consuming_ = false;
  if (phase_ == Phase::kReceiving) {
    await(Deadline::kNone);
    if (!held_) return await(Deadline::kPiece);
    unread_.append(bytes);
    return pause();
  }
  if (phase_ == Phase::kReading) {
    if (half_closed_) return close();
    if (!parser_.started()) return await(Deadline::kIdle);
    return await(parser_.head_done() ? Deadline::kBody : Deadline::kHead);
  }
  const bool busy = phase_ == Phase::kAnswering || phase_ == Phase::kSending;
  if (busy && !bytes.empty()) {
    unread_.append(bytes);
    pause();
  }
}

size_t HttpConnection::step(std::string_view bytes) {
  const RequestParser::Fed fed = parser_.feed(bytes);
  switch (fed.progress) {
    case RequestParser::Progress::kMore:
      phase_ == Phase::kReceiving ? hand_on_piece() : account_body();
      break;
    case RequestParser::Progress::kHead: on_head(fed.consumed < bytes.size()); break;
    case RequestParser::Progress::kComplete:
      phase_ == Phase::kReceiving ? end_of_body() : dispatch();
      break;
    case RequestParser::Progress::kFault: refuse(parser_.fault()); break;
  }
  return fed.consumed;
}

void HttpConnection::on_head(bool body_follows_at_once) {
  const bool streamed = parser_.streamed();
  if (!streamed &&
      shared_.bodies_held + parser_.declared_body() > shared_.limits.all_bodies_bytes) {
    return refuse({"busy", "Too many bodies are being received; nothing was read of this one."});
  }
  if (parser_.expects_continue() && !body_follows_at_once && !parser_.http_1_0()) {
    // A fresh socket takes 25 bytes. One that does not is a client that reads no answers.
    const uv_buf_t line = buffer_of(kContinue);
    if (uv_try_write(stream(), &line, 1) != static_cast<int>(kContinue.size())) return close();
  }
  if (!streamed) return;
  phase_ = Phase::kReceiving;
  keep_alive_ = false;  // unless it is read to its end
  held_ = false;
  begin_exchange();
  shared_.body_streams.begin(exchange_, parser_.head());
}

bool HttpConnection::takes_bytes() const {
  return phase_ == Phase::kReading || (phase_ == Phase::kReceiving && !held_);
}

void HttpConnection::hand_on_piece() {
  const std::string piece = parser_.take_piece();
  if (!piece.empty()) shared_.body_streams.piece(exchange_, piece);
}

void HttpConnection::end_of_body() {
  const ExchangeId exchange = exchange_;
  hand_on_piece();
  if (phase_ != Phase::kReceiving) return;  // answered before its end
  await(Deadline::kNone);
  phase_ = Phase::kAnswering;
  keep_alive_ = parser_.keep_alive();
  shared_.body_streams.end(exchange);
}

void HttpConnection::hold_body() {
  if (phase_ == Phase::kReceiving) held_ = true;
}

void HttpConnection::release_body() {
  if (!std::exchange(held_, false) || phase_ != Phase::kReceiving || consuming_) return;
  const std::string bytes = std::exchange(unread_, {});
  consume(bytes);
  if (phase_ == Phase::kReceiving && !held_) read_on();
}

void HttpConnection::account_body() {
  const size_t held = parser_.body_held();
  shared_.bodies_held += held - body_accounted_;
  body_accounted_ = held;
  if (shared_.bodies_held > shared_.limits.all_bodies_bytes) {
    refuse({"busy", "Too many bodies are being received; this one was not read to its end."});
  }
}

void HttpConnection::dispatch() {
  await(Deadline::kNone);
  release_request();
  phase_ = Phase::kAnswering;
  keep_alive_ = parser_.keep_alive();
  begin_exchange();
  HttpRequest request = parser_.take();
  request.over_unix = socket_.handle.type == UV_NAMED_PIPE;
  head_only_ = request.method == "HEAD";
  shared_.on_request(exchange_, std::move(request));
}

void HttpConnection::begin_exchange() {
  say_keep_alive_ = parser_.http_1_0();
  exchange_ = ExchangeId{++shared_.last_exchange};
  shared_.exchanges.emplace(exchange_, this);
}

bool HttpConnection::respond(HttpResponse response) {
  release_request();
  keep_alive_ = keep_alive_ && !response.close && !half_closed_ && !shared_.stopping;
  Persistence persistence = Persistence::kClose;
  if (keep_alive_) persistence = say_keep_alive_ ? Persistence::kKeepSaid : Persistence::kKeep;
  std::string head = response_head(response, persistence);
  return send(std::move(head), head_only_ ? std::string() : std::move(response.body));
}

void HttpConnection::refuse(HttpFault fault) {
  keep_alive_ = false;
  HttpResponse response = problem_response({fault.code, std::string(fault.detail), {}, {}});
  response.close = true;
  respond(std::move(response));
}

bool HttpConnection::stream_answer(HttpResponse response) {
  shared_.bodies_held -= std::exchange(body_accounted_, 0);
  keep_alive_ = false;
  phase_ = Phase::kStreaming;
  unread_.clear();
  read_on();  // for its end
  return push(response_head(response, Persistence::kStream) + response.body);
}

bool HttpConnection::push(std::string_view bytes) {
  if (phase_ != Phase::kStreaming) return false;
  if (queued_.size() + unsent_.size() + bytes.size() > HttpServer::kMostUnsent) {
    close();
    return false;
  }
  queued_.append(bytes);
  return !unsent_.empty() || push_rest();
}

// One write at a time: `unsent_` is under way, `queued_` comes after it.
bool HttpConnection::push_rest() {
  unsent_ = std::exchange(queued_, {});
  const uv_buf_t rest = buffer_of(unsent_);
  write_.data = this;
  const auto finished = [](uv_write_t* write, int status) {
    HttpConnection* self = owner(write->data);
    if (self->phase_ == Phase::kClosed) return;
    if (status != 0) return self->close();
    self->unsent_.clear();
    if (!self->queued_.empty()) {
      self->push_rest();
    } else if (self->phase_ == Phase::kStreaming) {
      self->await(Deadline::kNone);
    } else {
      self->linger();
    }
  };
  if (uv_write(&write_, stream(), &rest, 1, finished) != 0) {
    close();
    return false;
  }
  await(Deadline::kSend);
  return true;
}

void HttpConnection::drop(std::string raw_bytes) {
  const bool amid_a_write = phase_ == Phase::kStreaming && !unsent_.empty();
  release_request();
  keep_alive_ = false;
  if (amid_a_write) {
    queued_ += raw_bytes;
    phase_ = Phase::kSending;
    return;
  }
  send(std::move(raw_bytes), {});
}

bool HttpConnection::send(std::string head, std::string body) {
  phase_ = Phase::kSending;
  const std::array<uv_buf_t, 2> parts = {buffer_of(head), buffer_of(body)};
  const size_t total = head.size() + body.size();
  const int written = total == 0 ? 0 : uv_try_write(stream(), parts.data(), parts.size());
  if (written < 0 && written != UV_EAGAIN) {
    close();
    return false;
  }
  const size_t done = written < 0 ? 0 : static_cast<size_t>(written);
  if (done == total) {
    sent();
    return true;
  }

  if (done < head.size()) {
    unsent_ = head.substr(done) + body;
  } else {
    unsent_ = std::move(body);
    unsent_.erase(0, done - head.size());
  }
  const uv_buf_t rest = buffer_of(unsent_);
  write_.data = this;
  const auto finished = [](uv_write_t* write, int status) {
    HttpConnection* self = owner(write->data);
    if (self->phase_ == Phase::kClosed) return;
    status == 0 ? self->sent() : self->close();
  };
  if (uv_write(&write_, stream(), &rest, 1, finished) != 0) {
    close();
    return false;
  }
  await(Deadline::kSend);
  return true;
}

void HttpConnection::sent() {
  std::string().swap(unsent_);
  if (!keep_alive_) return linger();
  parser_.next();
  head_only_ = false;
  phase_ = Phase::kReading;
  await(Deadline::kNone);
  if (consuming_) return;  // the loop there goes on with what it has
  const std::string bytes = std::exchange(unread_, {});
  consume(bytes);
  if (unread_.empty()) read_on();
}

void HttpConnection::linger() {
  phase_ = Phase::kLingering;
  unread_.clear();
  shutdown_.data = this;
  const auto finished = [](uv_shutdown_t* shutdown, int status) {
    HttpConnection* self = owner(shutdown->data);
    if (status != 0 || self->half_closed_) self->close();
  };
  if (uv_shutdown(&shutdown_, stream(), finished) != 0) return close();
  await(Deadline::kLinger);
  read_on();
}

void HttpConnection::reset() {
  release_request();
  if (phase_ == Phase::kClosed) return;
  const auto closed = [](uv_handle_t* handle) { owner(handle->data)->on_handle_closed(); };
  // A unix socket has no RST: its client sees the end, or ECONNRESET if it had more to say.
  if (socket_.handle.type != UV_TCP || uv_tcp_close_reset(&socket_.tcp, closed) != 0) {
    return close();
  }
  phase_ = Phase::kClosed;
  uv_close(reinterpret_cast<uv_handle_t*>(&timer_), closed);
}

void HttpConnection::stop() {
  if (phase_ != Phase::kReading) return;
  if (!parser_.started()) return close();
  refuse({"draining", "weir is stopping."});
}

void HttpConnection::close() {
  if (phase_ == Phase::kClosed) return;
  release_request();
  phase_ = Phase::kClosed;
  const auto closed = [](uv_handle_t* handle) { owner(handle->data)->on_handle_closed(); };
  uv_close(&socket_.handle, closed);
  uv_close(reinterpret_cast<uv_handle_t*>(&timer_), closed);
}

void HttpConnection::await(Deadline deadline) {
  if (deadline == deadline_ || phase_ == Phase::kClosed) return;
  deadline_ = deadline;
  Duration time;
  switch (deadline) {
    case Deadline::kNone: uv_timer_stop(&timer_); return;
    case Deadline::kIdle: time = shared_.limits.idle_time; break;
    case Deadline::kHead: time = shared_.limits.head_time; break;
    case Deadline::kBody: time = shared_.limits.body_time; break;
    case Deadline::kPiece: time = shared_.limits.idle_time; break;
    case Deadline::kSend: time = shared_.limits.idle_time; break;
    case Deadline::kLinger: time = kLingerTime; break;
  }
  uv_timer_start(
      &timer_, [](uv_timer_t* timer) { owner(timer->data)->on_deadline(); },
      static_cast<uint64_t>(time.ms_ceil()), 0);
}

void HttpConnection::on_deadline() {
  switch (std::exchange(deadline_, Deadline::kNone)) {
    case Deadline::kHead: return refuse({"request_timeout", "The head did not come in time."});
    case Deadline::kBody: return refuse({"request_timeout", "The body did not come in time."});
    case Deadline::kPiece: {
      const ExchangeId exchange = exchange_;
      refuse({"request_timeout", "The rest of the body did not come in time."});
      return shared_.on_gone(exchange);
    }
    case Deadline::kNone:
    case Deadline::kIdle:
    case Deadline::kSend:
    case Deadline::kLinger: return close();
  }
}

void HttpConnection::release_request() {
  shared_.bodies_held -= std::exchange(body_accounted_, 0);
  if (exchange_ != ExchangeId{}) shared_.exchanges.erase(std::exchange(exchange_, ExchangeId{}));
}

void HttpConnection::on_handle_closed() {
  if (--open_handles_ == 0) shared_.closed(this);
}

}  // namespace weir
