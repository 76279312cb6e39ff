// SPDX-License-Identifier: Apache-2.0
//
// The HTTP API (shim/front/API.md): routes and JSON on one side, submissions and views on the
// other. It decides nothing but who may ask what (gate.h): it parses, asks the backend, and puts
// the answer into words.
//
// Threads: the loop's. A submission and a look-up are answered later (answer()); everything else is
// answered at once from the backend's views.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/effect.h"
#include "weir/engine.h"

#include "shim/front/http_server.h"
#include "shim/store/copy_check.h"
#include "shim/store/store.h"

struct uv_loop_s;

namespace weir {

struct ApiOptions {
  std::string tcp_address = "127.0.0.1";
  uint16_t tcp_port = 8025;
  bool tcp = true;
  std::string unix_path;  // empty: none
  unsigned unix_mode = 0660;
  HttpLimits http;
  // The longest `Prefer: wait`; zero: the preference is not heard.
  Duration most_outcome_wait = Duration::seconds(60);
  // The keys of EngineOptions::producers, in the same order. Never shown.
  std::vector<std::string> keys;
  bool require_key = false;  // over TCP on loopback, too; beyond it one is always needed
};

// What came of a backup or of a check.
struct CopyChecked {
  RequestId request{};
  bool kept = false;    // a backup, not only a check
  bool busy = false;    // another one is under way
  std::string failure;  // why there is no copy; empty: there is, and `found` says how it is
  std::string path;
  CopyCheck found;
};

// What the API asks of the rest of weir. All are called on the loop's thread.
struct ApiBackend {
  std::function<void(RequestId, Submission)> submit;
  std::function<void(RequestId, MessageId)> find;
  std::function<void(ListMessages)> list;
  std::function<void(FindRates)> find_rates;
  std::function<void(ResolveRequested)> resolve;
  std::function<void(ReleaseRequested)> release;
  std::function<void(CancelRequested)> cancel;
  std::function<void(StopRequested)> stop;
  std::function<void(ReadStats)> stats;
  std::function<void(Backup)> backup;
  // As a backup, but the copy is only looked at and then removed.
  std::function<void(RequestId)> check;
  std::function<void(Compact)> compact;
  std::function<void(RequestId, Template)> put_template;
  std::function<void(RequestId, std::string)> drop_template;
  std::function<void(AcquireRequested)> acquire;
  std::function<void(AcquireAbandoned)> abandon;
  std::function<void(RefundRequested)> refund;
  std::function<const Templates&()> templates;
  std::function<EngineView()> view;
  std::function<ShadowReport()> shadow;
  std::function<WallTime()> wall_now;
  std::function<std::string()> metrics;   // Prometheus text
  const EngineOptions* engine = nullptr;  // for /v1/cost and for names; outlives the API
  std::string version;
};

class Api {
 public:
  Api(uv_loop_s* loop, ApiOptions options, ApiBackend backend);
  ~Api();
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  // "GET /v1/lanes" and so on, each once; the documents list the same.
  static std::vector<std::string> routes();

  Status listen();
  uint16_t tcp_port() const;  // after listen()

  void answer(Accept accepted);
  void answer(Refuse refused);
  void answer(Found found);
  void answer(Listed listed);
  void answer(FoundRates found);
  void answer(AnswerResolve done);
  void answer(AnswerRelease done);
  void answer(const AnswerCancel& done);
  void answer(const AnswerStop& done);
  void answer(StoreStats stats);
  // Of a backup, after its copy was checked, and of a check.
  void answer(CopyChecked checked);
  void answer(Compacted done);
  void answer(AnswerTemplate done);
  // A grant whose client has gone is refunded.
  void answer(const AnswerLease& done);

  // Not answers: what those who wait for an outcome, or listen, are to hear.
  void recorded(BatchId batch);
  void tell(const PressureChanged& change);

  void stop_accepting();
  void close(std::function<void()> closed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
