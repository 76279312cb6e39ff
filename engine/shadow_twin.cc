// SPDX-License-Identifier: Apache-2.0
//
// Method. Between two instants at which a front's tokens are there, or its deadline has come,
// nothing changes but the levels. So advance() goes from one such instant to the next, up to now,
// and what comes in at `now` finds everything before it decided.
#include "engine/shadow_twin.h"

#include <algorithm>

#include "weir/check.h"

#include "engine/prediction.h"

namespace weir {
namespace {

constexpr int kArrivalBits = 60;

}  // namespace

ShadowTwin::ShadowTwin(MonoTime now, const EngineOptions& options, Units rate_per_s)
    : options_(options), limiter_(now, options, rate_per_s), settled_(now) {}

// Priority, then the earliest deadline, then arrival: the order of a lane.
bool ShadowTwin::leaves_later(const Waiting& a, const Waiting& b) {
  const uint64_t priority_a = a.order >> kArrivalBits;
  const uint64_t priority_b = b.order >> kArrivalBits;
  if (priority_a != priority_b) return priority_a > priority_b;
  if (a.deadline != b.deadline) return a.deadline > b.deadline;
  return a.order > b.order;
}

void ShadowTwin::set_rate(MonoTime now, Units rate_per_s) {
  limiter_.set_rate(now, rate_per_s);
  next_change_ = std::min(next_change_, now);  // what the fronts were told is of the old rate
}

double ShadowTwin::expected_rate(MonoTime now, Lane lane) const {
  std::array<double, kLanes> granted{};
  for (Lane one : kAllLanes)
    granted[index(one)] = lines_[index(one)].granted.per_second(now);
  return lane_rate_per_s(options_, limiter_.ceiling_per_s().as_double(), lane, granted);
}

WallTime ShadowTwin::in_turn(Now now, const Message& message) const {
  DeadlineProfile::Question question;
  question.priority = message.priority;
  question.deadline = message.deadline;
  question.cost = message.cost;
  question.from = now.wall;
  question.at_once = limiter_.headroom(now.mono, message.lane);
  question.rate_per_s = expected_rate(now.mono, message.lane);
  question.counted.set();
  return lines_[index(message.lane)].profile.turn_of(question);
}

// As Engine::State::turn_away().
bool ShadowTwin::admits(Now now, const Message& message, size_t batches, Policy policy) {
  Line& own = line(message.lane);
  const LaneOptions& bounds = options_.lanes[index(message.lane)];
  const auto rows = static_cast<int64_t>(own.heap.size() + batches);
  const bool full = rows > bounds.max_rows || own.units + message.cost > bounds.max_units;
  const Units missing = own.units + message.cost - limiter_.headroom(now.mono, message.lane);
  bool late =
      now.wall + time_to_flow(missing, expected_rate(now.mono, message.lane)) > message.deadline;
  if (late && policy == Policy::kBuffer) late = in_turn(now, message) > message.deadline;
  if (full || late) own.counts.refused += message.cost;
  return !full && !late;
}

void ShadowTwin::enter(MonoTime now, Lane lane, Units cost, WallTime deadline, uint8_t priority) {
  Line& own = line(lane);
  const LaneOptions& bounds = options_.lanes[index(lane)];
  if (static_cast<int64_t>(own.heap.size()) >= bounds.max_rows) {
    own.counts.refused += cost;
    return;
  }
  own.heap.push_back({cost, now, deadline, (uint64_t{priority} << kArrivalBits) | arrivals_++});
  std::push_heap(own.heap.begin(), own.heap.end(), leaves_later);
  own.units += cost;
  own.profile.add({priority, deadline, ClassId{}}, cost);
  next_change_ = std::min(next_change_, now);
}

void ShadowTwin::leave(Now at, Line& own, bool granted) {
  const Waiting& front = own.heap.front();
  const Duration waited = std::max(Duration(), at.mono - front.arrived);
  if (!granted) {
    own.counts.shed += front.cost;
  } else if (waited == Duration()) {
    own.counts.passed += front.cost;
  } else {
    own.counts.waited += front.cost;
    own.waits.add(waited.ns() / 1'000, front.cost.micro());
  }
  if (granted) own.granted.add(at.mono, front.cost);
  own.units -= front.cost;
  const auto priority = static_cast<uint8_t>(front.order >> kArrivalBits);
  own.profile.remove({priority, front.deadline, ClassId{}}, front.cost);
  std::pop_heap(own.heap.begin(), own.heap.end(), leaves_later);
  own.heap.pop_back();
}

uint32_t ShadowTwin::turn(Now at, uint32_t most) {
  uint32_t done = 0;
  next_change_ = MonoTime::never();
  for (Lane lane : kAllLanes) {
    Line& own = line(lane);
    while (!own.heap.empty()) {
      if (done == most) {
        next_change_ = at.mono;
        return done;
      }
      const Waiting& front = own.heap.front();
      const bool expired = front.deadline <= at.wall;
      const auto decision =
          expired ? Limiter::Decision() : limiter_.acquire(at.mono, lane, front.cost);
      if (!expired && decision.verdict == TokenBucket::Verdict::kWait) {
        const MonoTime late = at.mono + (front.deadline - at.wall);
        next_change_ = std::min({next_change_, decision.retry_at(), late});
        // As in dispatch.cc: nobody below takes what an upper front waits for.
        if (decision.by_account) return done;
        break;
      }
      leave(at, own, decision.verdict == TokenBucket::Verdict::kGranted);
      done += 1;
    }
  }
  return done;
}

uint32_t ShadowTwin::advance(Now now, uint32_t most) {
  uint32_t done = 0;
  while (done < most && next_change_ <= now.mono) {
    const MonoTime at = std::max(settled_, next_change_);
    settled_ = at;
    done += turn({at, now.wall + (at - now.mono)}, most - done);
  }
  return done;
}

ShadowView ShadowTwin::view(Lane lane) const {
  const Line& own = lines_[index(lane)];
  ShadowView view = own.counts;
  view.in_line = own.units;
  view.wait_p50 = Duration::nanos(own.waits.percentile(0.5) * 1'000);
  view.wait_p99 = Duration::nanos(own.waits.percentile(0.99) * 1'000);
  return view;
}

}  // namespace weir
