// SPDX-License-Identifier: Apache-2.0
#include "shim/config/guard_yaml.h"

#include <optional>
#include <string>

namespace weir {
namespace {

constexpr Duration kHour = Duration::seconds(3600);
constexpr size_t kMostPrefixes = 300;  // more than there are country codes
constexpr size_t kMostDigits = 15;     // of E.164

// "+91" as "91".
void read_prefix(const YamlValue& value, std::vector<std::string>& out) {
  const std::optional<std::string> text = value.text(64);
  if (!text) return;
  const std::string digits = text->starts_with('+') ? text->substr(1) : "";
  if (digits.empty() || digits.size() > kMostDigits || digits.front() == '0' ||
      digits.find_first_not_of("0123456789") != std::string::npos) {
    value.fault("write a plus and the digits with which a number begins, like \"+91\"");
    return;
  }
  out.push_back(digits);
}

}  // namespace

void read_guard(YamlMap& map, GuardOptions& guard) {
  map.duration("resend_cooldown", guard.resend_cooldown, {Duration(), kHour});
  map.integer("max_per_recipient_per_hour", guard.max_per_recipient_per_hour, {0, 1'000'000});
  map.integer("max_per_prefix_per_hour", guard.max_per_prefix_per_hour, {0, 1'000'000});
  map.integer("prefix_digits", guard.prefix_digits, {1, kMostDigits});
  map.integer("max_per_hour", guard.max_per_hour, {1, 1'000'000});
  const std::optional<YamlValue> prefixes = map.find("allowed_prefixes");
  if (!prefixes) return;
  prefixes->each([&](const YamlValue& one) { read_prefix(one, guard.allowed_prefixes); });
  if (guard.allowed_prefixes.size() > kMostPrefixes) {
    prefixes->fault("names too many; at most " + std::to_string(kMostPrefixes));
  }
}

}  // namespace weir
