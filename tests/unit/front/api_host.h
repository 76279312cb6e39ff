// SPDX-License-Identifier: Apache-2.0
//
// ApiHost: the API on a loop thread, with a backend that a test scripts.
//
// `on_submit` and the others run on the loop's thread and answer through `api()`, at once or later
// (run()). What was submitted last is kept for the test to look at.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "shim/front/api.h"
#include "tests/support/raw_client.h"
#include "tests/unit/front/loop_thread.h"

namespace weir::test {

class ApiHost {
 public:
  static constexpr int64_t kNowMs = 1'896'114'600'000;  // 2030-01-31T18:30:00Z

  explicit ApiHost(ApiOptions options = {}, EngineOptions engine_options = {})
      : engine(std::move(engine_options)) {
    std::signal(SIGPIPE, SIG_IGN);  // as the program does
    options.tcp_port = 0;
    ApiBackend backend;
    backend.submit = [this](RequestId request, Submission submission) {
      submitted = submission;
      on_submit(request, std::move(submission));
    };
    backend.find = [this](RequestId request, MessageId id) { on_find(request, id); };
    backend.list = [this](ListMessages asked) { on_list(std::move(asked)); };
    backend.resolve = [this](ResolveRequested asked) { on_resolve(std::move(asked)); };
    backend.release = [this](ReleaseRequested asked) { on_release(asked); };
    backend.cancel = [this](CancelRequested asked) { on_cancel(std::move(asked)); };
    backend.stop = [this](StopRequested asked) { on_stop(std::move(asked)); };
    backend.stats = [this](ReadStats asked) { on_stats(asked); };
    backend.backup = [this](Backup asked) { on_backup(std::move(asked)); };
    backend.check = [this](RequestId asked) { on_check(asked); };
    backend.compact = [this](Compact asked) { on_compact(asked); };
    backend.find_rates = [this](FindRates query) { on_find_rates(query); };
    backend.put_template = [this](RequestId request, Template one) {
      on_put_template(request, std::move(one));
    };
    backend.drop_template = [this](RequestId request, std::string id) {
      on_drop_template(request, std::move(id));
    };
    backend.acquire = [this](AcquireRequested asked) { on_acquire(std::move(asked)); };
    backend.abandon = [this](AcquireAbandoned gone) { on_abandon(gone); };
    backend.refund = [this](RefundRequested refund) { on_refund(refund); };
    backend.templates = [this]() -> const Templates& { return templates; };
    backend.view = [this] { return view; };
    backend.shadow = [this] { return shadow; };
    backend.wall_now = [] { return WallTime::from_unix_ms(kNowMs); };
    backend.metrics = [] { return std::string("weir_up 1\n"); };
    backend.engine = &engine;
    backend.version = "1.2.3";
    thread_.run([&] {
      api_ = std::make_unique<Api>(thread_.loop(), std::move(options), std::move(backend));
      const Status listening = api_->listen();
      EXPECT_TRUE(listening) << listening.error().detail;
      port_ = api_->tcp_port();
    });
  }

  ~ApiHost() {
    thread_.run_until([&](std::function<void()> closed) { api_->close(std::move(closed)); });
    thread_.run([&] { api_.reset(); });
    EXPECT_EQ(thread_.finish(), 0) << "a handle was left open";
  }

  Api& api() { return *api_; }
  void run(const std::function<void()>& task) { thread_.run(task); }
  RawClient connect() { return RawClient::tcp(port_); }

  // On a connection of its own.
  RawResponse get(const std::string& path) {
    return ask("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  RawResponse post(const std::string& path, const std::string& json,
                   const std::string& more_headers = "") {
    return ask(post_text(path, json, more_headers));
  }
  static std::string post_text(const std::string& path, const std::string& json,
                               const std::string& more_headers = "") {
    return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
           more_headers + "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json;
  }
  RawResponse ask(const std::string& request) {
    std::optional<RawResponse> response = connect().ask(request);
    EXPECT_TRUE(response.has_value());
    return response.value_or(RawResponse{});
  }

  EngineOptions engine;
  EngineView view;
  ShadowReport shadow;
  Templates templates;
  std::optional<Submission> submitted;
  std::function<void(RequestId, Submission)> on_submit = [](RequestId, Submission) {
    ADD_FAILURE() << "nothing was to be submitted";
  };
  std::function<void(RequestId, MessageId)> on_find = [](RequestId, MessageId) {
    ADD_FAILURE() << "nothing was to be looked up";
  };
  std::function<void(ListMessages)> on_list = [](const ListMessages&) {
    ADD_FAILURE() << "nothing was to be listed";
  };
  std::function<void(ResolveRequested)> on_resolve = [](const ResolveRequested&) {
    ADD_FAILURE() << "nothing was to be resolved";
  };
  std::function<void(ReleaseRequested)> on_release = [](ReleaseRequested) {
    ADD_FAILURE() << "nothing was to be released";
  };
  std::function<void(CancelRequested)> on_cancel = [](const CancelRequested&) {
    ADD_FAILURE() << "nothing was to be cancelled";
  };
  std::function<void(StopRequested)> on_stop = [](const StopRequested&) {
    ADD_FAILURE() << "nothing was to be stopped";
  };
  std::function<void(ReadStats)> on_stats = [](ReadStats) {
    ADD_FAILURE() << "nothing was to be counted";
  };
  std::function<void(Backup)> on_backup = [](const Backup&) {
    ADD_FAILURE() << "nothing was to be copied";
  };
  std::function<void(RequestId)> on_check = [](RequestId) {
    ADD_FAILURE() << "nothing was to be checked";
  };
  std::function<void(Compact)> on_compact = [](Compact) {
    ADD_FAILURE() << "nothing was to be compacted";
  };
  std::function<void(FindRates)> on_find_rates = [](FindRates) {
    ADD_FAILURE() << "no history was to be looked up";
  };
  std::function<void(RequestId, Template)> on_put_template = [](RequestId, Template) {
    ADD_FAILURE() << "no template was to be saved";
  };
  std::function<void(RequestId, std::string)> on_drop_template = [](RequestId, std::string) {
    ADD_FAILURE() << "no template was to be removed";
  };
  std::function<void(AcquireRequested)> on_acquire = [](const AcquireRequested&) {
    ADD_FAILURE() << "nothing was to be acquired";
  };
  std::function<void(AcquireAbandoned)> on_abandon = [](AcquireAbandoned) {
    ADD_FAILURE() << "nothing was to be abandoned";
  };
  std::function<void(RefundRequested)> on_refund = [](RefundRequested) {
    ADD_FAILURE() << "nothing was to be refunded";
  };

 private:
  LoopThread thread_;
  std::unique_ptr<Api> api_;
  uint16_t port_ = 0;
};

}  // namespace weir::test
