// SPDX-License-Identifier: Apache-2.0
#include "weir/options.h"

#include <algorithm>
#include <set>

#include "engine/limiter.h"
#include "engine/number_text.h"

namespace weir {
namespace {

std::string lane_text(Lane lane) {
  return "lanes." + std::string(name(lane));
}

Status check_shares(const EngineOptions& options) {
  double reserved = 0;
  for (Lane lane : kAllLanes) {
    const LaneOptions& own = options.lanes[index(lane)];
    if (own.reserve < 0 || own.reserve > 1) {
      return Error{lane_text(lane) + ".reserve is " + number_text(own.reserve) +
                   "; it is a share of the ceiling, from 0 to 1"};
    }
    if (own.limit <= 0 || own.limit > 1 || own.limit < own.reserve) {
      return Error{lane_text(lane) + ".limit is " + number_text(own.limit) +
                   "; it is a share of the ceiling above 0, at most 1, and not below the reserve"};
    }
    reserved += own.reserve;
  }
  if (reserved > 1 + 1e-9) {
    return Error{"the lanes' reserves add up to " + number_text(reserved) +
                 " of the ceiling; lower one so that they are at most 1"};
  }
  return Done{};
}

Status check_control(const CeilingOptions& ceiling) {
  if (ceiling.control == Control::kManual) return Done{};
  if (ceiling.floor_per_s <= Units() || ceiling.floor_per_s > ceiling.rate_per_s) {
    return Error{"ceiling.floor_units_per_s must be above 0 and not above rate_units_per_s (" +
                 number_text(ceiling.rate_per_s.as_double()) + "); aimd never goes below it"};
  }
  if (ceiling.cap_per_s < ceiling.rate_per_s || ceiling.cap_per_s > Units::of(1'000'000)) {
    return Error{"ceiling.cap_units_per_s must not be below rate_units_per_s (" +
                 number_text(ceiling.rate_per_s.as_double()) +
                 ") and at most 1000000; aimd never goes above it"};
  }
  if (!(ceiling.cut >= 0.5 && ceiling.cut <= 0.95)) {
    return Error{"ceiling.cut is " + number_text(ceiling.cut) + "; it must be from 0.5 to 0.95"};
  }
  if (!(ceiling.step > 0 && ceiling.step <= 0.5) || ceiling.step_least_per_s <= Units()) {
    return Error{"ceiling.step is " + number_text(ceiling.step) +
                 "; it must be above 0 and at most 0.5, and step_least_units_per_s above 0"};
  }
  return Done{};
}

Status check_ceiling(const EngineOptions& options) {
  const CeilingOptions& ceiling = options.ceiling;
  if (ceiling.rate_per_s <= Units() || ceiling.rate_per_s > Units::of(1'000'000)) {
    return Error{"ceiling.rate_units_per_s must be above 0 and at most 1000000"};
  }
  if (ceiling.capacity < Duration::millis(100) || ceiling.capacity > Duration::seconds(3600)) {
    return Error{"ceiling.capacity must be from 100ms to 1h of refill"};
  }
  return check_control(ceiling);
}

// The dearest thing that admission lets in is one recipient at max_segments.
Status check_fits(const EngineOptions& options) {
  for (Lane lane : kAllLanes) {
    if (batch_limit(options, lane, options.max_segments) > 0) continue;
    const Units need = options.weight * options.max_segments;
    const std::string at_floor = options.ceiling.control == Control::kAimd
                                     ? " at ceiling.floor_units_per_s (" +
                                           number_text(options.ceiling.floor_per_s.as_double()) +
                                           "); raise that, or"
                                     : ";";
    return Error{"one recipient at limits.max_segments (" + std::to_string(options.max_segments) +
                 ") costs " + number_text(need.as_double()) + " units, but " + lane_text(lane) +
                 " can never hold them" + at_floor + " raise ceiling.capacity or " +
                 lane_text(lane) +
                 ".limit, lower the reserves above it, or lower limits.max_segments"};
  }
  return Done{};
}

Status check_bounds(const EngineOptions& options) {
  for (Lane lane : kAllLanes) {
    const LaneOptions& own = options.lanes[index(lane)];
    if (own.slots == 0) return Error{lane_text(lane) + ".slots must be at least 1"};
    if (own.max_rows <= 0 || own.max_units <= Units()) {
      return Error{lane_text(lane) + ".max_rows and max_units must be above 0"};
    }
    if (!(own.slow_at > 0 && own.slow_at < own.pause_at && own.pause_at <= 1)) {
      return Error{lane_text(lane) + ".slow_at must be above 0 and below pause_at (at most 1)"};
    }
  }
  if (options.batch_max == 0 || options.max_recipients == 0 || options.max_segments == 0) {
    return Error{"batch.max_recipients, limits.max_recipients and max_segments must be at least 1"};
  }
  if (options.weight <= Units()) return Error{"the profile's weight must be above 0"};
  return Done{};
}

Status check_guard(const std::string& where, const GuardOptions& guard) {
  if (guard.resend_cooldown < Duration() || guard.resend_cooldown > Duration::seconds(3600)) {
    return Error{where + ".resend_cooldown must be from 0s to 1h"};
  }
  if (guard.max_per_hour == 0 || guard.max_per_hour > 1'000'000) {
    return Error{where + ".max_per_hour must be from 1 to 1000000"};
  }
  if (guard.prefix_digits == 0 || guard.prefix_digits > 15) {
    return Error{where + ".prefix_digits must be from 1 to 15"};
  }
  for (const std::string& prefix : guard.allowed_prefixes) {
    if (prefix.empty() || prefix.size() > 15 || prefix.front() == '0' ||
        prefix.find_first_not_of("0123456789") != std::string::npos) {
      return Error{where + ".allowed_prefixes must be a plus and 1 to 15 digits each, like +91"};
    }
  }
  return Done{};
}

Status check_classes(const EngineOptions& options) {
  if (options.classes.empty() || options.classes.size() > 255) {
    return Error{"classes must name 1 to 255 classes"};
  }
  std::set<std::string> seen;
  for (const ClassOptions& one : options.classes) {
    if (!seen.insert(one.name).second) return Error{"classes." + one.name + " is there twice"};
    if (one.window && one.window->open_minute == one.window->close_minute) {
      return Error{"classes." + one.name + ".window opens and closes at the same minute"};
    }
    if (one.guard) {
      if (Status guard = check_guard("classes." + one.name + ".guard", *one.guard); !guard) {
        return guard;
      }
    }
    if (one.within <= Duration() || one.within > options.max_deadline) {
      return Error{"classes." + one.name +
                   ": its deadline must be above 0 and at most the longest"};
    }
  }
  return Done{};
}

Status check_buckets(const EngineOptions& options) {
  std::set<std::string> seen;
  for (const BucketOptions& one : options.buckets) {
    const std::string where = "buckets." + one.name;
    if (one.name.empty() || !seen.insert(one.name).second) {
      return Error{where + " is there twice, or has no name"};
    }
    for (const ClassOptions& own : options.classes) {
      if (own.name == one.name) return Error{where + " is the name of a class; take another"};
    }
    if (one.rate_per_s < Units::from_micro(1'000) || one.rate_per_s > Units::of(1'000'000)) {
      return Error{where + ".rate_units_per_s must be from 0.001 to 1000000"};
    }
    if (one.capacity < Duration::millis(100) || one.capacity > Duration::seconds(3600)) {
      return Error{where + ".capacity must be from 100ms to 1h of refill"};
    }
  }
  if (options.max_leases == 0) return Error{"limits.max_leases must be at least 1"};
  if (options.lease_time <= Duration() || options.max_acquire_wait < Duration()) {
    return Error{"limits.lease_time must be above 0, and max_acquire_wait not below"};
  }
  return Done{};
}

Status check_producers(const EngineOptions& options) {
  if (options.producers.size() > 255) return Error{"producers must name at most 255 producers"};
  std::set<std::string> seen;
  for (const ProducerOptions& one : options.producers) {
    const std::string where = "producers." + one.name;
    if (one.name.empty() || !seen.insert(one.name).second) {
      return Error{where + " is there twice, or has no name"};
    }
    if (one.rate_per_s &&
        (*one.rate_per_s < Units::from_micro(1'000) || *one.rate_per_s > Units::of(1'000'000))) {
      return Error{where + ".rate_units_per_s must be from 0.001 to 1000000"};
    }
    if (one.capacity < Duration::millis(100) || one.capacity > Duration::seconds(3600)) {
      return Error{where + ".capacity must be from 100ms to 1h of refill"};
    }
    if (one.max_units && *one.max_units < Units::of(1)) {
      return Error{where + ".max_units must be at least 1"};
    }
  }
  return Done{};
}

}  // namespace

std::vector<ClassOptions> default_classes() {
  using enum DeadlineRule;
  return {
      {"otp", Lane::kOtp, Policy::kShed, kAfter, Duration::seconds(45)},
      {"transaction_alert", Lane::kTransactional, Policy::kBuffer, kAfter, Duration::seconds(600)},
      {"appointment_reminder", Lane::kTransactional, Policy::kBuffer, kEvent,
       Duration::seconds(31 * 86'400)},
      {"delivery_update", Lane::kTransactional, Policy::kBuffer, kAfter, Duration::seconds(21'600)},
      {"promotional", Lane::kPromotional, Policy::kBuffer, kAfter, Duration::seconds(86'400),
       SendingWindow{10 * 60, 21 * 60, AtClose::kShed, "Asia/Kolkata"}},
      {"whatsapp_session", Lane::kTransactional, Policy::kBuffer, kSessionExpires,
       Duration::seconds(86'400)},
  };
}

Status check_options(const EngineOptions& options) {
  for (auto check : {check_ceiling, check_shares, check_bounds, check_classes, check_fits,
                     check_buckets, check_producers}) {
    if (Status status = check(options); !status) return status;
  }
  return Done{};
}

bool may_send(const EngineOptions& options, ProducerId producer, ClassId class_id) {
  return producer == kNoProducer ||
         options.producers[index(producer)].classes.test(index(class_id));
}

uint32_t batch_limit(const EngineOptions& options, Lane lane, uint32_t segments) {
  const Units lowest = options.ceiling.lowest_per_s();
  const BucketSpec account = account_spec(options, lowest);
  const Units most = std::min(account.capacity - account.floors[index(lane)],
                              lane_spec(options, lane, lowest).capacity);
  const Units each = options.weight * segments;
  if (each <= Units()) return options.batch_max;
  const int64_t fit = std::max<int64_t>(0, most.micro() / each.micro());
  return static_cast<uint32_t>(std::min<int64_t>(options.batch_max, fit));
}

}  // namespace weir
