// SPDX-License-Identifier: Apache-2.0
//
// The engine's whole state, and the steps that change it, in the order in which a message meets
// them: intake.cc (in, with guarding.cc and predicting.cc), dispatch.cc (token, slot, claim),
// replies.cc (out), view.cc (seen); template_shelf.cc keeps the templates, settling.cc,
// cancelling.cc and stopping.cc do what persons decide, leasing.cc serves those who send by
// themselves, shadow.cc tells what the limits of lanes in shadow would do, windows.cc knows when a
// class may be sent.
//
// Everything here runs inside Engine::step() on the loop's thread.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/engine.h"

#include "engine/ceiling_control.h"
#include "engine/lane_queue.h"
#include "engine/lease_book.h"
#include "engine/limiter.h"
#include "engine/load_record.h"
#include "engine/quotas.h"
#include "engine/rate_meter.h"
#include "engine/rng.h"
#include "engine/send_guard.h"
#include "engine/shadow_twin.h"
#include "engine/waiting_line.h"
#include "engine/withdrawn.h"

namespace weir {

// A batch between its claim and its outcome. It holds a slot and, until refunded, its tokens.
struct InFlight {
  Head head;
  Lane lane = Lane::kOtp;
  bool paid = true;        // false: its lane is in shadow and the tokens were not there
  bool cancelled = false;  // a person took it back while it was under way: it is not tried again
};

// What a person takes back, until the lanes have dropped it (cancelling.cc).
struct Cancellation {
  Cancel command;  // of the next slice
  CancelCounts counts;
  uint32_t arriving = 0;  // messages that were on their way to disk when it was asked for
  bool begun = false;     // the store knows of it
  bool over = false;      // and it has been answered
  bool leaves_with_sweep = false;
  Withdrawn withdrawn;
};

// What of a lane is not settled yet: pending (in line or aside: a not_before, a backoff, a window),
// being written, and claimed. All of it counts in the bounds.
struct Depth {
  int64_t rows = 0;
  Units units;
};

// How far a sweep over all lanes has come.
struct LaneSweep {
  size_t lane = 0;
  LaneQueue::Sweep place;
};

// Where leases are asked for: one a lane and one a private bucket.
struct LeaseDesk {
  WaitingLine line;
  Units granted;
  uint64_t denied = 0;
};

struct LaneState {
  LaneQueue queue;
  // Accepted but not committed yet; counted in the bounds, not in line.
  int64_t persisting_rows = 0;
  Units persisting_units;
  uint32_t slots_used = 0;
  Units in_flight_units;
  std::array<Units, 256> out_of_line{};  // of those two, by producer
  bool account_bound = false;  // the front waits for the account's tokens, not for its own limit
  MonoTime token_at;           // when the front's tokens will be there; in the past: unknown
  LeaseDesk desk;
  Stop stop;
  bool lines_turn = false;  // the line of leases goes before the next batch
  Pressure pressure = Pressure::kClear;
  TenSecondMeter offered;
  TenSecondMeter admitted;
  LoadRecord load;

  Depth depth() const {
    return {queue.rows() + persisting_rows + slots_used,
            queue.units() + persisting_units + in_flight_units};
  }
  // What of that is one producer's.
  Units depth_of(ProducerId one) const { return queue.units_of(one) + out_of_line[index(one)]; }
  void wait_for(const Limiter::Decision& denied) {
    token_at = denied.retry_at();
    account_bound = denied.by_account;
  }
  LaneTotals totals;
};

// An application's own, apart from the ceiling.
struct PrivateBucket {
  PrivateBucket(MonoTime now, const BucketOptions& options);

  const std::string name;
  TokenBucket tokens;
  LeaseDesk desk;
  MonoTime token_at;  // as in LaneState
};

struct Engine::State {
  State(Now now, EngineOptions engine_options);

  // Events, one function each.
  void on(Now now, Submitted& event, Effects& effects);
  void on(Now now, Persisted& event, Effects& effects);
  void on(Now now, Claimed& event, Effects& effects);
  void on(Now now, Replied& event, Effects& effects);
  void on(Now now, Recorded& event, Effects& effects);
  void on(Now now, PutTemplate& event, Effects& effects);
  void on(Now now, DropTemplate& event, Effects& effects);
  void on(Now now, TemplateStored& event, Effects& effects);
  void on(Now now, StoreHealth& event, Effects& effects);
  void on(Now now, Restored& event, Effects& effects);
  void on(Now now, DrainRequested& event, Effects& effects);
  void on(Now now, Wake& event, Effects& effects);
  void on(Now now, CeilingSaved& event, Effects& effects);
  void on(Now now, AcquireRequested& event, Effects& effects);
  void on(Now now, AcquireAbandoned& event, Effects& effects);
  void on(Now now, RefundRequested& event, Effects& effects);
  void on(Now now, ResolveRequested& event, Effects& effects);
  void on(Now now, Resolved& event, Effects& effects);
  void on(Now now, ReleaseRequested& event, Effects& effects);
  void on(Now now, Released& event, Effects& effects);
  void on(Now now, CancelRequested& event, Effects& effects);
  void on(Now now, Cancelled& event, Effects& effects);
  void on(Now now, StopRequested& event, Effects& effects);
  void on(Now now, StopStored& event, Effects& effects);
  void on(Now now, CalendarRead& event, Effects& effects);

  // Before every event and after it: which classes stand still, because their window is closed or
  // they are paused.
  void look_at_holds(Now now);

  // After every event: shed what is late, claim what may go, say when to come back.
  void dispatch(Now now, Effects& effects);
  MonoTime wake_at = MonoTime::never();
  // After that: what producers are to know.
  void watch_pressure(Now now, Effects& effects);

  // Nothing is being written or under way.
  bool at_rest() const;
  // While draining, after every event: what the next run is to go on from.
  void save_levels(Now now, Effects& effects);
  // Before every event: what the guards may forget.
  void sweep_guards(Now now);
  // At the end of a pause that a throttle asked for.
  void forfeit_pause(MonoTime now);
  // Before every event: for how long tokens were waited for.
  void watch_bound(MonoTime now);

  // Before every event: the twin decides what was due.
  void advance_twin(Now now);

  EngineView view(Now now) const;
  ShadowReport shadow(Now now) const;

  const EngineOptions options;
  Templates templates;
  std::array<LaneState, kLanes> lanes;
  bool draining = false;
  uint32_t persisting = 0;
  uint32_t inserting = 0;  // of those, the ones that have an id
  uint64_t records_open = 0;
  uint32_t settlements_open = 0;    // what a person asked for, on its way to disk
  uint32_t ceiling_saves_open = 0;  // what the next run is to know of it, on its way to disk
  bool levels_saved = false;
  std::unordered_map<int64_t, InFlight> in_flight;  // by batch; never iterated

 private:
  // intake.cc
  bool may_persist(Lane lane) const;
  std::optional<Refusal> turn_away(Now now, const Draft& draft) const;
  std::optional<Refusal> turn_away_late(Now now, const Message& message) const;
  Units depth_of(ProducerId producer) const;
  std::optional<Refusal> charge_quotas(Now now, const Draft& draft);
  void assign_ids(Draft& draft);
  bool try_direct(Now now, Draft& draft);
  void accept(Now now, Persisted& event, Effects& effects);
  void refuse(RequestId request, Refusal refusal, Effects& effects);

  // guarding.cc
  void make_guards();
  SendGuard* guard_of(const std::string& class_name);
  std::optional<Refusal> turn_away_guarded(Now now, const Draft& draft);
  void count_guarded(Now now, const Draft& draft);
  void take_back_guarded(const Draft& draft);
  void note_not_sent(BatchId first, BatchId last);
  void restore_guards(Now now, const Restored& found);
  std::vector<std::unique_ptr<SendGuard>> guards;  // by ClassId; null: the class has none

  // dispatch.cc
  bool may_claim(Now now) const;
  uint32_t shed_expired(Now now, Lane lane, uint32_t most, Effects& effects);
  bool batch_ready(Now now, Lane lane) const;
  bool claim_front(Now now, Lane lane, Effects& effects);
  uint32_t promote_due(Now now, Lane lane);
  uint32_t claim_ready(Now now, Lane lane, uint32_t most, Effects& effects);
  void count_admitted(MonoTime now, LaneState& state, Units cost);
  void take(Now now, Lane lane, const Head& head, bool paid);
  void refund(const InFlight& batch);
  Limiter::Decision ask(Now now, Lane lane, Units cost);
  void launch(Now now, std::unique_ptr<Payload> payload, Effects& effects);
  InFlight release(BatchId batch);
  void plan_wake(Now now, bool again);

  // windows.cc
  bool is_closed(ClassId one) const { return closed_now[index(one)]; }
  WallTime first_chance(ClassId one, WallTime at) const;
  MonoTime reopens(Now now, ClassId one) const;
  ShedReason why_late(const Head& head) const;
  Units held_units(Lane lane) const;
  std::optional<WallTime> next_opening(Now now, Lane lane) const;
  std::vector<WindowView> windows(Now now) const;

  // stopping.cc
  const Stop& stop_of(ClassId class_id) const;
  bool is_paused(Lane lane, ClassId class_id) const;
  std::optional<Refusal> turn_away_drained(Lane lane, ClassId class_id) const;
  std::optional<MonoTime> stopped_until(Now now, const Waiter& waiter) const;
  void stop(const StopOrder& order, Effects& effects);
  std::vector<Stop> class_stops;  // by ClassId

  // cancelling.cc
  void continue_cancel(Cancellation& one, Effects& effects);
  void end_cancel(Cancellation& one, CancelResult result, Effects& effects);
  void arrived(const Message& message, Effects& effects);
  void record_cancelled(Now now, BatchId batch, Effects& effects);
  bool taken_back(Now now, BatchId batch, Effects& effects);
  uint32_t drop_taken_back(Now now, Lane lane, uint32_t most, Effects& effects);
  bool wants_sweep() const;
  bool sweep_lanes(Now now, Effects& effects);
  std::deque<Cancellation> cancellations;
  std::optional<LaneSweep> sweep;

  // leasing.cc
  LeaseDesk& desk_of(const Lease& wanted);
  bool charge_quota(Now now, Waiter& waiter, Effects& effects);
  void give_back_quota(const Lease& lease);
  Units most(const Lease& wanted) const;
  MonoTime earliest(Now now, const Lease& wanted) const;
  size_t waiting() const;
  bool find_source(Waiter& waiter, Effects& effects);
  void line_up(Now now, Waiter waiter, Effects& effects);
  void grant(Now now, const Waiter& waiter, bool paid, Effects& effects);
  void deny(Now now, const Waiter& waiter, MonoTime retry_at, Effects& effects);
  bool may_grant(Now now, Lane lane) const;
  bool grant_head(Now now, Lane lane, Effects& effects);
  void serve_buckets(Now now, Effects& effects);
  bool dismiss(Now now, Effects& effects);
  void plan_lease_wake(Now now);

  // replies.cc
  void conclude(const InFlight& batch, Record record, Effects& effects);
  void try_again(Now now, const InFlight& batch, WallTime not_before, Record record,
                 Effects& effects);
  void pause_gateway(Now now, Duration wait, std::string reason, Effects& effects);

  // ceiling.cc
  void resume_ceiling(Now now, const Restored& found, Effects& effects);
  void save(const RateChange& change, Effects& effects);
  Units measured_per_s(Now now) const;
  void tick_ceiling(Now now, Effects& effects);
  void hear(Now now, const GatewayReply& reply, Outcome outcome, Effects& effects);
  void set_rate(MonoTime now);
  void move_ceiling(Now now, const RateChange& change, Effects& effects);

  // predicting.cc
  double expected_rate(Now now, Lane lane) const;
  Duration predicted_wait(Now now, Lane lane, Units cost) const;
  WallTime behind_all(Now now, const Message& message, Units cost) const;
  WallTime in_turn(Now now, const Message& message, Units cost) const;
  WallTime predicted_send(Now now, const Message& message, Units cost) const;

  // pressure.cc
  double filled(Lane lane) const;
  Pressure level(Now now, Lane lane, double margin) const;
  void settle_pressure(Now now, Lane lane, Effects& effects);
  Duration suggested_delay(Now now, Lane lane, Units cost) const;
  MonoTime pressure_at;  // the next look at all lanes

  // shadow.cc
  void show_twin(Now now, const Draft& draft);
  void show_twin(Now now, Lane lane, const Head& head);
  void show_twin(Now now, const Waiter& waiter);
  void note_shadow(Effects& effects) const;
  void count_shadow(Lane lane, LaneTotals& totals) const;

  // template_shelf.cc
  uint32_t templates_open = 0;  // changes on their way to disk

  Calendar calendar;    // by class
  ClassSet closed_now;  // the classes whose window is
  ClassSet standing;    // those, and the paused ones

  // leasing.cc
  LeaseBook leases;
  std::deque<PrivateBucket> buckets;  // a deque, because a TokenBucket cannot move

  Quotas quotas;
  Limiter limiter;
  std::unique_ptr<ShadowTwin> twin;  // null: no lane is in shadow
  LoadRecord load;                   // of the account
  const Now started;
  CeilingControl ceiling;
  OneSecondMeter sent_second;  // tokens of all lanes: for calls, and for leases
  bool bound = false;          // a front waits for the account's tokens since the last step
  Duration bound_time;         // for so long since the last tick
  MonoTime last_step;
  Rng rng;
  bool restored = false;
  StoreTrouble store_trouble = StoreTrouble::kNone;
  std::string quarantine;  // why nothing is sent or shed; empty: it is
  MessageId next_message{1};
  BatchId next_batch{1};
  uint64_t unknown_batches = 0;
  std::array<uint64_t, kRefusalCodes> refusals{};
  MonoTime paused_until;
  std::optional<LimiterLevels> throttled_at;  // when the pause that a throttle asked for began
  std::string pause_reason;
  uint32_t unreachable_streak = 0;
};

}  // namespace weir
