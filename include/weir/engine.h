// SPDX-License-Identifier: Apache-2.0
//
// The engine: every decision that weir takes, as a state machine.
//
//     step(now, event) -> effects        next_wake() -> when to call again without an event
//
// It reads no clock, opens nothing, starts no thread, logs nothing, and draws its randomness from
// one generator seeded by its options: the same events at the same instants give the same effects,
// in production, in a simulation and in a test.
//
// Threads: one, the loop's. Effects are carried out after step() has returned; what comes of them
// is an event of a later turn.
//
// What always holds:
//   - Accept follows Persisted(kStored), which follows a commit.
//   - Send follows Claimed, which follows a commit; a batch is sent at most once a claim.
//   - A token is taken only when a slot is free, and neither is held while waiting for the other.
//   - A batch leaves the pending state only by the table of engine/batch_state.cc.
//   - Nothing is accepted or claimed while the store cannot write.
//   - Nothing of a class is claimed or sent while its window is closed.
//
// Limits: one gateway account; see ARCHITECTURE.md for where a second one hangs in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/effect.h"
#include "weir/event.h"
#include "weir/options.h"
#include "weir/shadow.h"
#include "weir/stop.h"

namespace weir {

// Those who ask for leases, of one lane or one private bucket.
struct LeaseView {
  size_t waiting = 0;
  Units waiting_units;
  Units granted;        // since start
  uint64_t denied = 0;  // since start; shadows that would have been are counted too
};

// A lane as an operator sees it. Rates are over the last 10 whole seconds.
struct LaneView {
  Lane lane = Lane::kOtp;
  bool shadow = false;
  double offered_units_per_s = 0;   // asked for: taken, or refused for want of room or time
  double admitted_units_per_s = 0;  // passed the bucket
  int64_t pending_rows = 0;         // waiting, being written included
  Units pending_units;
  uint32_t in_flight = 0;  // claimed: being written, under way, or answered and being written
  Units in_flight_units;
  std::optional<Duration> oldest_age;  // of the pending batches
  Units level;                         // what the lane could take right now
  Units capacity;                      // what it can ever take at once
  double reserve_units_per_s = 0;
  double limit_units_per_s = 0;
  // For a message that comes now; nothing: the lane is paused, and nobody knows.
  std::optional<Duration> predicted_wait = Duration();
  Pressure pressure = Pressure::kClear;
  Duration suggested_delay;  // for a producer of one unit
  LeaseView leases;
  Stop stop;
};

// A class as an operator sees it.
struct ClassView {
  std::string name;
  Lane lane = Lane::kOtp;
  Stop stop;
};

// A bucket of an application's own, apart from the ceiling.
struct BucketView {
  std::string name;
  Units level;
  Units capacity;
  Units rate_per_s;
  LeaseView leases;
};

// Running totals since start, in units unless the name says batches; for /metrics.
struct LaneTotals {
  Units offered;
  Units admitted;
  Units submitted;
  Units refused_by_gateway;
  Units unknown;
  Units shed;
  uint64_t throttled_batches = 0;
  uint64_t unreachable_batches = 0;
  Units shadow_waited{};  // of a lane in shadow, what its limits would have done
  Units shadow_shed{};
  Units shadow_refused{};
};

// The window of a class, now.
struct WindowView {
  std::string class_name;
  Lane lane = Lane::kPromotional;
  bool open = false;
  std::optional<WallTime> opens_at;   // next
  std::optional<WallTime> closes_at;  // if it is open
};

struct ProducerView {
  std::string name;
  Units offered;      // handed in and asked for since start, refused or not
  Units unsettled{};  // of its messages: pending, being written and claimed, as in the bounds
};

struct EngineView {
  std::array<LaneView, kLanes> lanes;
  std::array<LaneTotals, kLanes> totals;
  Units ceiling_per_s;        // now
  uint32_t ceiling_cuts = 0;  // of all runs
  std::vector<BucketView> buckets;
  std::vector<ClassView> classes;
  std::vector<WindowView> windows;  // of the classes that have one
  std::vector<ProducerView> producers;
  std::array<uint64_t, kRefusalCodes> refusals{};  // by RefusalCode
  uint64_t unknown_batches = 0;                    // in all, of earlier runs too
  StoreTrouble store_trouble = StoreTrouble::kNone;
  std::string quarantine;  // why nothing is sent until a person lets it; empty: not so
  bool draining = false;
  bool gateway_paused = false;  // by Retry-After, or because the account itself was refused
  std::string gateway_pause_reason;
};

class Engine {
 public:
  // `options` have passed check_options(). The buckets start empty, or as Restored says.
  Engine(Now now, EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Appends to `effects`, in the order in which they must be carried out.
  void step(Now now, Event event, Effects& effects);

  // The earliest instant at which a step without an event would do something.
  MonoTime next_wake() const;

  EngineView view(Now now) const;
  // Costlier than view(), it reads histograms.
  ShadowReport shadow(Now now) const;
  const EngineOptions& options() const;
  // As they are on disk. Valid until the next step.
  const Templates& templates() const;

  // Nothing is claimed, being written or under way; after DrainRequested also: nothing will be.
  bool drained() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
