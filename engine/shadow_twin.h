// SPDX-License-Identifier: Apache-2.0
//
// ShadowTwin: what the limits would do if no lane were in shadow.
//
// A second limiter with a line a lane. Every batch, of a lane in shadow or not, comes into its line
// when it could first be sent, and leaves it when its tokens are there or its deadline has passed,
// in the order and by the rules of the real lanes (engine/lane_queue.h, engine/dispatch.cc): so the
// competition among the lanes is the one that there would be. Nobody waits for what is decided
// here; it is counted.
//
// A grant counts from the instant at which its tokens were there, however late the loop turns.
//
// What it leaves out: slots, pauses of the gateway, sending windows that close on what is in line
// (what comes while one is closed is shown at the opening), and calls that are tried again. A batch
// is in line once. So it says what tokens alone would do.
//
// Bounds: a line holds no more than its lane may (max_rows, max_units); what is above would have
// been refused. 32 bytes a batch, in line twice then: here and in its lane. O(log n) a batch; a
// call of advance() decides at most `most` of them.
//
// Called by the engine on its thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weir/message.h"
#include "weir/options.h"
#include "weir/shadow.h"

#include "engine/deadline_profile.h"
#include "engine/histogram.h"
#include "engine/limiter.h"
#include "engine/rate_meter.h"

namespace weir {

class ShadowTwin {
 public:
  // `options` outlive the twin. Starts empty, as the limiter does.
  ShadowTwin(MonoTime now, const EngineOptions& options, Units rate_per_s);

  // Decides what was to be decided by `now`, `most` batches at the most; how many there were. Call
  // it before anything that comes in at `now`, so that this finds all earlier things done.
  uint32_t advance(Now now, uint32_t most);
  // When it would next decide something, if nothing else happens.
  MonoTime next_change() const { return next_change_; }

  void set_rate(MonoTime now, Units rate_per_s);
  // Before anything is entered.
  void resume(const LimiterLevels& left) { limiter_.resume(left); }
  // Whether the door would take a message of so many batches now; if not, it is counted as refused
  // and must not be entered.
  bool admits(Now now, const Message& message, size_t batches, Policy policy);
  // A batch could be sent from now on, or a lease is asked for.
  void enter(MonoTime now, Lane lane, Units cost, WallTime deadline, uint8_t priority);

  ShadowView view(Lane lane) const;
  // The same without what waits and how long.
  const ShadowView& counts(Lane lane) const { return lines_[index(lane)].counts; }

 private:
  struct Waiting {
    Units cost;
    MonoTime arrived;
    WallTime deadline;
    uint64_t order;  // the priority in the top 4 bits, the arrival below
  };
  struct Line {
    std::vector<Waiting> heap;  // the most urgent in front
    Units units;
    DeadlineProfile profile;
    TenSecondMeter granted;
    ShadowView counts;
    Histogram waits;  // microseconds, weighted by micro-units
  };

  static bool leaves_later(const Waiting& a, const Waiting& b);
  Line& line(Lane lane) { return lines_[index(lane)]; }
  double expected_rate(MonoTime now, Lane lane) const;
  WallTime in_turn(Now now, const Message& message) const;
  // One instant, as a turn of Engine::State::dispatch.
  uint32_t turn(Now at, uint32_t most);
  void leave(Now at, Line& line, bool granted);

  const EngineOptions& options_;
  Limiter limiter_;
  std::array<Line, kLanes> lines_;
  uint64_t arrivals_ = 0;
  MonoTime settled_;  // everything up to here is decided
  MonoTime next_change_ = MonoTime::never();
};

}  // namespace weir
