// SPDX-License-Identifier: Apache-2.0
//
// Two clocks that do not convert into each other.
//
// MonoTime: nanoseconds of a clock that only goes forward. Pacing, backoff, timers.
// WallTime: milliseconds of Unix time, which a person or NTP may step. Deadlines, sending windows
//           and everything on disk, because those are promises to people and outlive a boot.
//
// Now holds both, read once a turn of the loop by its owner and passed down as the first argument.
// Nothing below the loop reads a clock, so a turn sees one instant and a test can be any instant.
#pragma once

#include <compare>
#include <cstdint>

namespace weir {

class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration nanos(int64_t n) { return Duration(n); }
  static constexpr Duration millis(int64_t n) { return Duration(n * 1'000'000); }
  static constexpr Duration seconds(int64_t n) { return Duration(n * 1'000'000'000); }

  constexpr int64_t ns() const { return ns_; }
  // Rounded down; for "wait at least this long" use ms_ceil.
  constexpr int64_t ms() const { return ns_ / 1'000'000; }
  constexpr int64_t ms_ceil() const { return (ns_ + 999'999) / 1'000'000; }
  constexpr double as_seconds() const { return static_cast<double>(ns_) / 1e9; }

  friend constexpr Duration operator+(Duration a, Duration b) { return Duration(a.ns_ + b.ns_); }
  friend constexpr Duration operator-(Duration a, Duration b) { return Duration(a.ns_ - b.ns_); }
  friend constexpr Duration operator*(Duration a, int64_t k) { return Duration(a.ns_ * k); }
  friend constexpr auto operator<=>(Duration, Duration) = default;

 private:
  constexpr explicit Duration(int64_t ns) : ns_(ns) {}
  int64_t ns_ = 0;
};

class MonoTime {
 public:
  constexpr MonoTime() = default;
  static constexpr MonoTime from_ns(int64_t ns) { return MonoTime(ns); }
  // Later than every instant that a run can reach: "no wake-up wanted".
  static constexpr MonoTime never() { return MonoTime(INT64_MAX); }

  constexpr int64_t ns() const { return ns_; }

  friend constexpr MonoTime operator+(MonoTime t, Duration d) { return MonoTime(t.ns_ + d.ns()); }
  friend constexpr Duration operator-(MonoTime a, MonoTime b) {
    return Duration::nanos(a.ns_ - b.ns_);
  }
  friend constexpr auto operator<=>(MonoTime, MonoTime) = default;

 private:
  constexpr explicit MonoTime(int64_t ns) : ns_(ns) {}
  int64_t ns_ = 0;
};

class WallTime {
 public:
  constexpr WallTime() = default;
  static constexpr WallTime from_unix_ms(int64_t ms) { return WallTime(ms); }

  constexpr int64_t unix_ms() const { return unix_ms_; }

  friend constexpr WallTime operator+(WallTime t, Duration d) {
    return WallTime(t.unix_ms_ + d.ms());
  }
  friend constexpr Duration operator-(WallTime a, WallTime b) {
    return Duration::millis(a.unix_ms_ - b.unix_ms_);
  }
  friend constexpr auto operator<=>(WallTime, WallTime) = default;

 private:
  constexpr explicit WallTime(int64_t ms) : unix_ms_(ms) {}
  int64_t unix_ms_ = 0;
};

struct Now {
  MonoTime mono;
  WallTime wall;
};

}  // namespace weir
