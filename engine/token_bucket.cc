// SPDX-License-Identifier: Apache-2.0
//
// Method. Everything is relative to the published line: d = S(now) - s0 (128 bits, so that decades
// cannot overflow it) and z = spent - s0 (a signed difference of wrapping counters). The level is
// d - max(z, d - capacity). A grant moves `spent` forward by compare-and-swap; the decision is a
// pure function of the value of `spent`, not of its history, so a value that came back in between
// (ABA) is harmless, and the word needs no ordering with anything else: relaxed throughout.
#include "weir/token_bucket.h"

#include <algorithm>
#include <cstddef>

namespace weir {
namespace {

__extension__ typedef __int128 Signed;
__extension__ typedef unsigned __int128 Unsigned;

// Above this much unobserved supply acquire re-publishes; far below the 2^63 where a signed
// difference would turn over.
constexpr Unsigned kRebaseAbove = static_cast<Unsigned>(1) << 62;

uint64_t multiplier(int64_t rate_micro) {
  // Truncated, so rounding under-grants: 9e-12 of the rate at 100 units/s.
  return static_cast<uint64_t>((static_cast<Unsigned>(rate_micro) << 40) / 1'000'000'000);
}

int64_t from_base(uint64_t counter, uint64_t base) {
  return static_cast<int64_t>(counter - base);
}

// So that a supply below kRebaseAbove and a cost add up within 63 bits.
constexpr Units kMostCapacity = Units::of(9'000'000'000);

void check(const BucketSpec& spec) {
  WEIR_CHECK(spec.rate_per_s > Units());
  WEIR_CHECK(spec.capacity > Units() && spec.capacity <= kMostCapacity);
}

}  // namespace

template <typename Int>
struct TokenBucket::Trial {
  Int target = 0;  // the word after a grant
  bool granted = false;
};

TokenBucket::TokenBucket(MonoTime now, const BucketSpec& spec, Units level) {
  static_assert(offsetof(TokenBucket, spent_) == 0 && offsetof(TokenBucket, published_) >= 128);
  check(spec);
  Line line;
  line.t0_ns = now.ns();
  const int64_t kept = std::clamp<int64_t>(level.micro(), 0, spec.capacity.micro());
  spent_.store(line.s0 - static_cast<uint64_t>(kept), std::memory_order_relaxed);
  publish(line, spec);
}

TokenBucket::Line TokenBucket::load(size_t floor) const {
  for (;;) {
    const uint64_t index = published_.load(std::memory_order_acquire);
    const Slot& slot = slots_[index % kSlots];
    Line line;
    line.t0_ns = slot.t0_ns.load(std::memory_order_acquire);
    line.s0 = slot.s0.load(std::memory_order_acquire);
    line.mult = slot.mult.load(std::memory_order_acquire);
    line.capacity = slot.capacity.load(std::memory_order_acquire);
    line.floor = slot.floors[floor].load(std::memory_order_acquire);
    // A writer touches this slot again only after 7 more publications.
    if (published_.load(std::memory_order_relaxed) - index < kSlots - 1) return line;
  }
}

void TokenBucket::publish(const Line& line, const BucketSpec& spec) {
  const uint64_t next = published_.load(std::memory_order_relaxed) + 1;
  Slot& slot = slots_[next % kSlots];
  slot.t0_ns.store(line.t0_ns, std::memory_order_release);
  slot.s0.store(line.s0, std::memory_order_release);
  slot.mult.store(multiplier(spec.rate_per_s.micro()), std::memory_order_release);
  slot.rate_micro.store(spec.rate_per_s.micro(), std::memory_order_release);
  slot.capacity.store(spec.capacity.micro(), std::memory_order_release);
  for (size_t i = 0; i < kMaxFloors; ++i) {
    slot.floors[i].store(spec.floors[i].micro(), std::memory_order_release);
  }
  published_.store(next, std::memory_order_release);
}

TokenBucket::Wide TokenBucket::grown(const Line& line, MonoTime now) {
  const int64_t elapsed = now.ns() - line.t0_ns;
  if (elapsed <= 0) return 0;
  return (static_cast<Wide>(elapsed) * line.mult) >> kFraction;
}

template <typename Int>
TokenBucket::Trial<Int> TokenBucket::try_on(const Line& line, Int supply, uint64_t spent,
                                            Units cost) {
  const Int base = std::max<Int>(from_base(spent, line.s0), supply - line.capacity);
  const Int target = base + cost.micro();
  return {target, supply - line.floor >= target};
}

MonoTime TokenBucket::Decision::retry_at() const {
  // The first ns at which S has grown that far; exact, because S is a floor of the same product.
  const Unsigned wait_ns = ((static_cast<Unsigned>(missing_) << kFraction) + mult_ - 1) / mult_;
  const Signed at = static_cast<Signed>(wait_ns) + t0_ns_;
  const MonoTime never = MonoTime::never();
  return at >= never.ns() ? never : MonoTime::from_ns(static_cast<int64_t>(at));
}

TokenBucket::Decision TokenBucket::peek(MonoTime now, Units cost, size_t floor) const {
  WEIR_CHECK(floor < kMaxFloors);
  Decision decision;
  if (cost <= Units()) return decision;
  const Line line = load(floor);
  if (cost.micro() > line.capacity - line.floor) {
    decision.verdict = Verdict::kNeverFits;
    return decision;
  }
  const auto trial = try_on(line, static_cast<Signed>(grown(line, now)),
                            spent_.load(std::memory_order_relaxed), cost);
  decision.verdict = trial.granted ? Verdict::kGranted : Verdict::kWait;
  decision.missing_ = static_cast<int64_t>(trial.target) + line.floor;
  decision.mult_ = line.mult;
  decision.t0_ns_ = line.t0_ns;
  return decision;
}

TokenBucket::Decision TokenBucket::acquire(MonoTime now, Units cost, size_t floor) {
  WEIR_CHECK(floor < kMaxFloors);
  Decision decision;
  if (cost <= Units()) return decision;
  for (;;) {
    const Line line = load(floor);
    if (cost.micro() > line.capacity - line.floor) {
      decision.verdict = Verdict::kNeverFits;
      return decision;
    }
    const Wide flowed = grown(line, now);
    if (flowed > kRebaseAbove) {
      rebase(now, nullptr);
      continue;
    }
    uint64_t spent = spent_.load(std::memory_order_relaxed);
    for (;;) {
      const auto trial = try_on(line, static_cast<int64_t>(flowed), spent, cost);
      if (!trial.granted) {
        decision.verdict = Verdict::kWait;
        decision.missing_ = trial.target + line.floor;
        decision.mult_ = line.mult;
        decision.t0_ns_ = line.t0_ns;
        return decision;
      }
      const uint64_t next = line.s0 + static_cast<uint64_t>(trial.target);
      if (spent_.compare_exchange_weak(spent, next, std::memory_order_relaxed)) {
        decision.verdict = Verdict::kGranted;
        return decision;
      }
    }
  }
}

void TokenBucket::refund(Units cost) {
  WEIR_CHECK(cost >= Units());
  spent_.fetch_sub(static_cast<uint64_t>(cost.micro()), std::memory_order_relaxed);
}

Units TokenBucket::level(MonoTime now) const {
  const Line line = load(0);
  const Signed supply = static_cast<Signed>(grown(line, now));
  const Signed spent = from_base(spent_.load(std::memory_order_relaxed), line.s0);
  return Units::from_micro(static_cast<int64_t>(supply - std::max(spent, supply - line.capacity)));
}

bool TokenBucket::rebase(MonoTime now, const BucketSpec* change) {
  if (writing_.test_and_set(std::memory_order_acquire)) return false;
  Line line = load(0);
  const BucketSpec next = change == nullptr ? spec() : *change;
  const Signed supply = static_cast<Signed>(grown(line, now));
  // What is above the smaller of the two capacities is forfeited now, or a capacity that goes down
  // and up again would bring it back.
  const Signed lowest = supply - std::min(line.capacity, next.capacity.micro());
  uint64_t spent = spent_.load(std::memory_order_relaxed);
  while (from_base(spent, line.s0) < lowest &&
         !spent_.compare_exchange_weak(spent, line.s0 + static_cast<uint64_t>(lowest),
                                       std::memory_order_relaxed)) {
  }
  line.s0 += static_cast<uint64_t>(supply);
  line.t0_ns = std::max(line.t0_ns, now.ns());
  publish(line, next);
  writing_.clear(std::memory_order_release);
  return true;
}

void TokenBucket::set_spec(MonoTime now, const BucketSpec& spec) {
  check(spec);
  while (!rebase(now, &spec)) {
  }
}

BucketSpec TokenBucket::spec() const {
  for (;;) {
    const uint64_t index = published_.load(std::memory_order_acquire);
    const Slot& slot = slots_[index % kSlots];
    BucketSpec spec;
    spec.rate_per_s = Units::from_micro(slot.rate_micro.load(std::memory_order_acquire));
    spec.capacity = Units::from_micro(slot.capacity.load(std::memory_order_acquire));
    for (size_t i = 0; i < kMaxFloors; ++i) {
      spec.floors[i] = Units::from_micro(slot.floors[i].load(std::memory_order_acquire));
    }
    if (published_.load(std::memory_order_relaxed) - index < kSlots - 1) return spec;
  }
}

}  // namespace weir
