// SPDX-License-Identifier: Apache-2.0
//
// What the API holds while it runs, and its routes. Internal to api.cc (the way of a request and of
// an answer) and api_routes.cc (one function a route).
//
// Threads: the loop's.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "shim/front/api.h"
#include "shim/front/awaited_outcomes.h"
#include "shim/front/gate.h"
#include "shim/front/message_streams.h"
#include "shim/front/pressure_stream.h"
#include "shim/front/problem.h"

namespace weir {

inline constexpr std::string_view kMessages = "/v1/messages";
inline constexpr std::string_view kOneMessage = "/v1/messages/";
inline constexpr std::string_view kTemplates = "/v1/templates";
inline constexpr std::string_view kOneTemplate = "/v1/templates/";
inline constexpr std::string_view kOneLease = "/v1/leases/";
inline constexpr std::string_view kRefund = "/refund";
inline constexpr std::string_view kResolve = "/resolve";
inline constexpr std::string_view kCancel = "/cancel";

struct Api::State {
  State(uv_loop_s* loop, ApiOptions given, ApiBackend rest);

  using Answer = void (State::*)(ExchangeId, const HttpRequest&);
  struct Route {
    std::string_view method;
    std::string_view path;  // with a / at its end: that, and one more part
    Answer answer;
    Access access = Access::kOperator;
    std::string_view tail = {};  // what follows that part
  };
  static const std::array<Route, 33> kRoutes;
  static bool matches(const Route& route, std::string_view path);

  void on_request(ExchangeId exchange, const HttpRequest& request);
  void ask(const Route& route, ExchangeId exchange, const HttpRequest& request);
  // Of a request that was let in. The key is looked at once more, because few routes want to know.
  ProducerId producer_of(const HttpRequest& request) const {
    return std::get<ProducerId>(gate.let_in(request, Access::kProducer));
  }
  void begin_upload(ExchangeId exchange, const HttpRequest& head);
  void post_message(ExchangeId exchange, const HttpRequest& request);
  void get_message(ExchangeId exchange, const HttpRequest& request);
  void list_messages(ExchangeId exchange, const HttpRequest& request);
  void post_resolve(ExchangeId exchange, const HttpRequest& request);
  void post_cancel_one(ExchangeId exchange, const HttpRequest& request);
  void post_cancel(ExchangeId exchange, const HttpRequest& request);
  void post_stop(ExchangeId exchange, const HttpRequest& request);
  void post_cost(ExchangeId exchange, const HttpRequest& request);
  void list_templates(ExchangeId exchange, const HttpRequest& request);
  void get_template(ExchangeId exchange, const HttpRequest& request);
  void put_template(ExchangeId exchange, const HttpRequest& request);
  void delete_template(ExchangeId exchange, const HttpRequest& request);
  void post_acquire(ExchangeId exchange, const HttpRequest& request);
  void post_refund(ExchangeId exchange, const HttpRequest& request);
  void get_lanes(ExchangeId exchange, const HttpRequest& request);
  void get_pressure(ExchangeId exchange, const HttpRequest& request);
  void get_rate_history(ExchangeId exchange, const HttpRequest& request);
  void get_shadow(ExchangeId exchange, const HttpRequest& request);
  void get_db(ExchangeId exchange, const HttpRequest& request);
  void post_backup(ExchangeId exchange, const HttpRequest& request);
  void post_check(ExchangeId exchange, const HttpRequest& request);
  void post_compact(ExchangeId exchange, const HttpRequest& request);
  void get_quarantine(ExchangeId exchange, const HttpRequest& request);
  void post_release(ExchangeId exchange, const HttpRequest& request);
  void get_healthz(ExchangeId exchange, const HttpRequest& request);
  void get_readyz(ExchangeId exchange, const HttpRequest& request);
  void get_metrics(ExchangeId exchange, const HttpRequest& request);
  void get_openapi(ExchangeId exchange, const HttpRequest& request);

  bool takes_json(ExchangeId exchange, const HttpRequest& request);
  std::optional<MessageId> message_in(ExchangeId exchange, const HttpRequest& request,
                                      std::string_view tail = {});
  void refuse(ExchangeId exchange, const Problem& problem);
  // Remembers who waits, or answers that too many do.
  bool wait(ExchangeId exchange, RequestId& request);
  // False: nobody is there to be told.
  bool deliver(RequestId request, HttpResponse response);
  void answer(RequestId request, HttpResponse response) { deliver(request, std::move(response)); }
  void not_read(RequestId request, std::string what) {
    answer(request, problem_response({"store_unavailable", std::move(what), {}, {}}));
  }
  void on_gone(ExchangeId exchange);

  struct Waiting {
    ExchangeId exchange{};
    bool acquires = false;
    Duration for_outcome;  // `Prefer: wait`; zero: it only wants to know that it is on disk
  };
  ApiOptions options;
  ApiBackend backend;
  Gate gate;
  HttpServer server;
  uint16_t port = 0;
  uint64_t last_request = 0;
  std::unordered_map<RequestId, Waiting> waiting;
  PressureStream pressure_stream;
  AwaitedOutcomes awaited;
  MessageStreams uploads;
};

}  // namespace weir
