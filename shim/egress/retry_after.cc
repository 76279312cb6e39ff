// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace weir {
namespace {

constexpr int64_t kMaxSeconds = 999'999'999;
constexpr size_t kMaxDigits = 9;

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<int64_t> digits(std::string_view text) {
  if (text.empty() || text.size() > kMaxDigits) return std::nullopt;
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return std::nullopt;
  }
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

template <size_t N>
std::optional<unsigned> place_of(std::string_view word, const std::array<std::string_view, N>& in) {
  const auto found = std::find(in.begin(), in.end(), word);
  if (found == in.end()) return std::nullopt;
  return static_cast<unsigned>(found - in.begin());
}

std::optional<int64_t> time_of_day(std::string_view text) {  // 08:49:37
  if (text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto hour = digits(text.substr(0, 2));
  const auto minute = digits(text.substr(3, 2));
  const auto second = digits(text.substr(6, 2));
  if (!hour || !minute || !second) return std::nullopt;
  if (*hour > 23 || *minute > 59 || *second > 60) return std::nullopt;  // 60: a leap second
  return *hour * 3600 + *minute * 60 + *second;
}

// Sun, 06 Nov 1994 08:49:37 GMT
std::optional<int64_t> unix_seconds(std::string_view text) {
  constexpr std::array<std::string_view, 7> kDays = {"Mon", "Tue", "Wed", "Thu",
                                                     "Fri", "Sat", "Sun"};
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  constexpr std::string_view kPattern = "www, dd mmm yyyy hh:mm:ss GMT";
  if (text.size() != kPattern.size() || !text.ends_with("GMT")) return std::nullopt;
  for (size_t i = 0; i < kPattern.size(); ++i) {
    const bool fixed = kPattern[i] == ' ' || kPattern[i] == ',';
    if (fixed && kPattern[i] != text[i]) return std::nullopt;
  }
  const auto month = place_of(text.substr(8, 3), kMonths);
  const auto day = digits(text.substr(5, 2));
  const auto year = digits(text.substr(12, 4));
  const auto seconds = time_of_day(text.substr(17, 8));
  if (!place_of(text.substr(0, 3), kDays) || !month || !day || !year || !seconds) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(*year)},
                                         std::chrono::month{*month + 1},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch().count() * int64_t{86'400} + *seconds;
}

}  // namespace

std::optional<Duration> parse_retry_after(std::string_view value, std::string_view date) {
  const std::string_view asked = trimmed(value);
  if (const auto seconds = digits(asked)) return Duration::seconds(*seconds);
  const auto until = unix_seconds(asked);
  const auto now = unix_seconds(trimmed(date));
  if (!until || !now) return std::nullopt;
  return Duration::seconds(std::clamp<int64_t>(*until - *now, 0, kMaxSeconds));
}

}  // namespace weir
