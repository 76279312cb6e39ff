// SPDX-License-Identifier: Apache-2.0
#include "engine/ceiling_control.h"

#include <algorithm>

#include "engine/share.h"

namespace weir {

CeilingControl::CeilingControl(MonoTime now, const CeilingOptions& options, Units rate,
                               std::optional<uint32_t> earlier_cuts)
    : options_(options),
      rate_(rate),
      slow_start_(options.slow_start && !earlier_cuts),
      epoch_(earlier_cuts.value_or(0)),
      last_tick_(now) {
  if (options.control == Control::kAimd) {
    rate_ = std::clamp(rate, options.floor_per_s, options.cap_per_s);
  }
}

RateChange CeilingControl::change_to(Now now, Units rate, RateCause cause, Units measured_per_s) {
  const RateChange change{now.wall, rate_, rate, cause, epoch_, measured_per_s};
  rate_ = rate;
  return change;
}

std::optional<RateChange> CeilingControl::throttled(Now now, MonoTime sent_at,
                                                    Units measured_per_s) {
  if (options_.control == Control::kManual) return std::nullopt;
  throttled_in_tick_ = true;
  slow_start_ = false;
  if (last_cut_ && sent_at <= *last_cut_) return std::nullopt;
  last_cut_ = now.mono;
  epoch_ += 1;
  const Units cut = share_of(std::min(rate_, measured_per_s), options_.cut);
  return change_to(now, std::max(options_.floor_per_s, cut), RateCause::kThrottle, measured_per_s);
}

void CeilingControl::answered(Duration took) {
  took_[answers_ % kAnswers] = took;
  answers_ += 1;
}

// Two round trips: until then the answers still speak of the rate before the cut.
Duration CeilingControl::hold() const {
  const size_t known = std::min(answers_, kAnswers);
  if (known == 0) return options_.hold;
  std::array<Duration, kAnswers> sorted = took_;
  const auto p95 = sorted.begin() + static_cast<ptrdiff_t>((known - 1) * 95 / 100);
  std::nth_element(sorted.begin(), p95, sorted.begin() + static_cast<ptrdiff_t>(known));
  return std::max(options_.hold, *p95 * 2);
}

std::optional<RateChange> CeilingControl::tick(Now now, Duration bound, Units measured_per_s) {
  const Duration passed = now.mono - last_tick_;
  last_tick_ = now.mono;
  const bool quiet = !throttled_in_tick_ && (!last_cut_ || now.mono - *last_cut_ >= hold());
  throttled_in_tick_ = false;
  if (options_.control == Control::kManual || !quiet || bound * 2 < passed) return std::nullopt;

  const Units step = std::max(options_.step_least_per_s, share_of(rate_, options_.step));
  const Units wanted = slow_start_ ? rate_ * 2 : rate_ + step;
  const Units next = std::min({wanted, measured_per_s * 2, options_.cap_per_s});
  if (next <= rate_) return std::nullopt;
  return change_to(now, next, slow_start_ ? RateCause::kSlowStart : RateCause::kGrowth,
                   measured_per_s);
}

}  // namespace weir
