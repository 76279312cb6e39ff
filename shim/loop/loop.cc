// SPDX-License-Identifier: Apache-2.0
//
// Method. Events wait in `inbox` until the check phase of the loop, which runs after every poll for
// I/O; while any wait, an idle handle keeps the poll from sleeping. So I/O is looked at between two
// turns however much there is to do, and an effect's completion is always an event of a later turn.
#include "shim/loop/loop.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <random>
#include <utility>

#include <uv.h>

#include "weir/check.h"
#include "weir/engine.h"

#include "shim/calendar/calendar.h"
#include "shim/egress/egress.h"
#include "shim/front/api.h"
#include "shim/loop/clocks.h"
#include "shim/loop/copy_work.h"
#include "shim/loop/store_watch.h"
#include "shim/observe/log.h"
#include "shim/observe/metrics.h"
#include "shim/store/store.h"

namespace weir {
namespace {

// Events of one turn; more wait for the next, so that the clocks of a turn do not grow old.
constexpr size_t kEventsATurn = 512;

// After the calls were ended: for their outcomes to reach the disk.
constexpr uint64_t kLastWordsMs = 3000;

// The store is looked at this often; every second look gives it time to tend its file.
constexpr uint64_t kLookMs = 500;

template <typename Handle>
uv_handle_t* as_handle(Handle* handle) {
  return reinterpret_cast<uv_handle_t*>(handle);
}

// A write past a file-size limit is an error of that write, and a peer that has gone is an error of
// its connection; neither is the end of the process.
void ignore_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

struct Loop::State {
  State(const Settings& given, Log& given_log) : settings(given), log(given_log) {}
  ~State();

  Status open(const std::string& version);
  void post(Event event);
  void turn();
  void take_answers();
  void step(Now now, Event event);
  void carry_out(Effect& effect);
  void arm(Now now);
  void on_signal();
  void drain_is_late();
  void finish_drain();
  void look_at_store();
  void look_at_calendar(Now now);
  CalendarRead calendar_read(Now now);
  void tend();
  void start_copy(RequestId request, std::string path, bool kept);
  void take_copy(BackedUp done);
  void take(StoreAnswer& answer);
  ApiBackend backend(const std::string& version);

  const Settings settings;
  Log& log;

  uv_loop_t loop{};
  uv_check_t check{};
  uv_idle_t idle{};
  uv_timer_t wake{};
  uv_timer_t drain_limit{};
  uv_timer_t look{};
  uv_async_t store_bell{};
  uv_signal_t terminate{};
  uv_signal_t interrupt{};
  bool loop_open = false;
  bool handles_open = false;

  std::unique_ptr<Engine> engine;
  std::unique_ptr<Store> store;
  std::unique_ptr<Egress> egress;
  std::unique_ptr<Api> api;

  std::deque<Event> inbox;
  Effects effects;
  StoreWatch watch;
  uint64_t looks = 0;
  CalendarDay calendar_day;  // that the engine's calendar was read for
  bool tending = false;
  std::optional<CopyChecked> copying;  // until it is answered; one at a time
  bool draining = false;
  bool abandoned = false;
  bool closing = false;
};

Loop::State::~State() {
  // The front door and the egress release their handles only while the loop turns.
  if (loop_open) {
    if (api != nullptr) api->close([] {});
    if (egress != nullptr) egress->close([] {});
    if (handles_open) {
      for (uv_handle_t* handle :
           {as_handle(&check), as_handle(&idle), as_handle(&wake), as_handle(&drain_limit),
            as_handle(&look), as_handle(&terminate), as_handle(&interrupt)}) {
        if (!uv_is_closing(handle)) uv_close(handle, nullptr);
      }
    }
    if (store != nullptr) store->stop();
    if (handles_open && !uv_is_closing(as_handle(&store_bell))) {
      uv_close(as_handle(&store_bell), nullptr);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    api.reset();
    egress.reset();
    const int left = uv_loop_close(&loop);
    WEIR_CHECK(left == 0);
  }
}

ApiBackend Loop::State::backend(const std::string& version) {
  ApiBackend backend;
  backend.submit = [this](RequestId request, Submission submission) {
    post(Submitted{request, std::move(submission)});
  };
  backend.find = [this](RequestId request, MessageId id) { store->push(FindMessage{request, id}); };
  backend.list = [this](ListMessages query) { store->push(std::move(query)); };
  backend.find_rates = [this](FindRates query) { store->push(query); };
  backend.resolve = [this](ResolveRequested asked) { post(std::move(asked)); };
  backend.release = [this](ReleaseRequested asked) { post(asked); };
  backend.stop = [this](StopRequested asked) { post(std::move(asked)); };
  backend.cancel = [this](CancelRequested asked) { post(std::move(asked)); };
  backend.stats = [this](ReadStats query) { store->push(query); };
  backend.backup = [this](Backup order) { start_copy(order.request, std::move(order.path), true); };
  backend.check = [this](RequestId request) {
    start_copy(request, settings.store.path + ".check", false);
  };
  backend.compact = [this](Compact order) { store->push(order); };
  backend.put_template = [this](RequestId request, Template content) {
    post(PutTemplate{request, std::move(content)});
  };
  backend.drop_template = [this](RequestId request, std::string id) {
    post(DropTemplate{request, std::move(id)});
  };
  backend.acquire = [this](AcquireRequested asked) { post(std::move(asked)); };
  backend.abandon = [this](AcquireAbandoned gone) { post(gone); };
  backend.refund = [this](RefundRequested refund) { post(refund); };
  backend.templates = [this]() -> const Templates& { return engine->templates(); };
  backend.view = [this] { return engine->view(read_clocks()); };
  backend.shadow = [this] { return engine->shadow(read_clocks()); };
  backend.wall_now = [] { return read_clocks().wall; };
  backend.metrics = [this, version] {
    const Now now = read_clocks();
    return metrics_text(engine->view(now), store->totals(), now.wall, version);
  };
  backend.engine = &engine->options();
  backend.version = version;
  return backend;
}

Status Loop::State::open(const std::string& version) {
  ignore_signals();
  WEIR_CHECK(uv_loop_init(&loop) == 0);
  loop_open = true;
  uv_check_init(&loop, &check);
  uv_idle_init(&loop, &idle);
  uv_timer_init(&loop, &wake);
  uv_timer_init(&loop, &drain_limit);
  uv_timer_init(&loop, &look);
  uv_signal_init(&loop, &terminate);
  uv_signal_init(&loop, &interrupt);
  // The bell only ends the poll; the answers are taken in the check phase that follows.
  uv_async_init(&loop, &store_bell, [](uv_async_t*) {});
  handles_open = true;
  for (uv_handle_t* handle :
       {as_handle(&check), as_handle(&idle), as_handle(&wake), as_handle(&drain_limit),
        as_handle(&look), as_handle(&terminate), as_handle(&interrupt)}) {
    handle->data = this;
  }

  const Now now = read_clocks();
  StoreOptions store_options = settings.store;
  store_options.boot_id = read_boot_id();
  auto opened = Store::open(store_options, now.wall, [this] { uv_async_send(&store_bell); });
  if (!opened) return opened.error();
  store = std::move(opened).value();
  EngineOptions engine_options = settings.engine;
  // Not to be known outside: tables are spread by it.
  engine_options.seed = std::random_device()();
  engine = std::make_unique<Engine>(now, std::move(engine_options));
  egress = std::make_unique<Egress>(&loop, settings.gateway, settings.profile,
                                    [this](Replied replied) { post(std::move(replied)); });
  step(now, calendar_read(now));
  step(now, store->take_restored());
  api = std::make_unique<Api>(&loop, settings.api, backend(version));
  if (Status listening = api->listen(); !listening) return listening;

  uv_check_start(&check, [](uv_check_t* handle) { static_cast<State*>(handle->data)->turn(); });
  const auto on_signal = [](uv_signal_t* handle, int) {
    static_cast<State*>(handle->data)->on_signal();
  };
  uv_signal_start(&terminate, on_signal, SIGTERM);
  uv_signal_start(&interrupt, on_signal, SIGINT);
  uv_timer_start(
      &look, [](uv_timer_t* handle) { static_cast<State*>(handle->data)->look_at_store(); }, 0,
      kLookMs);
  arm(now);
  return Done{};
}

void Loop::State::post(Event event) {
  inbox.push_back(std::move(event));
  if (!uv_is_active(as_handle(&idle))) uv_idle_start(&idle, [](uv_idle_t*) {});
}

void Loop::State::take_answers() {
  for (size_t taken = 0; taken < kEventsATurn; ++taken) {
    std::optional<StoreAnswer> answer = store->pop();
    if (!answer) return;
    take(*answer);
  }
  uv_async_send(&store_bell);  // more are there: look again right after the next poll
}

void Loop::State::take(StoreAnswer& answer) {
  struct Sorter {
    State& state;
    // For persons; the engine has no part in it.
    void operator()(Found& one) { state.api->answer(std::move(one)); }
    void operator()(Listed& one) { state.api->answer(std::move(one)); }
    void operator()(FoundRates& one) { state.api->answer(std::move(one)); }
    void operator()(StoreStats& one) { state.api->answer(std::move(one)); }
    void operator()(Compacted& one) { state.api->answer(std::move(one)); }
    void operator()(BackedUp& one) { state.take_copy(std::move(one)); }
    void operator()(Tended& one) {
      state.tending = false;
      if (one.more) state.tend();
    }
    void operator()(StoreHealth& one) {
      if (auto news = state.watch.hear(std::move(one))) state.post(*std::move(news));
    }
    // The rest are events.
    void operator()(Persisted& one) { state.post(std::move(one)); }
    void operator()(Claimed& one) { state.post(std::move(one)); }
    void operator()(Recorded& one) {
      state.api->recorded(one.batch);
      state.post(one);
    }
    void operator()(TemplateStored& one) { state.post(std::move(one)); }
    void operator()(CeilingSaved& one) { state.post(one); }
    void operator()(Resolved& one) { state.post(one); }
    void operator()(Released& one) { state.post(one); }
    void operator()(Cancelled& one) { state.post(std::move(one)); }
    void operator()(StopStored& one) { state.post(std::move(one)); }
  };
  std::visit(Sorter{*this}, answer);
}

CalendarRead Loop::State::calendar_read(Now now) {
  ReadCalendar read = read_calendar(settings.engine, now.wall);
  calendar_day = read.day;
  return {std::move(read.calendar)};
}

void Loop::State::look_at_calendar(Now now) {
  if (!calendar_day.holds(now.wall)) post(calendar_read(now));
}

void Loop::State::look_at_store() {
  look_at_calendar(read_clocks());
  if (auto news = watch.look(store->busy_for(read_clocks().mono))) post(*std::move(news));
  if (looks++ % 2 == 0) tend();
}

// One at a time: while the disk hangs they would only pile up.
void Loop::State::tend() {
  if (tending || closing) return;
  tending = true;
  store->push(Tend{read_clocks().wall});
}

void Loop::State::start_copy(RequestId request, std::string path, bool kept) {
  CopyChecked checked;
  checked.request = request;
  checked.kept = kept;
  checked.path = std::move(path);
  checked.busy = copying.has_value();
  if (checked.busy) return api->answer(std::move(checked));
  copying = std::move(checked);
  store->push(Backup{request, copying->path});
}

void Loop::State::take_copy(BackedUp done) {
  CopyChecked checked = *std::move(copying);
  const auto finish = [this](CopyChecked end) {
    copying.reset();
    api->answer(std::move(end));
  };
  checked.busy = done.busy;
  checked.failure = std::move(done.failure);
  if (checked.busy || !checked.failure.empty()) return finish(std::move(checked));
  check_and_place(&loop, std::move(done.path), std::move(checked), finish);
}

void Loop::State::turn() {
  if (closing) return;
  take_answers();
  const Now now = read_clocks();
  for (size_t done = 0; done < kEventsATurn && !inbox.empty(); ++done) {
    Event event = std::move(inbox.front());
    inbox.pop_front();
    step(now, std::move(event));
  }
  if (engine->next_wake() <= now.mono) step(now, Wake{});
  if (inbox.empty()) uv_idle_stop(&idle);
  arm(now);
  if (draining && engine->drained() && inbox.empty()) finish_drain();
}

void Loop::State::step(Now now, Event event) {
  effects.clear();
  engine->step(now, std::move(event), effects);
  for (Effect& effect : effects)
    carry_out(effect);
}

void Loop::State::carry_out(Effect& effect) {
  struct Interpreter {
    State& state;
    void operator()(Persist& one) { state.store->push(std::move(one)); }
    void operator()(Claim& one) { state.store->push(one); }
    void operator()(Record& one) { state.store->push(std::move(one)); }
    void operator()(StoreTemplate& one) { state.store->push(std::move(one)); }
    void operator()(AnswerTemplate& one) { state.api->answer(std::move(one)); }
    void operator()(AnswerLease& one) { state.api->answer(one); }
    void operator()(Refuse& one) { state.api->answer(std::move(one)); }
    void operator()(Accept& one) { state.api->answer(std::move(one)); }
    void operator()(Send& one) { state.egress->send(std::move(one.payload)); }
    void operator()(SaveRate& one) { state.store->push(one); }
    void operator()(SaveLevels& one) { state.store->push(one); }
    void operator()(Resolve& one) { state.store->push(std::move(one)); }
    void operator()(AnswerResolve& one) { state.api->answer(one); }
    void operator()(Release& one) { state.store->push(one); }
    void operator()(AnswerRelease& one) { state.api->answer(one); }
    void operator()(PressureChanged& one) {
      if (state.api != nullptr) state.api->tell(one);
    }
    void operator()(Cancel& one) { state.store->push(std::move(one)); }
    void operator()(AnswerCancel& one) { state.api->answer(one); }
    void operator()(StoreStop& one) { state.store->push(std::move(one)); }
    void operator()(AnswerStop& one) { state.api->answer(one); }
    void operator()(Note& one) { state.log.note(one); }
  };
  std::visit(Interpreter{*this}, effect);
}

void Loop::State::arm(Now now) {
  const MonoTime at = engine->next_wake();
  if (at == MonoTime::never()) {
    uv_timer_stop(&wake);
    return;
  }
  // Rounded up: a timer that fires early would find nothing to do and be armed again.
  const int64_t wait_ms = std::max<int64_t>(0, (at - now.mono).ms_ceil());
  uv_update_time(&loop);
  // The check phase that follows every poll does the work.
  uv_timer_start(
      &wake, [](uv_timer_t*) {}, static_cast<uint64_t>(wait_ms), 0);
}

void Loop::State::on_signal() {
  if (draining) {
    log.warn("second signal: leaving at once; what is in flight will be unknown");
    std::_Exit(0);
  }
  draining = true;
  api->stop_accepting();
  post(DrainRequested{});
  uv_timer_start(
      &drain_limit, [](uv_timer_t* handle) { static_cast<State*>(handle->data)->drain_is_late(); },
      static_cast<uint64_t>(settings.drain_timeout.ms_ceil()), kLastWordsMs);
}

// First the calls are ended, and what they came to is written down. If even that does not come to
// an end (a disk that takes nothing), leaving loses nothing: the claims are found as unknown.
void Loop::State::drain_is_late() {
  if (!abandoned) {
    abandoned = true;
    log.warn("drain_timeout has passed: ending what is in flight");
    egress->abandon();
    uv_timer_again(&drain_limit);
    return;
  }
  log.warn("outcomes could not be written down in time; their batches will be unknown");
  std::_Exit(0);
}

void Loop::State::finish_drain() {
  closing = true;
  log.info("stopped: everything accepted is on disk");
  uv_stop(&loop);
}

Loop::Loop(std::unique_ptr<State> state) : state_(std::move(state)) {}
Loop::~Loop() = default;

Result<std::unique_ptr<Loop>> Loop::start(const Settings& settings, Log& log,
                                          const std::string& version) {
  auto state = std::make_unique<State>(settings, log);
  if (Status opened = state->open(version); !opened) return opened.error();
  return std::unique_ptr<Loop>(new Loop(std::move(state)));
}

uint16_t Loop::tcp_port() const {
  return state_->api->tcp_port();
}

void Loop::run() {
  uv_run(&state_->loop, UV_RUN_DEFAULT);
}

}  // namespace weir
