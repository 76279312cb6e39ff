// SPDX-License-Identifier: Apache-2.0
#include "shim/config/quantities.h"

#include <charconv>
#include <limits>
#include <optional>
#include <span>

namespace weir {
namespace {

constexpr const char* kIntegerHelp = "write a whole number without sign or leading zeros, like 200";
constexpr const char* kDurationHelp =
    "write a duration: a whole number and ms, s, m, h or d, like 500ms or 45s";
constexpr const char* kSizeHelp =
    "write a size: a whole number of bytes, or one followed by KiB, MiB or GiB, like 64KiB";
constexpr const char* kShareHelp = "write a share of the whole: 0% to 100%, or 0 to 1, like 0.2";
constexpr const char* kUnitsHelp =
    "write a number without sign, with at most six decimals, like 100 or 0.35";

constexpr const char* kTimeOfDayHelp = "write a time of day from 00:00 to 23:59, like 10:00";

struct Suffix {
  std::string_view text;
  int64_t factor;
};

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<int64_t> whole(std::string_view text) {
  if (!all_digits(text)) return std::nullopt;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> with_suffix(std::string_view text, std::span<const Suffix> suffixes) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<int64_t> count = whole(text.substr(0, digits));
  if (!count) return std::nullopt;
  for (const Suffix& suffix : suffixes) {
    int64_t value = 0;
    if (text.substr(digits) != suffix.text) continue;
    if (__builtin_mul_overflow(*count, suffix.factor, &value)) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

// A decimal number times 10^decimals, exactly; nothing when it has more decimals or overflows.
std::optional<int64_t> scaled(std::string_view text, size_t decimals) {
  const size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  if (!all_digits(digits)) return std::nullopt;
  const std::string_view fraction = point < text.size() ? text.substr(point + 1) : "0";
  if (!all_digits(fraction) || fraction.size() > decimals) return std::nullopt;
  digits.append(fraction).append(decimals - fraction.size(), '0');
  return whole(digits);
}

}  // namespace

Result<int64_t> parse_integer(std::string_view text) {
  const bool leading_zero = text.size() > 1 && text.front() == '0';
  const std::optional<int64_t> value = leading_zero ? std::nullopt : whole(text);
  if (!value) return Error{kIntegerHelp};
  return *value;
}

Result<Duration> parse_duration(std::string_view text) {
  static constexpr Suffix kSuffixes[] = {{"ms", 1'000'000},
                                         {"s", 1'000'000'000},
                                         {"m", 60'000'000'000},
                                         {"h", 3'600'000'000'000},
                                         {"d", 86'400'000'000'000}};
  const std::optional<int64_t> nanos = with_suffix(text, kSuffixes);
  if (!nanos) return Error{kDurationHelp};
  return Duration::nanos(*nanos);
}

Result<uint64_t> parse_size(std::string_view text) {
  static constexpr Suffix kSuffixes[] = {
      {"", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};
  const std::optional<int64_t> bytes = with_suffix(text, kSuffixes);
  if (!bytes) return Error{kSizeHelp};
  return static_cast<uint64_t>(*bytes);
}

Result<double> parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  const std::optional<int64_t> value =
      percent ? scaled(text.substr(0, text.size() - 1), 6) : scaled(text, 8);
  // Both are 1 = 10^8 now. One division of exact numbers, so that 20% is the very double 0.2.
  constexpr int64_t kOne = 100'000'000;
  if (!value || *value > kOne) return Error{kShareHelp};
  return static_cast<double>(*value) / static_cast<double>(kOne);
}

Result<Units> parse_units(std::string_view text) {
  const std::optional<int64_t> micro = scaled(text, 6);
  if (!micro) return Error{kUnitsHelp};
  return Units::from_micro(*micro);
}

std::string format_duration(Duration duration) {
  struct Unit {
    const char* name;
    int64_t ms;
  };
  static constexpr Unit kUnits[] = {
      {"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}};
  const int64_t ms = duration.ms_ceil();
  if (ms == 0) return "0s";
  for (const Unit& unit : kUnits) {
    if (ms % unit.ms == 0) return std::to_string(ms / unit.ms) + unit.name;
  }
  return std::to_string(ms) + "ms";
}

Result<uint16_t> parse_time_of_day(std::string_view text) {
  const bool shaped = text.size() == 5 && text[2] == ':' && all_digits(text.substr(0, 2)) &&
                      all_digits(text.substr(3));
  if (!shaped) return Error{kTimeOfDayHelp};
  const int hour = (text[0] - '0') * 10 + (text[1] - '0');
  const int minute = (text[3] - '0') * 10 + (text[4] - '0');
  if (hour > 23 || minute > 59) return Error{kTimeOfDayHelp};
  return static_cast<uint16_t>(hour * 60 + minute);
}

std::string format_time_of_day(uint16_t minute) {
  const auto two = [](int number) { return std::to_string(100 + number).substr(1); };
  return two(minute / 60) + ":" + two(minute % 60);
}

std::string format_size(uint64_t bytes) {
  static constexpr Suffix kSuffixes[] = {{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}};
  for (const Suffix& suffix : kSuffixes) {
    const auto factor = static_cast<uint64_t>(suffix.factor);
    if (bytes >= factor && bytes % factor == 0) {
      return std::to_string(bytes / factor) + std::string(suffix.text);
    }
  }
  return std::to_string(bytes) + " bytes";
}

std::string format_units(Units units) {
  const int64_t micro = units.micro();
  std::string fraction = std::to_string(micro % Units::kMicro + Units::kMicro).substr(1);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  const std::string integral = std::to_string(micro / Units::kMicro);
  return fraction.empty() ? integral : integral + "." + fraction;
}

}  // namespace weir
