// SPDX-License-Identifier: Apache-2.0
//
// Options with a guard on the class otp, which the defaults have not.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tests/support/world.h"

namespace weir::test {

// Nothing but the cooldown: each test sets the bound that it is about.
inline GuardOptions wide_guard() {
  GuardOptions guard;
  guard.max_per_recipient_per_hour = 0;
  guard.max_per_prefix_per_hour = 0;
  return guard;
}

inline EngineOptions guarded_options(GuardOptions guard) {
  EngineOptions options = test_options();
  options.classes.front().guard = std::move(guard);
  return options;
}

inline Submission otp(uint64_t number, size_t recipients = 1, std::string key = "") {
  Submission one = submission("otp", number, recipients);
  one.key = std::move(key);
  return one;
}

// The refusal of a message that comes now; null: it is accepted.
inline const Refusal* refusal_of(World& world, Submission one) {
  const RequestId request = world.submit(std::move(one));
  world.run_for(world.commit_time);
  return world.refused(request);
}

// Nothing: it is accepted.
inline std::optional<RefusalCode> refusal_code(World& world, Submission one) {
  const Refusal* no = refusal_of(world, std::move(one));
  return no == nullptr ? std::nullopt : std::optional(no->code);
}

}  // namespace weir::test
