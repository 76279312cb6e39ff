// SPDX-License-Identifier: Apache-2.0

#include "shim/front/api.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "weir/check.h"

#include "shim/front/ascii_case.h"
#include "shim/front/cancel_json.h"
#include "shim/front/cost_json.h"
#include "shim/front/db_json.h"
#include "shim/front/json_response.h"
#include "shim/front/lease_json.h"
#include "shim/front/ledger_json.h"
#include "shim/front/message_json.h"
#include "shim/front/problem.h"
#include "shim/front/rate_json.h"
#include "shim/front/shadow_json.h"
#include "shim/front/stop_json.h"
#include "shim/front/submission_json.h"
#include "shim/front/template_json.h"
#include "shim/front/views_json.h"

namespace weir {
namespace {

constexpr std::string_view kOpenApi =
#include "openapi_yaml.inc"
    ;

constexpr std::string_view kMessages = "/v1/messages";
constexpr std::string_view kOneMessage = "/v1/messages/";
constexpr std::string_view kTemplates = "/v1/templates";
constexpr std::string_view kOneTemplate = "/v1/templates/";
constexpr std::string_view kOneLease = "/v1/leases/";
constexpr std::string_view kRefund = "/refund";
constexpr std::string_view kResolve = "/resolve";
constexpr std::string_view kCancel = "/cancel";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// application/json, alone or with charset=utf-8. A type is required: a web page can make a browser
// post to this machine without asking anybody, but not with this type.
bool is_json(std::string_view content_type) {
  const size_t semicolon = content_type.find(';');
  if (!equals_ignoring_case(trimmed(content_type.substr(0, semicolon)), "application/json")) {
    return false;
  }
  if (semicolon == content_type.npos) return true;
  const std::string_view parameter = trimmed(content_type.substr(semicolon + 1));
  return parameter.empty() || equals_ignoring_case(parameter, "charset=utf-8") ||
         equals_ignoring_case(parameter, "charset=\"utf-8\"");
}

}  // namespace

struct Api::State {
  State(uv_loop_s* loop, ApiOptions given, ApiBackend rest);

  using Answer = void (State::*)(ExchangeId, const HttpRequest&);
  struct Route {
    std::string_view method;
    std::string_view path;  // with a / at its end: that, and one more part
    Answer answer;
    std::string_view tail = {};  // what follows that part
  };
  static const std::array<Route, 33> kRoutes;
  static bool matches(const Route& route, std::string_view path);

  void on_request(ExchangeId exchange, const HttpRequest& request);
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
  };
  ApiOptions options;
  ApiBackend backend;
  HttpServer server;
  uint16_t port = 0;
  uint64_t last_request = 0;
  std::unordered_map<RequestId, Waiting> waiting;
};

const std::array<Api::State::Route, 33> Api::State::kRoutes = {{
    {"POST", kMessages, &State::post_message},
    {"GET", kMessages, &State::list_messages},
    {"GET", kOneMessage, &State::get_message},
    {"POST", kOneMessage, &State::post_resolve, kResolve},
    {"POST", kOneMessage, &State::post_cancel_one, kCancel},
    {"POST", "/v1/cancel", &State::post_cancel},
    {"POST", "/v1/cost", &State::post_cost},
    {"GET", kTemplates, &State::list_templates},
    {"GET", kOneTemplate, &State::get_template},
    {"PUT", kOneTemplate, &State::put_template},
    {"DELETE", kOneTemplate, &State::delete_template},
    {"POST", "/v1/acquire", &State::post_acquire},
    {"POST", kOneLease, &State::post_refund, kRefund},
    {"GET", "/v1/lanes", &State::get_lanes},
    {"POST", kOneLane, &State::post_stop, "/pause"},
    {"POST", kOneLane, &State::post_stop, "/drain"},
    {"POST", kOneLane, &State::post_stop, "/resume"},
    {"POST", kOneClass, &State::post_stop, "/pause"},
    {"POST", kOneClass, &State::post_stop, "/drain"},
    {"POST", kOneClass, &State::post_stop, "/resume"},
    {"GET", "/v1/pressure", &State::get_pressure},
    {"GET", "/v1/rate/history", &State::get_rate_history},
    {"GET", "/v1/shadow", &State::get_shadow},
    {"GET", "/v1/db", &State::get_db},
    {"POST", "/v1/db/backup", &State::post_backup},
    {"POST", "/v1/db/check", &State::post_check},
    {"POST", "/v1/db/compact", &State::post_compact},
    {"GET", "/v1/quarantine", &State::get_quarantine},
    {"POST", "/v1/quarantine/release", &State::post_release},
    {"GET", "/healthz", &State::get_healthz},
    {"GET", "/readyz", &State::get_readyz},
    {"GET", "/metrics", &State::get_metrics},
    {"GET", "/openapi.yaml", &State::get_openapi},
}};

Api::State::State(uv_loop_s* loop, ApiOptions given, ApiBackend rest)
    : options(std::move(given)),
      backend(std::move(rest)),
      server(
          loop, options.http,
          [this](ExchangeId exchange, HttpRequest request) { on_request(exchange, request); },
          [this](ExchangeId exchange) { on_gone(exchange); }) {
  WEIR_CHECK(backend.engine != nullptr);
}

bool Api::State::matches(const Route& route, std::string_view path) {
  if (route.path.back() != '/') return path == route.path;
  if (!path.starts_with(route.path) || !path.ends_with(route.tail)) return false;
  if (path.size() <= route.path.size() + route.tail.size()) return false;
  path.remove_suffix(route.tail.size());
  return path.find('/', route.path.size()) == path.npos;
}

void Api::State::on_request(ExchangeId exchange, const HttpRequest& request) {
  std::string allow;
  for (const Route& route : kRoutes) {
    if (!matches(route, request.path)) continue;
    if (route.method == request.method) return (this->*route.answer)(exchange, request);
    allow += (allow.empty() ? "" : ", ") + std::string(route.method);
  }
  if (allow.empty()) {
    return refuse(exchange,
                  {"not_found", "There is no such path; GET /openapi.yaml lists them.", {}, {}});
  }
  HttpResponse response =
      problem_response({"method_not_allowed", "This path takes " + allow + " only.", {}, {}});
  response.headers.emplace_back("Allow", std::move(allow));
  server.respond(exchange, std::move(response));
}

bool Api::State::takes_json(ExchangeId exchange, const HttpRequest& request) {
  if (is_json(request.header("content-type"))) return true;
  refuse(exchange, {"unsupported_media_type",
                    "Send JSON in UTF-8, and say so: Content-Type: application/json.",
                    {},
                    {}});
  return false;
}

void Api::State::refuse(ExchangeId exchange, const Problem& problem) {
  server.respond(exchange, problem_response(problem));
}

bool Api::State::wait(ExchangeId exchange, RequestId& request) {
  // A client that leaves before its answer leaves an entry here; as many of those are allowed as
  // there may be clients.
  if (waiting.size() >= 2 * options.http.connections) {
    refuse(exchange, {"busy", "Too many requests wait for their answer.", {}, {}});
    return false;
  }
  request = RequestId{++last_request};
  waiting.emplace(request, Waiting{exchange});
  return true;
}

bool Api::State::deliver(RequestId request, HttpResponse response) {
  const auto found = waiting.find(request);
  if (found == waiting.end()) return false;  // closed in between
  const ExchangeId exchange = found->second.exchange;
  waiting.erase(found);
  return server.respond(exchange, std::move(response));
}

// Whoever waits for units must be there to use them. All others are owed their answer even when
// they have closed their half: what they asked for is done whether they hear of it or not.
void Api::State::on_gone(ExchangeId exchange) {
  const auto found = std::find_if(waiting.begin(), waiting.end(), [exchange](const auto& one) {
    return one.second.exchange == exchange;
  });
  if (found == waiting.end() || !found->second.acquires) return;
  const RequestId request = found->first;
  waiting.erase(found);
  server.drop(exchange, {});
  backend.abandon({request});
}

void Api::State::post_message(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  auto read = read_submission(request, *backend.engine);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  RequestId id{};
  if (wait(exchange, id)) backend.submit(id, std::get<Submission>(std::move(read)));
}

// The id in the path, before `tail`; nothing: there is none, and that is answered.
std::optional<MessageId> Api::State::message_in(ExchangeId exchange, const HttpRequest& request,
                                                std::string_view tail) {
  std::string_view id = std::string_view(request.path).substr(kOneMessage.size());
  id.remove_suffix(tail.size());
  const auto message = parse_message_id(id);
  if (!message)
    refuse(exchange, {"not_found", "This is no message id; one looks like m42.", {}, {}});
  return message;
}

void Api::State::get_message(ExchangeId exchange, const HttpRequest& request) {
  const auto message = message_in(exchange, request);
  if (!message) return;
  RequestId id{};
  if (wait(exchange, id)) backend.find(id, *message);
}

void Api::State::list_messages(ExchangeId exchange, const HttpRequest& request) {
  auto read = read_list_query(request, *backend.engine);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  auto query = std::get<ListMessages>(std::move(read));
  if (wait(exchange, query.request)) backend.list(std::move(query));
}

void Api::State::post_resolve(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  const auto message = message_in(exchange, request, kResolve);
  if (!message) return;
  auto read = read_resolve(request, *message);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  auto asked = std::get<ResolveRequested>(std::move(read));
  if (wait(exchange, asked.request)) backend.resolve(std::move(asked));
}

// Of this the path says it all, but the type must be announced, as for a refund.
void Api::State::post_cancel_one(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  CancelRequested asked;
  asked.target.message = message_in(exchange, request, kCancel);
  if (asked.target.message && wait(exchange, asked.request)) backend.cancel(std::move(asked));
}

void Api::State::post_cancel(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  auto read = read_cancel(request);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  auto asked = std::get<CancelRequested>(std::move(read));
  if (wait(exchange, asked.request)) backend.cancel(std::move(asked));
}

void Api::State::post_stop(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  auto read = read_stop(request);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  auto asked = std::get<StopRequested>(std::move(read));
  if (wait(exchange, asked.request)) backend.stop(std::move(asked));
}

void Api::State::post_cost(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  auto answered = answer_cost(request, *backend.engine);
  if (const auto* problem = std::get_if<Problem>(&answered)) return refuse(exchange, *problem);
  server.respond(exchange, json_response(std::get<std::string>(std::move(answered))));
}

void Api::State::list_templates(ExchangeId exchange, const HttpRequest&) {
  server.respond(exchange, json_response(templates_json(backend.templates(), *backend.engine)));
}

void Api::State::get_template(ExchangeId exchange, const HttpRequest& request) {
  const Templates& all = backend.templates();
  const auto found = all.find(std::string_view(request.path).substr(kOneTemplate.size()));
  if (found == all.end()) {
    return refuse(exchange, {"not_found", "There is no such template.", {}, {}});
  }
  server.respond(exchange, json_response(template_json(found->second, *backend.engine)));
}

void Api::State::put_template(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  auto read = read_template(request, request.path.substr(kOneTemplate.size()), *backend.engine);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  RequestId id{};
  if (wait(exchange, id)) backend.put_template(id, std::get<Template>(std::move(read)));
}

void Api::State::delete_template(ExchangeId exchange, const HttpRequest& request) {
  RequestId id{};
  if (wait(exchange, id)) {
    backend.drop_template(id, request.path.substr(kOneTemplate.size()));
  }
}

void Api::State::post_acquire(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  auto read = read_acquire(request, *backend.engine);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  auto asked = std::get<AcquireRequested>(std::move(read));
  if (!wait(exchange, asked.request)) return;
  waiting.at(asked.request).acquires = true;
  backend.acquire(std::move(asked));
}

// The path says it all and a body is not looked at, but the type must be announced: a web page can
// make a browser post without one.
void Api::State::post_refund(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  std::string_view id = std::string_view(request.path).substr(kOneLease.size());
  id.remove_suffix(kRefund.size());
  const auto lease = parse_lease_id(id);
  if (!lease) {
    return refuse(exchange, {"not_found", "This is no lease id; one looks like l42.", {}, {}});
  }
  RefundRequested refund{{}, *lease};
  if (wait(exchange, refund.request)) backend.refund(refund);
}

void Api::State::get_lanes(ExchangeId exchange, const HttpRequest&) {
  server.respond(exchange, json_response(lanes_json(backend.view(), backend.wall_now())));
}

void Api::State::get_pressure(ExchangeId exchange, const HttpRequest&) {
  server.respond(exchange, json_response(pressure_json(backend.view(), backend.wall_now())));
}

void Api::State::get_rate_history(ExchangeId exchange, const HttpRequest& request) {
  auto read = read_rates_query(request, backend.wall_now());
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  FindRates query = std::get<FindRates>(read);
  if (wait(exchange, query.request)) backend.find_rates(query);
}

void Api::State::get_shadow(ExchangeId exchange, const HttpRequest&) {
  server.respond(exchange, json_response(shadow_json(backend.shadow(), backend.wall_now())));
}

void Api::State::get_db(ExchangeId exchange, const HttpRequest&) {
  ReadStats query;
  if (wait(exchange, query.request)) backend.stats(query);
}

void Api::State::post_backup(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  auto read = read_backup(request);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  auto order = std::get<Backup>(std::move(read));
  if (wait(exchange, order.request)) backend.backup(std::move(order));
}

// Of these the path says it all, but the type must be announced, as for a refund.
void Api::State::post_check(ExchangeId exchange, const HttpRequest& request) {
  RequestId id{};
  if (takes_json(exchange, request) && wait(exchange, id)) backend.check(id);
}

void Api::State::post_compact(ExchangeId exchange, const HttpRequest& request) {
  Compact order;
  if (takes_json(exchange, request) && wait(exchange, order.request)) backend.compact(order);
}

void Api::State::get_quarantine(ExchangeId exchange, const HttpRequest&) {
  server.respond(exchange, json_response(quarantine_json(backend.view())));
}

void Api::State::post_release(ExchangeId exchange, const HttpRequest& request) {
  ReleaseRequested asked;
  if (takes_json(exchange, request) && wait(exchange, asked.request)) backend.release(asked);
}

void Api::State::get_healthz(ExchangeId exchange, const HttpRequest&) {
  server.respond(exchange,
                 json_response("{\"status\":\"ok\",\"version\":\"" + backend.version + "\"}"));
}

void Api::State::get_readyz(ExchangeId exchange, const HttpRequest&) {
  Readiness found = readiness(backend.view());
  HttpResponse response = json_response(std::move(found.json));
  response.status = found.ready ? 200 : 503;
  server.respond(exchange, std::move(response));
}

void Api::State::get_metrics(ExchangeId exchange, const HttpRequest&) {
  HttpResponse response = json_response(backend.metrics());
  response.content_type = "text/plain; version=0.0.4; charset=utf-8";
  server.respond(exchange, std::move(response));
}

void Api::State::get_openapi(ExchangeId exchange, const HttpRequest&) {
  HttpResponse response = json_response(std::string(kOpenApi));
  response.content_type = "application/yaml";
  server.respond(exchange, std::move(response));
}

Api::Api(uv_loop_s* loop, ApiOptions options, ApiBackend backend)
    : state_(std::make_unique<State>(loop, std::move(options), std::move(backend))) {}

Api::~Api() = default;

std::vector<std::string> Api::routes() {
  std::vector<std::string> routes;
  for (const State::Route& route : State::kRoutes) {
    const std::string_view more = route.path.back() == '/' ? "{id}" : "";
    routes.push_back(std::string(route.method) + " " + std::string(route.path) + std::string(more) +
                     std::string(route.tail));
  }
  return routes;
}

Status Api::listen() {
  const ApiOptions& options = state_->options;
  if (!options.tcp && options.unix_path.empty()) {
    return Error{"There is nothing to listen on; set a TCP address or a unix socket."};
  }
  if (options.tcp) {
    Result<uint16_t> port = state_->server.listen_tcp(options.tcp_address, options.tcp_port);
    if (!port) return port.error();
    state_->port = *port;
  }
  if (options.unix_path.empty()) return Done{};
  return state_->server.listen_unix(options.unix_path, options.unix_mode);
}

uint16_t Api::tcp_port() const {
  return state_->port;
}

void Api::answer(Accept accepted) {
  HttpResponse response = json_response(accepted_json(accepted));
  response.status = 202;
  response.headers.emplace_back("Location",
                                std::string(kOneMessage) + message_id_text(accepted.message.id));
  response.headers.emplace_back("Weir-Pressure", name(accepted.pressure));
  state_->answer(accepted.request, std::move(response));
}

void Api::answer(Refuse refused) {
  state_->answer(refused.request, problem_response(problem_of(std::move(refused.refusal))));
}

void Api::answer(Found found) {
  switch (found.result) {
    case Found::Result::kFound:
      return state_->answer(found.request, json_response(report_json(found.report)));
    case Found::Result::kNone:
      return state_->answer(found.request,
                            problem_response({"not_found", "There is no such message.", {}, {}}));
    case Found::Result::kFailed:
      return state_->not_read(found.request, "The message could not be looked up.");
  }
}

void Api::answer(FoundRates found) {
  if (found.failed) {
    return state_->not_read(found.request, "The history could not be read.");
  }
  state_->answer(found.request, json_response(rates_json(found)));
}

void Api::answer(Listed listed) {
  if (listed.failed) {
    return state_->not_read(listed.request, "The messages could not be read.");
  }
  state_->answer(listed.request, json_response(list_json(listed)));
}

void Api::answer(AnswerResolve done) {
  state_->answer(done.request, resolved_response(done));
}

void Api::answer(AnswerRelease done) {
  state_->answer(done.request, released_response(done));
}

void Api::answer(const AnswerCancel& done) {
  state_->answer(done.request, cancelled_response(done));
}

void Api::answer(const AnswerStop& done) {
  state_->answer(done.request, stopped_response(done));
}

void Api::answer(StoreStats stats) {
  if (stats.failed) {
    return state_->not_read(stats.request, "The database could not be read.");
  }
  state_->answer(stats.request, json_response(stats_json(stats, state_->backend.wall_now())));
}

void Api::answer(CopyChecked checked) {
  state_->answer(checked.request, copy_response(checked));
}

void Api::answer(Compacted done) {
  state_->answer(done.request, compacted_response(done));
}

void Api::answer(AnswerTemplate done) {
  switch (done.result) {
    case AnswerTemplate::Result::kStored:
      return state_->answer(done.request,
                            json_response(template_json(done.content, *state_->backend.engine)));
    case AnswerTemplate::Result::kRemoved: {
      HttpResponse response;
      response.status = 204;
      return state_->answer(done.request, std::move(response));
    }
    case AnswerTemplate::Result::kNone:
      return state_->answer(done.request,
                            problem_response({"not_found", "There is no such template.", {}, {}}));
    case AnswerTemplate::Result::kFailed:
      return state_->answer(
          done.request,
          problem_response({"store_unavailable", "The template could not be written.", {}, {}}));
  }
}

void Api::answer(const AnswerLease& done) {
  const bool told = state_->deliver(done.request, lease_response(done));
  // The engine's answer to this finds nobody either.
  if (!told && done.result == AnswerLease::Result::kGranted) {
    state_->backend.refund({RequestId{}, done.lease});
  }
}

void Api::stop_accepting() {
  state_->server.stop_accepting();
}

void Api::close(std::function<void()> closed) {
  state_->waiting.clear();
  state_->server.close(std::move(closed));
}

}  // namespace weir
