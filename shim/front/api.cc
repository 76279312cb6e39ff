// SPDX-License-Identifier: Apache-2.0

#include "shim/front/api.h"

#include <algorithm>
#include <utility>

#include "weir/check.h"

#include "shim/front/api_state.h"
#include "shim/front/cancel_json.h"
#include "shim/front/db_json.h"
#include "shim/front/json_response.h"
#include "shim/front/lease_json.h"
#include "shim/front/ledger_json.h"
#include "shim/front/message_json.h"
#include "shim/front/rate_json.h"
#include "shim/front/stop_json.h"
#include "shim/front/template_json.h"
#include "shim/front/views_json.h"

namespace weir {

const std::array<Api::State::Route, 33> Api::State::kRoutes = {{
    {"POST", kMessages, &State::post_message, Access::kProducer},
    {"GET", kMessages, &State::list_messages},
    {"GET", kOneMessage, &State::get_message, Access::kProducer},
    {"POST", kOneMessage, &State::post_resolve, Access::kOperator, kResolve},
    {"POST", kOneMessage, &State::post_cancel_one, Access::kOperator, kCancel},
    {"POST", "/v1/cancel", &State::post_cancel},
    {"POST", "/v1/cost", &State::post_cost, Access::kProducer},
    {"GET", kTemplates, &State::list_templates},
    {"GET", kOneTemplate, &State::get_template},
    {"PUT", kOneTemplate, &State::put_template},
    {"DELETE", kOneTemplate, &State::delete_template},
    {"POST", "/v1/acquire", &State::post_acquire, Access::kProducer},
    {"POST", kOneLease, &State::post_refund, Access::kProducer, kRefund},
    {"GET", "/v1/lanes", &State::get_lanes},
    {"POST", kOneLane, &State::post_stop, Access::kOperator, "/pause"},
    {"POST", kOneLane, &State::post_stop, Access::kOperator, "/drain"},
    {"POST", kOneLane, &State::post_stop, Access::kOperator, "/resume"},
    {"POST", kOneClass, &State::post_stop, Access::kOperator, "/pause"},
    {"POST", kOneClass, &State::post_stop, Access::kOperator, "/drain"},
    {"POST", kOneClass, &State::post_stop, Access::kOperator, "/resume"},
    {"GET", "/v1/pressure", &State::get_pressure, Access::kProducer},
    {"GET", "/v1/rate/history", &State::get_rate_history},
    {"GET", "/v1/shadow", &State::get_shadow},
    {"GET", "/v1/db", &State::get_db},
    {"POST", "/v1/db/backup", &State::post_backup},
    {"POST", "/v1/db/check", &State::post_check},
    {"POST", "/v1/db/compact", &State::post_compact},
    {"GET", "/v1/quarantine", &State::get_quarantine},
    {"POST", "/v1/quarantine/release", &State::post_release},
    {"GET", "/healthz", &State::get_healthz, Access::kOpen},
    {"GET", "/readyz", &State::get_readyz, Access::kOpen},
    {"GET", "/metrics", &State::get_metrics, Access::kProducer},
    {"GET", "/openapi.yaml", &State::get_openapi, Access::kProducer},
}};

Api::State::State(uv_loop_s* loop, ApiOptions given, ApiBackend rest)
    : options(std::move(given)),
      backend(std::move(rest)),
      gate(options.keys, options.require_key, backend.engine->producers),
      server(
          loop, options.http,
          [this](ExchangeId exchange, HttpRequest request) { on_request(exchange, request); },
          [this](ExchangeId exchange) { on_gone(exchange); }),
      pressure_stream(loop, server, options.http.connections / 4),
      awaited(
          loop, [this](RequestId request, MessageId id) { backend.find(request, id); },
          [this](RequestId request, HttpResponse outcome) {
            deliver(request, std::move(outcome));
          }),
      uploads(loop, server, options.http.connections / 4, options.http.body_bytes,
              {[this] { return RequestId{++last_request}; },
               [this](RequestId request, Submission submission) {
                 backend.submit(request, std::move(submission));
               },
               backend.engine}) {
  server.stream_bodies(
      {MessageStreams::wants,
       [this](ExchangeId exchange, const HttpRequest& head) { begin_upload(exchange, head); },
       [this](ExchangeId exchange, std::string_view bytes) { uploads.piece(exchange, bytes); },
       [this](ExchangeId exchange) { uploads.end(exchange); }});
}

// The gate is asked before a byte of the body is read.
void Api::State::begin_upload(ExchangeId exchange, const HttpRequest& head) {
  const auto caller = gate.let_in(head, Access::kProducer);
  if (const auto* problem = std::get_if<Problem>(&caller)) return refuse(exchange, *problem);
  if (uploads.begin(exchange, std::get<ProducerId>(caller))) return;
  refuse(exchange, {"busy", "As many uploads are under way as may; try again after one.", {}, {}});
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
    if (route.method == request.method) return ask(route, exchange, request);
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

void Api::State::ask(const Route& route, ExchangeId exchange, const HttpRequest& request) {
  const auto caller = gate.let_in(request, route.access);
  if (const auto* problem = std::get_if<Problem>(&caller)) return refuse(exchange, *problem);
  (this->*route.answer)(exchange, request);
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
  waiting.emplace(request, Waiting{exchange, false, {}});
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
  pressure_stream.gone(exchange);
  uploads.gone(exchange);
  const auto found = std::find_if(waiting.begin(), waiting.end(), [exchange](const auto& one) {
    return one.second.exchange == exchange;
  });
  if (found == waiting.end() || !found->second.acquires) return;
  const RequestId request = found->first;
  waiting.erase(found);
  server.drop(exchange, {});
  backend.abandon({request});
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
  if (state_->uploads.has(accepted.request)) return state_->uploads.answer(accepted);
  HttpResponse response = json_response(accepted_json(accepted));
  response.status = 202;
  response.headers.emplace_back("Location",
                                std::string(kOneMessage) + message_id_text(accepted.message.id));
  response.headers.emplace_back("Weir-Pressure", name(accepted.pressure));
  if (accepted.suggested_delay > Duration()) {
    response.headers.emplace_back("Weir-Suggested-Delay-Ms",
                                  std::to_string(accepted.suggested_delay.ms_ceil()));
  }
  const auto waiting = state_->waiting.find(accepted.request);
  if (waiting == state_->waiting.end()) return;
  const Duration wait = waiting->second.for_outcome;
  if (wait <= Duration()) return state_->answer(accepted.request, std::move(response));
  response.headers.emplace_back("Preference-Applied", "wait=" + std::to_string(wait.ms() / 1000));
  state_->awaited.begin(accepted.request, accepted.message.id, std::move(response), wait);
}

void Api::answer(Refuse refused) {
  if (state_->uploads.has(refused.request)) return state_->uploads.answer(std::move(refused));
  state_->answer(refused.request, problem_response(problem_of(std::move(refused.refusal))));
}

void Api::recorded(BatchId batch) {
  state_->awaited.recorded(batch);
}

void Api::tell(const PressureChanged& change) {
  state_->uploads.pressure_moved(change);
  if (!state_->pressure_stream.anybody()) return;
  const ApiBackend& backend = state_->backend;
  state_->pressure_stream.tell(pressure_json(backend.view(), backend.wall_now()));
}

void Api::answer(Found found) {
  if (state_->awaited.has(found.request)) return state_->awaited.found(found);
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
  state_->awaited.give_up();
  state_->pressure_stream.end();
  state_->uploads.stop();
  state_->server.stop_accepting();
}

void Api::close(std::function<void()> closed) {
  state_->waiting.clear();
  state_->pressure_stream.close([state = state_.get(), closed = std::move(closed)] {
    state->awaited.close([state, closed] {
      state->uploads.close([state, closed] { state->server.close(closed); });
    });
  });
}

}  // namespace weir
