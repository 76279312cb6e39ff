// SPDX-License-Identifier: Apache-2.0
#include "tools/fake_gateway/fake_gateway.h"

#include <map>
#include <optional>

#include <uv.h>

#include "weir/segments.h"
#include "weir/token_bucket.h"

#include "shim/front/http_server.h"
#include "tools/fake_gateway/form.h"
#include "tools/fake_gateway/ledger.h"

namespace weir {
namespace {

// More calls at once than any account is given.
constexpr size_t kConnections = 4096;

struct Verdict {
  const char* word;
  int status;
  const char* code;
  const char* text;
  bool taken;
};

constexpr Verdict kAccepted = {"accepted", 200, "200", "accepted", true};
constexpr Verdict kThrottled = {"throttled", 429, "429", "too many units", false};
constexpr Verdict kContent = {"content", 200, "188", "template mismatch", false};
constexpr Verdict kAuth = {"auth", 200, "216", "invalid credentials", false};
constexpr Verdict kBroken = {"broken", 500, "500", "internal error", true};
constexpr Verdict kOdd = {"odd", 200, "31337", "none of your business", true};
constexpr Verdict kMissing = {"missing", 200, "101", "a field is missing", false};

std::string reply_json(const Verdict& verdict, const std::string& ref, const std::string& invalid) {
  const bool good = verdict.taken && verdict.status == 200 && verdict.code == kAccepted.code;
  std::string text = R"({"status":")" + std::string(good ? "success" : "error") + R"(","code":")" +
                     verdict.code + R"(","msg":")" + verdict.text + '"';
  if (good) text += R"(,"transactionId":")" + ref + R"(","invalidMobile":")" + invalid + '"';
  return text + "}";
}

}  // namespace

struct FakeGateway::State {
  State(uv_loop_t* uv_loop, FakeGatewayOptions given)
      : loop(uv_loop),
        options(std::move(given)),
        bucket(MonoTime::from_ns(static_cast<int64_t>(uv_hrtime())),
               {.rate_per_s = options.ceiling_per_s, .capacity = options.capacity},
               options.capacity),
        server(loop, limits(), [this](ExchangeId exchange, HttpRequest request) {
          answer(exchange, std::move(request));
        }) {}

  static HttpLimits limits() {
    HttpLimits limits;
    limits.connections = kConnections;
    return limits;
  }

  void answer(ExchangeId exchange, HttpRequest request);
  void take_call(ExchangeId exchange, const HttpRequest& request);
  // Costs nothing and is not in the ledger: nothing is sent.
  void tell_price(ExchangeId exchange, const HttpRequest& request);
  bool lets_in(const HttpRequest& request) const {
    return options.api_key.empty() || request.header("apikey") == options.api_key;
  }
  Verdict judge(const HttpRequest& request, const std::map<std::string, std::string>& form,
                Turn turn, Units units);
  void finish(ExchangeId exchange, Turn turn, HttpResponse response);
  void later(std::function<void()> what);

  uv_loop_t* loop;
  FakeGatewayOptions options;
  TokenBucket bucket;
  HttpServer server;
  Ledger ledger;
  uint64_t refs = 0;

  struct Timer {
    uv_timer_t handle{};
    std::function<void()> what;
    State* owner = nullptr;
    static void release(uv_handle_t* closed) {
      auto* done = static_cast<Timer*>(closed->data);
      done->owner->timers.erase(&done->handle);
    }
  };
  std::map<uv_timer_t*, std::unique_ptr<Timer>> timers;
};

void FakeGateway::State::answer(ExchangeId exchange, HttpRequest request) {
  if (request.method == "GET" && request.path == "/ledger") {
    HttpResponse response;
    response.body = ledger.json(request.query != "calls=0");
    server.respond(exchange, std::move(response));
    return;
  }
  if (request.method == "POST" && request.path == "/SMSApi/send") {
    take_call(exchange, request);
    return;
  }
  if (request.method == "POST" && request.path == "/SMSApi/info/msg") {
    tell_price(exchange, request);
    return;
  }
  HttpResponse response;
  response.status = 404;
  response.body = R"({"status":"error","code":"404","msg":"no such call"})";
  server.respond(exchange, std::move(response));
}

Verdict FakeGateway::State::judge(const HttpRequest& request,
                                  const std::map<std::string, std::string>& form, Turn turn,
                                  Units units) {
  if (!lets_in(request)) return kAuth;
  for (const char* needed : {"mobile", "msg", "sendMethod"}) {
    const auto field = form.find(needed);
    if (field == form.end() || field->second.empty()) return kMissing;
  }
  switch (turn) {
    case Turn::kThrottle: return kThrottled;
    case Turn::kContent: return kContent;
    case Turn::kAuth: return kAuth;
    default: break;
  }
  const auto now = MonoTime::from_ns(static_cast<int64_t>(uv_hrtime()));
  if (bucket.acquire(now, units).verdict != TokenBucket::Verdict::kGranted) return kThrottled;
  if (turn == Turn::kServerError) return kBroken;
  return turn == Turn::kOdd ? kOdd : kAccepted;
}

void FakeGateway::State::take_call(ExchangeId exchange, const HttpRequest& request) {
  const auto form = read_form(request.body);
  const auto field = [&](const char* name) {
    const auto found = form.find(name);
    return found == form.end() ? std::string() : found->second;
  };
  Ledger::Call call;
  call.at_us = static_cast<int64_t>(uv_hrtime() / 1000);
  call.recipients = split(field("mobile"), ',');
  call.body = field("msg");
  const CountResult counted = count(call.body, CountingRules());
  const auto segments = std::holds_alternative<Counted>(counted)
                            ? static_cast<int64_t>(std::get<Counted>(counted).segments)
                            : 1;
  call.units = Units::of(segments * static_cast<int64_t>(call.recipients.size()));

  const Turn turn = options.script.next();
  const Verdict verdict = judge(request, form, turn, call.units);
  std::string invalid;
  if (turn == Turn::kInvalid && verdict.taken && !call.recipients.empty()) {
    invalid = call.recipients.front();
    call.recipients.erase(call.recipients.begin());
  }
  call.verdict = verdict.word;
  call.taken = verdict.taken;
  call.ref = "fake-" + std::to_string(++refs);
  HttpResponse response;
  response.status = verdict.status;
  response.body = reply_json(verdict, call.ref, invalid);
  if (verdict.status == 429) response.headers.emplace_back("Retry-After", "1");
  ledger.add(std::move(call));
  later([this, exchange, turn = verdict.taken ? turn : Turn::kOk,
         held = std::move(response)]() mutable { finish(exchange, turn, std::move(held)); });
}

void FakeGateway::State::tell_price(ExchangeId exchange, const HttpRequest& request) {
  const auto form = read_form(request.body);
  const auto text = form.find("msg");
  HttpResponse response;
  if (!lets_in(request)) {
    response.body = reply_json(kAuth, "", "");
  } else if (text == form.end() || text->second.empty()) {
    response.body = reply_json(kMissing, "", "");
  } else {
    response.body = price_json(text->second, options.disagreement);
  }
  later([this, exchange, held = std::move(response)]() mutable {
    server.respond(exchange, std::move(held));
  });
}

void FakeGateway::State::finish(ExchangeId exchange, Turn turn, HttpResponse response) {
  switch (turn) {
    case Turn::kReset: return server.reset(exchange);
    case Turn::kHalf:
      return server.drop(exchange,
                         "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         "Content-Length: 100\r\n\r\n{\"status\":\"succ");
    case Turn::kStall: return;  // the caller's time limit ends it
    default: server.respond(exchange, std::move(response));
  }
}

void FakeGateway::State::later(std::function<void()> what) {
  if (options.latency <= Duration()) return what();
  auto timer = std::make_unique<Timer>();
  uv_timer_t* handle = &timer->handle;
  uv_timer_init(loop, handle);
  timer->what = std::move(what);
  timer->owner = this;
  handle->data = timer.get();
  timers.emplace(handle, std::move(timer));
  uv_update_time(loop);
  uv_timer_start(
      handle,
      [](uv_timer_t* fired) {
        static_cast<Timer*>(fired->data)->what();
        uv_close(reinterpret_cast<uv_handle_t*>(fired), Timer::release);
      },
      static_cast<uint64_t>(options.latency.ms_ceil()), 0);
}

FakeGateway::FakeGateway(uv_loop_s* loop, FakeGatewayOptions options)
    : state_(std::make_unique<State>(loop, std::move(options))) {}

FakeGateway::~FakeGateway() = default;

Result<uint16_t> FakeGateway::listen() {
  return state_->server.listen_tcp(state_->options.address, state_->options.port);
}

void FakeGateway::close(std::function<void()> closed) {
  for (auto& [handle, timer] : state_->timers) {
    auto* base = reinterpret_cast<uv_handle_t*>(handle);
    if (!uv_is_closing(base)) uv_close(base, State::Timer::release);
  }
  state_->server.close(std::move(closed));
}

}  // namespace weir
