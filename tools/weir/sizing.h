// SPDX-License-Identifier: Apache-2.0
//
// What rate, capacity and OTP reserve the recorded load asks for, and why. Arithmetic only; `weir
// size` gets the record and prints this.
//
// What always holds: a configuration that took the present values takes the proposed ones, too. The
// reserves are at most 100% together, no limit is below its reserve, and every lane can hold one
// recipient at limits.max_segments.
//
// Limits: it knows what was offered, not what the provider takes. Only the provider, or the
// throttles, say that. Where the ceiling moves by itself, its floor and cap are not looked at.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "weir/shadow.h"

namespace weir {

struct SizingWish {
  double factor = 2;        // room above what was seen
  bool per_second = false;  // the provider counts by the second: nothing can be saved up
};

struct Sizing {
  double rate_units_per_s = 0;
  int capacity_s = 0;
  std::array<int, kLanes> reserve_percent{};
  int otp_limit_percent = 0;
  std::string yaml;  // the lines to paste; lanes that stay as they are do not stand there
  std::vector<std::string> reasons;
  std::vector<std::string> warnings;
};

// Nothing when nothing was offered yet.
std::optional<Sizing> size(const ShadowReport& record, const SizingWish& wish);

}  // namespace weir
