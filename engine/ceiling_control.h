// SPDX-License-Identifier: Apache-2.0
//
// CeilingControl: finds the rate that a gateway account takes, by additive increase and
// multiplicative decrease (AIMD), between a floor and a cap.
//
// Down. Only an explicit throttle cuts, and only the first of an epoch: a throttled call that left
// before the last cut speaks of the rate before it (as a loss within a recovery period, RFC 6582).
// The cut is taken from the smaller of the rate and of what was really sent (RFC 5681 cuts from the
// flight, not from the window), so a rate that has drifted above its use is brought back at once.
//
// Up. Once a second, by a step in proportion to the rate so that minutes suffice from any floor;
// only when waiting for tokens filled at least half of that second (RFC 7661: an idle sender proves
// nothing), no call was throttled in it, and the hold after the last cut is over. Never above twice
// of what was really sent. While nothing is known of the account (no remembered rate, no cut yet)
// it doubles instead: slow start.
//
// Called by the engine on its thread; it reads no clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "weir/ceiling.h"
#include "weir/options.h"

namespace weir {

class CeilingControl {
 public:
  static constexpr Duration kTick = Duration::seconds(1);

  // `earlier_cuts`: set if `rate` is one that an earlier run had found, not only the configured
  // one.
  CeilingControl(MonoTime now, const CeilingOptions& options, Units rate,
                 std::optional<uint32_t> earlier_cuts = std::nullopt);

  Units rate_per_s() const { return rate_; }
  uint32_t epoch() const { return epoch_; }

  // The gateway said "too fast" to a call that left at `sent_at`.
  std::optional<RateChange> throttled(Now now, MonoTime sent_at, Units measured_per_s);
  // The gateway answered, whatever it said: how long that took bounds how soon a cut can be seen.
  void answered(Duration took);
  // At next_tick() or later. `bound`: for how much of the time since the last tick somebody waited
  // for the account's tokens.
  std::optional<RateChange> tick(Now now, Duration bound, Units measured_per_s);
  MonoTime next_tick() const { return last_tick_ + kTick; }

 private:
  RateChange change_to(Now now, Units rate, RateCause cause, Units measured_per_s);
  Duration hold() const;

  static constexpr size_t kAnswers = 64;

  CeilingOptions options_;
  Units rate_;
  bool slow_start_;
  uint32_t epoch_ = 0;
  std::optional<MonoTime> last_cut_;
  bool throttled_in_tick_ = false;
  MonoTime last_tick_;
  std::array<Duration, kAnswers> took_{};
  size_t answers_ = 0;
};

}  // namespace weir
