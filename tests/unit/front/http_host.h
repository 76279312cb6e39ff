// SPDX-License-Identifier: Apache-2.0
//
// HttpHost: an HttpServer on a loop thread, on a free port of 127.0.0.1, with a handler.
//
// The default handler echoes "METHOD PATH?QUERY BODY". At its end it closes the server and checks
// that no handle of the loop is left.
#pragma once

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "shim/front/http_server.h"
#include "tests/support/raw_client.h"
#include "tests/unit/front/loop_thread.h"

namespace weir::test {

class HttpHost {
 public:
  using Handler = std::function<void(HttpServer&, ExchangeId, HttpRequest)>;

  explicit HttpHost(HttpLimits limits = {}, Handler handler = echo) {
    std::signal(SIGPIPE, SIG_IGN);  // as the program does
    thread_.run([&] {
      server_ = std::make_unique<HttpServer>(
          thread_.loop(), limits,
          [this, handler = std::move(handler)](ExchangeId exchange, HttpRequest request) {
            handler(*server_, exchange, std::move(request));
          });
      Result<uint16_t> port = server_->listen_tcp("127.0.0.1", 0);
      if (port) port_ = *port;
    });
    EXPECT_NE(port_, 0);
  }

  ~HttpHost() { close(); }

  // A second call does nothing.
  void close() {
    if (!server_) return;
    thread_.run_until([&](std::function<void()> closed) { server_->close(std::move(closed)); });
    thread_.run([&] { server_.reset(); });
    EXPECT_EQ(thread_.finish(), 0) << "a handle was left open";
  }

  static void echo(HttpServer& server, ExchangeId exchange, HttpRequest request) {
    HttpResponse response;
    response.content_type = "text/plain";
    response.body = request.method + " " + request.path + "?" + request.query + " " + request.body;
    server.respond(exchange, std::move(response));
  }

  RawClient connect() { return RawClient::tcp(port_); }
  uint16_t port() const { return port_; }
  HttpServer& server() { return *server_; }
  void run(const std::function<void()>& task) { thread_.run(task); }
  size_t connections() {
    size_t count = 0;
    run([&] { count = server_->connections(); });
    return count;
  }

 private:
  LoopThread thread_;
  std::unique_ptr<HttpServer> server_;
  uint16_t port_ = 0;
};

}  // namespace weir::test
