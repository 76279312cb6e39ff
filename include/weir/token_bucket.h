// SPDX-License-Identifier: Apache-2.0
//
// TokenBucket: a lock-free, weighted token bucket with reserves, usable on its own.
//
// State. One 64-bit word, `spent`: how much of the supply has been consumed or forfeited. The
// supply line S(t) = s0 + (t - t0) * rate is published beside it in one of 8 slots. The level is
// min(capacity, S(t) - spent). So costs are exact integers, a rate change neither re-prices what is
// banked nor forgives a debt, a retry instant is exact, and a denial writes nothing.
//
// Floors. A caller passes the index of a floor; it can draw the level down to that floor and no
// further. The slice below a floor is a reserve: tokens land at the bottom first, so the reserve
// refills first and only what is above it flows on.
//
// Bound. Net grants over any interval are at most capacity + the integral of the rate + 1
// micro-unit. Rounding always under-grants.
//
// Threads. acquire, peek, refund and level may be called from any thread. set_spec may too; one
// writer at a time gets through (a flag that only writers see). Callers bring their own `now`; a
// clock that is behind another caller's can only be refused, never grant twice.
//
// Processes. The object holds no pointer and its atomics are lock-free, so it may stand in memory
// that processes share. A process that is killed anywhere in acquire or refund leaves nothing
// behind. One that is killed while it publishes leaves the old line in force and the flag set; the
// next owner of the rate calls adopt() first.
//
// Limits. Between two publications the supply may grow by 2^62 micro-units before acquire
// re-publishes by itself, so decades of idling do not overflow. Rates from 1 micro-unit/s to
// 1e9 units/s.
//
// Sources: RFC 2697 (overflow of a full committed bucket), with one word and floors instead of two
// buckets: the sum is bounded by construction.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "weir/check.h"
#include "weir/time.h"
#include "weir/units.h"

namespace weir {

inline constexpr size_t kMaxFloors = 4;

struct BucketSpec {
  Units rate_per_s;                        // > 0
  Units capacity;                          // > 0, at most 9e9 units
  std::array<Units, kMaxFloors> floors{};  // each in [0, capacity)
};

class TokenBucket {
 public:
  enum class Verdict : uint8_t {
    kGranted,
    kWait,         // not now; retry_at() is the first instant at which the same call can succeed
    kNeverFits,    // the cost is above capacity - floor: no wait will help
    kInvalidCost,  // zero or negative
  };
  // The instant is worked out only when somebody asks for it: it needs a division of 128 bits,
  // which costs more than the denial.
  class Decision {
   public:
    Verdict verdict = Verdict::kInvalidCost;
    MonoTime retry_at() const;  // for kWait

   private:
    friend class TokenBucket;
    int64_t missing_ = 0;  // the supply, from the line's beginning on, that has to have flowed
    uint64_t mult_ = 1;
    int64_t t0_ns_ = 0;
  };

  // Starts at `level` (clamped to [0, capacity]). Start empty unless a level was kept.
  TokenBucket(MonoTime now, const BucketSpec& spec, Units level);
  TokenBucket(const TokenBucket&) = delete;
  TokenBucket& operator=(const TokenBucket&) = delete;

  Decision acquire(MonoTime now, Units cost, size_t floor = 0);
  // What acquire would answer; takes nothing.
  Decision peek(MonoTime now, Units cost, size_t floor = 0) const;
  // Gives back what a grant took, when nothing was submitted for certain. What does not fit under
  // the capacity is lost. The caller sees to it that a grant is refunded at most once.
  void refund(Units cost);
  // At most capacity; negative while in debt.
  Units level(MonoTime now) const;
  // From `now` on. The level stays what it was, clamped to the new capacity.
  void set_spec(MonoTime now, const BucketSpec& spec);
  BucketSpec spec() const;
  // Takes over from a writer that is known to be dead.
  void adopt() { writing_.clear(std::memory_order_release); }

 private:
  // All counters wrap; they are compared by signed difference.
  struct Line {
    int64_t t0_ns = 0;
    uint64_t s0 = 0;
    uint64_t mult = 0;  // micro-units per ns, 40 fraction bits
    int64_t capacity = 0;
    int64_t floor = 0;  // the one that was asked for
  };
  struct alignas(128) Slot {
    std::atomic<int64_t> t0_ns{0};
    std::atomic<uint64_t> s0{0};
    std::atomic<uint64_t> mult{0};
    std::atomic<int64_t> rate_micro{0};
    std::atomic<int64_t> capacity{0};
    std::array<std::atomic<int64_t>, kMaxFloors> floors{};
  };
  static constexpr uint64_t kSlots = 8;
  static constexpr int kFraction = 40;

  Line load(size_t floor) const;
  void publish(const Line& line, const BucketSpec& spec);
  // Re-bases the line at `now`; `spec` null keeps the present one. False: another writer was in.
  bool rebase(MonoTime now, const BucketSpec* spec);
  // S(now) - s0, up to decades of it.
  __extension__ typedef unsigned __int128 Wide;
  static Wide grown(const Line& line, MonoTime now);
  // What stands to be decided, relative to s0.
  // In 64 bits where the supply is known to fit, because acquire's speed hangs on it.
  template <typename Int>
  struct Trial;
  template <typename Int>
  static Trial<Int> try_on(const Line& line, Int supply, uint64_t spent, Units cost);

  // The word stands alone on its lines: neighbours would be pulled over with it (128, because
  // adjacent lines are prefetched in pairs).
  alignas(128) std::atomic<uint64_t> spent_{0};
  alignas(128) std::atomic<uint64_t> published_{0};  // slot = published_ % kSlots
  std::atomic_flag writing_ = ATOMIC_FLAG_INIT;
  std::array<Slot, kSlots> slots_;

  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  static_assert(std::atomic<int64_t>::is_always_lock_free);
};

}  // namespace weir
