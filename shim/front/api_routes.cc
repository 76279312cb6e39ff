// SPDX-License-Identifier: Apache-2.0
//
// One function a route: it parses, asks the backend, and answers at once or leaves the request
// waiting.
#include <algorithm>
#include <utility>
#include <variant>

#include "shim/front/api_state.h"
#include "shim/front/ascii.h"
#include "shim/front/cancel_json.h"
#include "shim/front/cost_json.h"
#include "shim/front/db_json.h"
#include "shim/front/json_response.h"
#include "shim/front/lease_json.h"
#include "shim/front/ledger_json.h"
#include "shim/front/message_json.h"
#include "shim/front/prefer.h"
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

bool Api::State::takes_json(ExchangeId exchange, const HttpRequest& request) {
  if (is_json(request.header("content-type"))) return true;
  refuse(exchange, {"unsupported_media_type",
                    "Send JSON in UTF-8, and say so: Content-Type: application/json.",
                    {},
                    {}});
  return false;
}

void Api::State::post_message(ExchangeId exchange, const HttpRequest& request) {
  if (!takes_json(exchange, request)) return;
  auto read = read_submission(request, *backend.engine);
  if (const auto* problem = std::get_if<Problem>(&read)) return refuse(exchange, *problem);
  RequestId id{};
  if (!wait(exchange, id)) return;
  waiting.at(id).for_outcome = std::min(preferred_wait(request), options.most_outcome_wait);
  auto submission = std::get<Submission>(std::move(read));
  submission.producer = producer_of(request);
  backend.submit(id, std::move(submission));
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
  asked.producer = producer_of(request);
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
  // Who may do what an operator may can give back anybody's.
  const ProducerId producer = producer_of(request);
  const bool own_only =
      producer != kNoProducer && !backend.engine->producers[index(producer)].admin;
  RefundRequested refund{{}, *lease, own_only ? producer : kNoProducer};
  if (wait(exchange, refund.request)) backend.refund(refund);
}

void Api::State::get_lanes(ExchangeId exchange, const HttpRequest&) {
  server.respond(exchange, json_response(lanes_json(backend.view(), backend.wall_now())));
}

void Api::State::get_pressure(ExchangeId exchange, const HttpRequest& request) {
  std::string json = pressure_json(backend.view(), backend.wall_now());
  if (!accepts_event_stream(request)) {
    server.respond(exchange, json_response(std::move(json)));
    return;
  }
  if (pressure_stream.open(exchange, json)) return;
  refuse(exchange,
         {"busy", "As many listen to the pressure as may; ask from time to time.", {}, {}});
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

}  // namespace weir
