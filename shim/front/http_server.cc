// SPDX-License-Identifier: Apache-2.0

#include "shim/front/http_server.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include <unistd.h>
#include <uv.h>

#include "weir/check.h"

#include "shim/front/http_connection.h"
#include "shim/front/unix_socket.h"

namespace weir {
namespace {

// Connections waiting to be accepted; the kernel cuts it to its own bound (somaxconn).
constexpr int kBacklog = 511;
// Connections above the cap that are told so at once; beyond these they are only closed.
constexpr size_t kRefusedAtOnce = 32;

std::string uv_text(int error) {
  return uv_strerror(error);
}

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const {
  for (const auto& [field, value] : headers) {
    if (field == name) return value;
  }
  return {};
}

struct HttpServer::State {
  struct Listener {
    State* server = nullptr;
    uv_any_handle socket{};
    std::optional<UnixSocket> file;
  };

  HttpShared shared;
  std::vector<std::unique_ptr<Listener>> listeners;
  std::unordered_map<HttpConnection*, std::unique_ptr<HttpConnection>> connections;
  std::function<void()> closed;

  Listener& add_listener();
  void drop_listener(Listener& listener);
  int listen(Listener& listener);
  void accept(Listener& listener);
  HttpConnection* waiting(ExchangeId exchange);
  void stop_listening();
  void finish_if_empty();
};

HttpServer::State::Listener& HttpServer::State::add_listener() {
  auto& listener = *listeners.emplace_back(std::make_unique<Listener>());
  listener.server = this;
  return listener;
}

// Its handle is open; it goes when that is closed.
void HttpServer::State::drop_listener(Listener& listener) {
  listener.socket.handle.data = &listener;
  uv_close(&listener.socket.handle, [](uv_handle_t* handle) {
    auto* closed_one = static_cast<Listener*>(handle->data);
    State* server = closed_one->server;
    std::erase_if(server->listeners, [&](const auto& l) { return l.get() == closed_one; });
    server->finish_if_empty();
  });
}

int HttpServer::State::listen(Listener& listener) {
  listener.socket.handle.data = &listener;
  // An accept that fails for want of descriptors is libuv's to handle: it keeps one in reserve,
  // with which it takes the waiting connections and closes them.
  return uv_listen(&listener.socket.stream, kBacklog, [](uv_stream_t* stream, int status) {
    auto* self = static_cast<Listener*>(stream->data);
    if (status == 0) self->server->accept(*self);
  });
}

void HttpServer::State::accept(Listener& listener) {
  const size_t open = connections.size();
  auto owned = std::make_unique<HttpConnection>(shared, listener.socket.handle.type);
  HttpConnection& connection = *owned;
  connections.emplace(&connection, std::move(owned));
  if (uv_accept(&listener.socket.stream, connection.stream()) != 0) return connection.close();
  if (open < shared.limits.connections) return connection.start();
  if (open >= shared.limits.connections + kRefusedAtOnce) return connection.close();
  connection.refuse({"too_many_connections", "Use fewer connections, or keep them open."});
}

HttpConnection* HttpServer::State::waiting(ExchangeId exchange) {
  const auto found = shared.exchanges.find(exchange);
  return found == shared.exchanges.end() ? nullptr : found->second;
}

void HttpServer::State::stop_listening() {
  shared.stopping = true;
  for (const auto& listener : listeners) {
    if (uv_is_closing(&listener->socket.handle) != 0) continue;
    if (listener->file) listener->file->remove();
    drop_listener(*listener);
  }
}

void HttpServer::State::finish_if_empty() {
  if (!closed || !listeners.empty() || !connections.empty()) return;
  const std::function<void()> call = std::exchange(closed, nullptr);
  call();  // may destroy this
}

HttpServer::HttpServer(uv_loop_s* loop, HttpLimits limits, OnRequest on_request, OnGone on_gone)
    : state_(std::make_unique<State>()) {
  // One body must be able to come in.
  limits.all_bodies_bytes = std::max(limits.all_bodies_bytes, limits.body_bytes);
  HttpShared& shared = state_->shared;
  shared.loop = loop;
  shared.limits = limits;
  shared.on_request = std::move(on_request);
  shared.on_gone = std::move(on_gone);
  shared.closed = [state = state_.get()](HttpConnection* connection) {
    state->connections.erase(connection);
    state->finish_if_empty();
  };
}

HttpServer::~HttpServer() {
  WEIR_CHECK(state_->listeners.empty() && state_->connections.empty());
}

Result<uint16_t> HttpServer::listen_tcp(const std::string& address, uint16_t port) {
  const std::string place = address + " port " + std::to_string(port);
  sockaddr_storage where{};
  auto* where4 = reinterpret_cast<sockaddr_in*>(&where);
  auto* where6 = reinterpret_cast<sockaddr_in6*>(&where);
  if (uv_ip4_addr(address.c_str(), port, where4) != 0 &&
      uv_ip6_addr(address.c_str(), port, where6) != 0) {
    return Error{"Cannot listen on " + place + ": it is not a numeric IPv4 or IPv6 address."};
  }
  State::Listener& listener = state_->add_listener();
  WEIR_CHECK(uv_tcp_init(state_->shared.loop, &listener.socket.tcp) == 0);
  int rc = uv_tcp_bind(&listener.socket.tcp, reinterpret_cast<sockaddr*>(&where), 0);
  if (rc == 0) rc = state_->listen(listener);
  sockaddr_storage bound{};
  int size = sizeof bound;
  if (rc == 0) {
    rc = uv_tcp_getsockname(&listener.socket.tcp, reinterpret_cast<sockaddr*>(&bound), &size);
  }
  if (rc != 0) {
    state_->drop_listener(listener);
    return Error{"Cannot listen on " + place + ": " + uv_text(rc) + "."};
  }
  // The port stands at the same place in both families.
  return static_cast<uint16_t>(ntohs(reinterpret_cast<sockaddr_in*>(&bound)->sin_port));
}

Status HttpServer::listen_unix(const std::string& path, unsigned mode) {
  Result<UnixSocket> file = UnixSocket::bind(path, mode);
  if (!file) return file.error();
  State::Listener& listener = state_->add_listener();
  listener.file = *file;
  WEIR_CHECK(uv_pipe_init(state_->shared.loop, &listener.socket.pipe, 0) == 0);
  int rc = uv_pipe_open(&listener.socket.pipe, file->fd());
  if (rc != 0) ::close(file->fd());
  if (rc == 0) rc = state_->listen(listener);
  if (rc == 0) return Done{};
  listener.file->remove();
  state_->drop_listener(listener);
  return Error{"Cannot listen on the unix socket " + path + ": " + uv_text(rc) + "."};
}

bool HttpServer::respond(ExchangeId exchange, HttpResponse response) {
  HttpConnection* connection = state_->waiting(exchange);
  return connection != nullptr && connection->respond(std::move(response));
}

bool HttpServer::stream(ExchangeId exchange, HttpResponse response) {
  HttpConnection* connection = state_->waiting(exchange);
  return connection != nullptr && connection->stream_answer(std::move(response));
}

bool HttpServer::push(ExchangeId exchange, std::string_view bytes) {
  HttpConnection* connection = state_->waiting(exchange);
  return connection != nullptr && connection->push(bytes);
}

void HttpServer::drop(ExchangeId exchange, std::string raw_bytes) {
  HttpConnection* connection = state_->waiting(exchange);
  if (connection != nullptr) connection->drop(std::move(raw_bytes));
}

void HttpServer::reset(ExchangeId exchange) {
  HttpConnection* connection = state_->waiting(exchange);
  if (connection != nullptr) connection->reset();
}

size_t HttpServer::connections() const {
  return state_->connections.size();
}

void HttpServer::stop_accepting() {
  state_->stop_listening();
  // None is erased while we walk: that happens in a later turn.
  for (const auto& [connection, owned] : state_->connections)
    connection->stop();
}

void HttpServer::close(std::function<void()> closed) {
  WEIR_CHECK(closed);
  state_->closed = std::move(closed);
  state_->stop_listening();
  for (const auto& [connection, owned] : state_->connections)
    connection->close();
  state_->finish_if_empty();
}

}  // namespace weir
