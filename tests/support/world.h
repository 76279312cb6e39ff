// SPDX-License-Identifier: Apache-2.0
//
// World: the engine in virtual time, with a simulated store and a simulated gateway around it.
//
// Nothing here waits: run_for() jumps from event to event, so an hour of traffic takes as long as
// its decisions. Every effect is checked as it comes: a batch is sent only while its row is claimed
// on the simulated disk, once a claim; a row changes only as engine/batch_state.h allows; an
// acceptance follows a commit; nothing is sent while its class's window is closed. A broken promise
// fails the test that runs, at the event that broke it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <vector>

#include "weir/engine.h"

namespace weir::test {

// Options that tests start from: 100 units/s, 2 s of capacity, the outcome rules of a made-up
// gateway ("200" accepted, "188" content, "429" throttled, "216" auth). No class has a window.
EngineOptions test_options();

Submission submission(std::string class_name, uint64_t first_number, size_t recipients = 1);
GatewayReply accepted_reply();
GatewayReply refused_reply(std::string code, int http_status = 200);
GatewayReply throttled_reply(std::optional<Duration> retry_after = std::nullopt);
GatewayReply unreachable_reply();
GatewayReply silent_reply();  // the body left, nothing came back

class World {
 public:
  explicit World(EngineOptions options = test_options(), Calendar calendar = {});

  // How the world behaves; may be changed at any time.
  Duration commit_time = Duration::millis(1);
  Duration latency = Duration::millis(200);
  bool disk_works = true;
  std::function<GatewayReply(const Payload&)> gateway;  // default: accepts
  Duration wall_step;  // added to the wall clock from now on, as NTP or a person would

  RequestId submit(Submission submission);
  RequestId put_template(Template content);
  RequestId drop_template(std::string id);
  RequestId acquire(std::string class_name, Units cost, Duration max_wait = Duration());
  RequestId acquire_shadow(std::string class_name, Units cost);
  RequestId acquire_from(std::string bucket, Units cost, Duration max_wait = Duration());
  RequestId acquire_as(ProducerId producer, std::string class_name, Units cost,
                       Duration max_wait = Duration());
  // Whoever made this request has gone.
  void abandon(RequestId request);
  RequestId refund(LeaseId lease) { return refund_as(kNoProducer, lease); }
  RequestId refund_as(ProducerId producer, LeaseId lease);
  // The windows that the next engines and, from now on, this one go by. Empty: none has one.
  void read_calendar(Calendar calendar);
  void drain();
  // What the store's thread would say when commits begin to fail, or work again.
  void report_disk(bool writable);
  void report(StoreTrouble trouble);
  // The person at the ledger.
  RequestId resolve(RequestId submission, BatchState to);
  const AnswerResolve* resolve_answer(RequestId request) const;
  // The next restart() finds a file that is not its own, for this reason.
  void quarantine_at_restart(std::string reason) { quarantine_ = std::move(reason); }
  RequestId cancel(CancelTarget target);
  RequestId cancel_tag(std::string tag) {
    return cancel({.message = {}, .key = {}, .tag = std::move(tag)});
  }
  const AnswerCancel* cancel_answer(RequestId request) const;
  size_t cancel_slice = 3;  // batches
  RequestId stop_lane(Lane lane, StopMode mode);
  RequestId stop_class(std::string class_name, StopMode mode);
  const AnswerStop* stop_answer(RequestId request) const;
  RequestId release_quarantine();
  const AnswerRelease* release_answer(RequestId request) const;
  // In the order in which they came.
  const std::vector<PressureChanged>& pressure_changes() const { return pressure_changes_; }
  // A new engine on the same disk, as after kill -9 (or after a drain, if it has come to its end):
  // nothing in memory survives.
  void restart();
  void run_for(Duration duration);
  // Until nothing is pending, in flight or being written; false when `most` passed before.
  bool run_until_idle(Duration most);

  Now now() const;
  EngineView view() const { return engine_->view(now()); }
  ShadowReport shadow() const { return engine_->shadow(now()); }
  LaneView lane(Lane lane) const { return view().lanes[index(lane)]; }
  bool drained() const { return engine_->drained(); }

  struct Sent {
    MonoTime at;
    BatchId batch{};
    Lane lane = Lane::kOtp;
    Units cost;
    std::vector<Recipient> recipients;
  };
  const std::vector<Sent>& sent() const { return sent_; }
  std::vector<Sent> sent_in(Lane lane) const;

  const Templates& templates() const { return engine_->templates(); }
  const AnswerTemplate* template_answer(RequestId request) const;
  // Null while the request waits.
  const AnswerLease* lease_answer(RequestId request) const;
  // When the answer came.
  MonoTime lease_answered_at(RequestId request) const;
  const Accept* accepted(RequestId request) const;
  const Refusal* refused(RequestId request) const;
  // The states of a message's batches, in order.
  std::vector<BatchState> states(RequestId request) const;
  size_t rows_in(BatchState state) const;
  const std::string& last_reason(RequestId request) const;
  const std::vector<RateChange>& rates() const { return rates_; }
  const std::vector<std::string>& notes() const { return notes_; }
  uint64_t steps() const { return steps_; }

 private:
  struct Row {
    Message message;
    MessageText text;
    std::vector<Recipient> recipients;
    BatchCut cut;
    ProducerId producer = kNoProducer;
    BatchState state = BatchState::kPending;
    uint16_t attempt = 0;
    WallTime not_before;
    WallTime done_at;  // of what a claim found cancelled
    std::string reason;
    bool call_out = false;
  };
  struct Due {
    MonoTime at;
    uint64_t order = 0;
    std::function<Event()> make;
    uint64_t life = 0;
  };
  struct Later {
    bool operator()(const Due& a, const Due& b) const {
      return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
  };

  void start();
  void at(Duration after, std::function<Event()> make);
  void step(Event event);
  void carry_out(Effect& effect);
  void carry_out(Persist& effect);
  void carry_out(Refuse& effect);
  void carry_out(Accept& effect);
  void carry_out(Claim& effect);
  void carry_out(Send& effect);
  void carry_out(Record& effect);
  void carry_out(StoreTemplate& effect);
  void carry_out(AnswerTemplate& effect);
  void carry_out(AnswerLease& effect);
  void carry_out(Note& effect);
  void carry_out(SaveRate& effect);
  void carry_out(SaveLevels& effect);
  void carry_out(Resolve& effect);
  void carry_out(AnswerResolve& effect);
  void carry_out(Release& effect);
  void carry_out(AnswerRelease& effect);
  void carry_out(PressureChanged& effect) { pressure_changes_.push_back(effect); }
  void carry_out(Cancel& effect);
  void carry_out(AnswerCancel& effect);
  void carry_out(StoreStop& effect);
  void carry_out(AnswerStop& effect);
  Cancelled commit_cancel(const Cancel& command);
  static bool covers(const Cancel& command, const Message& message);
  Resolved commit_resolve(const Resolve& command);
  Persisted commit(RequestId request, std::unique_ptr<Draft> draft);
  Claimed commit_claim(const Claim& claim);
  std::unique_ptr<Payload> payload_of(const Row& row) const;
  void change(Row& row, BatchState to);
  bool run_next(MonoTime until);

  void check_window(const Row& row) const;
  std::vector<Restored::GuardedClass> guarded_on_disk() const;

  EngineOptions options_;
  Calendar calendar_;
  std::unique_ptr<Engine> engine_;
  MonoTime mono_ = MonoTime::from_ns(3'600'000'000'000);
  WallTime wall_ = WallTime::from_unix_ms(1'796'000'000'000);
  std::priority_queue<Due, std::vector<Due>, Later> due_;
  uint64_t order_ = 0;
  uint64_t life_ = 0;  // events of an earlier engine do not reach a later one
  uint64_t requests_ = 0;
  uint64_t steps_ = 0;

  std::map<int64_t, Row> disk_;
  std::map<std::string, int64_t> keys_;  // to the first batch of the message
  std::set<int64_t> messages_;           // that were committed
  int64_t last_message_ = 0;
  int64_t last_batch_ = 0;
  Templates templates_;  // on disk
  std::map<uint64_t, AnswerTemplate> template_answers_;
  std::map<uint64_t, std::pair<AnswerLease, MonoTime>> lease_answers_;
  std::map<uint64_t, AnswerResolve> resolve_answers_;
  std::map<uint64_t, AnswerRelease> release_answers_;
  std::vector<PressureChanged> pressure_changes_;
  std::map<uint64_t, Cancel> cancels_;  // that the store knows of
  std::map<uint64_t, AnswerCancel> cancel_answers_;
  std::map<std::string, StopOrder> stops_;  // on disk, by lane or class
  std::map<uint64_t, AnswerStop> stop_answers_;
  std::string quarantine_;  // on disk
  std::map<uint64_t, Accept> accepted_;
  std::map<uint64_t, Refusal> refused_;
  std::vector<Sent> sent_;
  std::vector<RateChange> rates_;        // on disk
  std::optional<LimiterLevels> levels_;  // on disk
  std::optional<WallTime> last_outcome_;
  std::vector<std::string> notes_;
};

// All units from sent[first] on.
Units units_sent(const std::vector<World::Sent>& sent, size_t first = 0);

// The most units that were sent in any window of this length.
Units most_in_window(const std::vector<World::Sent>& sent, Duration window);

}  // namespace weir::test
