// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/egress.h"

#include <algorithm>
#include <csignal>
#include <mutex>
#include <utility>
#include <vector>

#include <curl/curl.h>
#include <uv.h>

#include "weir/check.h"

#include "shim/egress/attempt.h"
#include "shim/egress/clock.h"
#include "shim/egress/curl_driver.h"
#include "shim/egress/reply_parser.h"
#include "shim/egress/request_form.h"

namespace weir {
namespace {

// curl wants this once a process, before any other thread calls it. Whoever makes the first egress
// cannot forget it here. SIGPIPE is ignored with it: handles have NOSIGNAL set, because they would
// switch the process's signals over at every call, and OpenSSL writes without MSG_NOSIGNAL.
void set_up_process() {
  static std::once_flag once;
  std::call_once(once, [] {
    WEIR_CHECK(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    std::signal(SIGPIPE, SIG_IGN);
  });
}

RequestForm checked_form(const GatewayOptions& options, const Profile& profile) {
  WEIR_CHECK(check_gateway(options, profile).has_value());
  return RequestForm::make(options, profile).value();
}

Status check_pointers(const std::vector<std::string>& pointers, const char* list) {
  for (const std::string& pointer : pointers) {
    if (is_json_pointer(pointer)) continue;
    return Error{std::string("profile: ") + list + ": " + pointer +
                 ": not a JSON Pointer; they begin with a slash, as in /response/code"};
  }
  return Done{};
}

}  // namespace

Status check_gateway(const GatewayOptions& options, const Profile& profile) {
  if (options.slots == 0) return Error{"gateway: no slots; one is the least"};
  if (options.connect_timeout <= Duration{} || options.total_timeout <= Duration{}) {
    return Error{"gateway: connect_timeout and total_timeout must be above zero"};
  }
  if (profile.code_at.empty() && profile.ref_at.empty() && profile.rejected_at.empty()) {
    return Error{"profile: neither code_at, ref_at nor rejected_at; no reply could be understood"};
  }
  for (const auto& [pointers, list] :
       {std::pair{&profile.code_at, "code_at"}, std::pair{&profile.ref_at, "ref_at"},
        std::pair{&profile.rejected_at, "rejected_at"}}) {
    if (const auto checked = check_pointers(*pointers, list); !checked) return checked.error();
  }
  const auto form = RequestForm::make(options, profile);
  if (!form) return form.error();
  return Done{};
}

struct Egress::State {
  State(uv_loop_t* on, GatewayOptions with, Profile spoken, OnReply reply)
      : loop(on),
        options(std::move(with)),
        profile(std::move(spoken)),
        on_reply(std::move(reply)),
        form(checked_form(options, profile)),
        driver(on, options.slots, [this](void* owner, CURLcode code) {
          auto* const attempt = static_cast<Attempt*>(owner);
          if (!attempt->goes_on_after(code)) conclude(*attempt);
        }) {
    for (uint32_t i = 0; i < options.slots; ++i) {
      attempts.push_back(
          std::make_unique<Attempt>(Attempt::Context{driver, options, profile, form.url()}));
      free.push_back(attempts.back().get());
    }
    WEIR_CHECK(uv_idle_init(loop, &deliverer) == 0);
    WEIR_CHECK(uv_timer_init(loop, &watchdog) == 0);
    deliverer.data = this;
    watchdog.data = this;
  }

  void send(const Payload& payload);
  void conclude(Attempt& attempt);
  void deliver();
  void stop_if(const char* reason, MonoTime started_by);
  void watch();
  void close(std::function<void()> then);
  void released();

  uv_loop_t* loop;
  GatewayOptions options;
  Profile profile;
  OnReply on_reply;
  RequestForm form;
  CurlDriver driver;
  std::vector<std::unique_ptr<Attempt>> attempts;
  std::vector<Attempt*> free;
  uint32_t in_flight = 0;
  std::vector<Replied> replies;  // that wait for their turn
  std::vector<Replied> delivering;
  uv_idle_t deliverer{};  // active while replies wait: the next turn comes at once
  uv_timer_t watchdog{};  // one for all calls: all have the same time, so the oldest is due first
  int closing = 0;
  bool closed = false;
  std::function<void()> on_closed;
};

void Egress::State::send(const Payload& payload) {
  WEIR_CHECK(in_flight < options.slots && !free.empty());
  Attempt* const attempt = free.back();
  free.pop_back();
  ++in_flight;
  if (!attempt->start(payload.batch, form.fill(payload))) {
    conclude(*attempt);
    return;
  }
  if (!uv_is_active(reinterpret_cast<uv_handle_t*>(&watchdog))) watch();
}

void Egress::State::conclude(Attempt& attempt) {
  replies.push_back({attempt.batch(), attempt.reply()});
  free.push_back(&attempt);
  uv_idle_start(&deliverer, [](uv_idle_t* idle) { static_cast<State*>(idle->data)->deliver(); });
}

void Egress::State::deliver() {
  uv_idle_stop(&deliverer);
  std::swap(replies, delivering);
  for (Replied& replied : delivering) {
    --in_flight;
    on_reply(std::move(replied));  // may send
  }
  delivering.clear();
}

void Egress::State::stop_if(const char* reason, MonoTime started_by) {
  for (const auto& attempt : attempts) {
    if (!attempt->busy() || attempt->started() > started_by) continue;
    attempt->stop(reason);
    conclude(*attempt);
  }
}

// Arms the watchdog for the oldest call.
void Egress::State::watch() {
  MonoTime oldest = MonoTime::never();
  for (const auto& attempt : attempts) {
    if (attempt->busy()) oldest = std::min(oldest, attempt->started());
  }
  if (oldest == MonoTime::never()) return;
  const Duration limit = options.total_timeout + options.watchdog_delay;
  const int64_t wait_ms = std::max<int64_t>(1, (oldest + limit - clock_now()).ms_ceil());
  uv_update_time(loop);
  uv_timer_start(
      &watchdog,
      [](uv_timer_t* timer) {
        auto* const state = static_cast<State*>(timer->data);
        const Duration allowed = state->options.total_timeout + state->options.watchdog_delay;
        state->stop_if("the call did not end within its time", clock_now() + allowed * -1);
        state->watch();
      },
      static_cast<uint64_t>(wait_ms), 0);
}

void Egress::State::close(std::function<void()> then) {
  WEIR_CHECK(in_flight == 0 && closing == 0 && !closed);
  on_closed = std::move(then);
  closing = 3;
  free.clear();
  attempts.clear();
  const auto one_less = [](uv_handle_t* handle) { static_cast<State*>(handle->data)->released(); };
  uv_close(reinterpret_cast<uv_handle_t*>(&deliverer), one_less);
  uv_close(reinterpret_cast<uv_handle_t*>(&watchdog), one_less);
  driver.close([this] { released(); });
}

void Egress::State::released() {
  if (--closing > 0) return;
  closed = true;
  const auto then = std::move(on_closed);
  then();  // may end the egress
}

Egress::Egress(uv_loop_t* loop, GatewayOptions options, Profile profile, OnReply on_reply) {
  set_up_process();
  state_ =
      std::make_unique<State>(loop, std::move(options), std::move(profile), std::move(on_reply));
}

Egress::~Egress() {
  WEIR_CHECK(state_->closed);
}

void Egress::send(std::unique_ptr<Payload> payload) {
  state_->send(*payload);
}

uint32_t Egress::in_flight() const {
  return state_->in_flight;
}

void Egress::abandon() {
  state_->stop_if("the call was given up at shutdown", MonoTime::never());
}

void Egress::close(std::function<void()> closed) {
  state_->close(std::move(closed));
}

}  // namespace weir
