// SPDX-License-Identifier: Apache-2.0
//
// Method. Everything is relative to the published line: d = S(now) - s0 (128 bits, so that decades
// cannot overflow it) and z = spent - s0 (a signed difference of wrapping counters). The level is
// d - max(z, d - capacity). A grant moves `spent` forward by compare-and-swap; the decision is a
// pure function of the value of `spent`, not of its history, so a value that came back in between
// (ABA) is harmless, and the word needs no ordering with anything else: relaxed throughout.
#include "weir/token_bucket.h"

#include <algorithm>

namespace weir {
namespace {

__extension__ typedef __int128 Signed;

// Above this much unobserved supply acquire re-publishes; far below the 2^63 where a signed
// difference would turn over.
constexpr int kRebaseBits = 62;

uint64_t multiplier(int64_t rate_micro) {
  // Truncated, so rounding under-grants: 9e-12 of the rate at 100 units/s.
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<uint64_t>((static_cast<Wide>(rate_micro) << 40) / 1'000'000'000);
}

Signed from_base(uint64_t counter, uint64_t base) {
  return static_cast<int64_t>(counter - base);
}

}  // namespace

TokenBucket::TokenBucket(MonoTime now, const BucketSpec& spec, Units level) {
  WEIR_CHECK(spec.rate_per_s > Units() && spec.capacity > Units());
  Line line;
  line.t0_ns = now.ns();
  line.rate_micro = spec.rate_per_s.micro();
  line.mult = multiplier(line.rate_micro);
  line.capacity = spec.capacity.micro();
  for (size_t i = 0; i < kMaxFloors; ++i)
    line.floors[i] = spec.floors[i].micro();
  const int64_t kept = std::clamp<int64_t>(level.micro(), 0, line.capacity);
  spent_.store(line.s0 - static_cast<uint64_t>(kept), std::memory_order_relaxed);
  publish(line);
}

TokenBucket::Line TokenBucket::load() const {
  for (;;) {
    const uint64_t index = published_.load(std::memory_order_acquire);
    const Slot& slot = slots_[index % kSlots];
    Line line;
    line.t0_ns = slot.t0_ns.load(std::memory_order_acquire);
    line.s0 = slot.s0.load(std::memory_order_acquire);
    line.mult = slot.mult.load(std::memory_order_acquire);
    line.rate_micro = slot.rate_micro.load(std::memory_order_acquire);
    line.capacity = slot.capacity.load(std::memory_order_acquire);
    for (size_t i = 0; i < kMaxFloors; ++i) {
      line.floors[i] = slot.floors[i].load(std::memory_order_acquire);
    }
    // A writer touches this slot again only after 7 more publications.
    if (published_.load(std::memory_order_relaxed) - index < kSlots - 1) return line;
  }
}

void TokenBucket::publish(const Line& line) {
  const uint64_t next = published_.load(std::memory_order_relaxed) + 1;
  Slot& slot = slots_[next % kSlots];
  slot.t0_ns.store(line.t0_ns, std::memory_order_release);
  slot.s0.store(line.s0, std::memory_order_release);
  slot.mult.store(line.mult, std::memory_order_release);
  slot.rate_micro.store(line.rate_micro, std::memory_order_release);
  slot.capacity.store(line.capacity, std::memory_order_release);
  for (size_t i = 0; i < kMaxFloors; ++i) {
    slot.floors[i].store(line.floors[i], std::memory_order_release);
  }
  published_.store(next, std::memory_order_release);
}

TokenBucket::Wide TokenBucket::grown(const Line& line, MonoTime now) {
  const int64_t elapsed = now.ns() - line.t0_ns;
  if (elapsed <= 0) return 0;
  return (static_cast<Wide>(elapsed) * line.mult) >> kFraction;
}

TokenBucket::Judged TokenBucket::judge(const Line& line, MonoTime now, uint64_t spent, Units cost,
                                       size_t floor) {
  const int64_t wanted = cost.micro();
  if (wanted <= 0) return {{Verdict::kInvalidCost, {}}, 0};
  const int64_t kept = line.floors[floor];
  if (wanted > line.capacity - kept) return {{Verdict::kNeverFits, {}}, 0};

  const Signed supply = static_cast<Signed>(grown(line, now));
  const Signed base = std::max(from_base(spent, line.s0), supply - line.capacity);
  const Signed target = base + wanted;
  if (supply - kept >= target) {
    return {{Verdict::kGranted, {}}, line.s0 + static_cast<uint64_t>(target)};
  }
  // The first ns at which S reaches target + kept; exact, because S is a floor of the same product.
  const Wide missing = static_cast<Wide>(target + kept) << kFraction;
  const Wide wait_ns = (missing + line.mult - 1) / line.mult;
  const Signed at = static_cast<Signed>(wait_ns) + line.t0_ns;
  const auto never = MonoTime::never();
  return {{Verdict::kWait, at >= never.ns() ? never : MonoTime::from_ns(static_cast<int64_t>(at))},
          0};
}

TokenBucket::Decision TokenBucket::acquire(MonoTime now, Units cost, size_t floor) {
  WEIR_CHECK(floor < kMaxFloors);
  for (;;) {
    const Line line = load();
    if (grown(line, now) >> kRebaseBits != 0) {
      rebase(now, nullptr);
      continue;
    }
    uint64_t spent = spent_.load(std::memory_order_relaxed);
    for (;;) {
      const Judged judged = judge(line, now, spent, cost, floor);
      if (judged.decision.verdict != Verdict::kGranted) return judged.decision;
      if (spent_.compare_exchange_weak(spent, judged.next, std::memory_order_relaxed)) {
        return judged.decision;
      }
    }
  }
}

TokenBucket::Decision TokenBucket::peek(MonoTime now, Units cost, size_t floor) const {
  WEIR_CHECK(floor < kMaxFloors);
  return judge(load(), now, spent_.load(std::memory_order_relaxed), cost, floor).decision;
}

void TokenBucket::refund(Units cost) {
  WEIR_CHECK(cost >= Units());
  spent_.fetch_sub(static_cast<uint64_t>(cost.micro()), std::memory_order_relaxed);
}

Units TokenBucket::level(MonoTime now) const {
  const Line line = load();
  const Signed supply = static_cast<Signed>(grown(line, now));
  const Signed spent = from_base(spent_.load(std::memory_order_relaxed), line.s0);
  return Units::from_micro(static_cast<int64_t>(supply - std::max(spent, supply - line.capacity)));
}

bool TokenBucket::rebase(MonoTime now, const BucketSpec* spec) {
  if (writing_.test_and_set(std::memory_order_acquire)) return false;
  Line line = load();
  const Signed supply = static_cast<Signed>(grown(line, now));
  const int64_t capacity = spec == nullptr ? line.capacity : spec->capacity.micro();
  // What is above the smaller of the two capacities is forfeited now, or a capacity that goes down
  // and up again would bring it back.
  const Signed lowest = supply - std::min(line.capacity, capacity);
  uint64_t spent = spent_.load(std::memory_order_relaxed);
  while (from_base(spent, line.s0) < lowest &&
         !spent_.compare_exchange_weak(spent, line.s0 + static_cast<uint64_t>(lowest),
                                       std::memory_order_relaxed)) {
  }
  line.s0 += static_cast<uint64_t>(supply);
  line.t0_ns = std::max(line.t0_ns, now.ns());
  if (spec != nullptr) {
    line.rate_micro = spec->rate_per_s.micro();
    line.mult = multiplier(line.rate_micro);
    line.capacity = capacity;
    for (size_t i = 0; i < kMaxFloors; ++i)
      line.floors[i] = spec->floors[i].micro();
  }
  publish(line);
  writing_.clear(std::memory_order_release);
  return true;
}

void TokenBucket::set_spec(MonoTime now, const BucketSpec& spec) {
  WEIR_CHECK(spec.rate_per_s > Units() && spec.capacity > Units());
  while (!rebase(now, &spec)) {
  }
}

BucketSpec TokenBucket::spec() const {
  const Line line = load();
  BucketSpec spec;
  spec.rate_per_s = Units::from_micro(line.rate_micro);
  spec.capacity = Units::from_micro(line.capacity);
  for (size_t i = 0; i < kMaxFloors; ++i)
    spec.floors[i] = Units::from_micro(line.floors[i]);
  return spec;
}

}  // namespace weir
