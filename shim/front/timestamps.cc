// SPDX-License-Identifier: Apache-2.0

#include "shim/front/timestamps.h"

#include <chrono>
#include <cstdio>
#include <optional>

namespace weir {
namespace {

// The shape is fixed up to the fraction: YYYY-MM-DDTHH:MM:SS
constexpr std::string_view kShape = "0000-00-00T00:00:00";
constexpr int kFirstYear = 1970;
constexpr int kLastYear = 2199;

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool has_shape(std::string_view text) {
  if (text.size() <= kShape.size()) return false;
  for (size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0' ? !is_digit(text[i]) : text[i] != kShape[i]) return false;
  }
  return true;
}

int number_at(std::string_view text, size_t at, size_t digits) {
  int number = 0;
  for (size_t i = at; i < at + digits; ++i)
    number = number * 10 + (text[i] - '0');
  return number;
}

// Takes ".123" off the front, as milliseconds. Nothing: a point without digits, or more than the
// nine digits that any clock gives.
std::optional<int> take_fraction(std::string_view& text) {
  if (text.empty() || text.front() != '.') return 0;
  text.remove_prefix(1);
  int millis = 0;
  size_t digits = 0;
  for (; digits < text.size() && is_digit(text[digits]); ++digits) {
    if (digits < 3) millis = millis * 10 + (text[digits] - '0');
  }
  if (digits == 0 || digits > 9) return std::nullopt;
  text.remove_prefix(digits);
  for (size_t i = digits; i < 3; ++i)
    millis *= 10;
  return millis;
}

Error wrong_shape() {
  return {"is not an RFC 3339 time; write it like 2030-01-31T18:30:00Z"};
}

}  // namespace

Result<WallTime> parse_timestamp(std::string_view text) {
  using namespace std::chrono;
  if (!has_shape(text)) return wrong_shape();
  std::string_view rest = text.substr(kShape.size());
  const std::optional<int> millis = take_fraction(rest);
  if (!millis || rest.empty()) return wrong_shape();
  if (rest != "Z" && rest != "+00:00") {
    const bool offset = rest.front() == '+' || rest.front() == '-';
    if (!offset) return wrong_shape();
    return Error{"is not in UTC; convert it and write it with a Z at the end"};
  }

  const year_month_day date{year{number_at(text, 0, 4)},
                            month{static_cast<unsigned>(number_at(text, 5, 2))},
                            day{static_cast<unsigned>(number_at(text, 8, 2))}};
  const int hour = number_at(text, 11, 2);
  const int minute = number_at(text, 14, 2);
  const int second = number_at(text, 17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) {
    return Error{"is a date or a time of day that does not exist"};
  }
  const int year_number = static_cast<int>(date.year());
  if (year_number < kFirstYear || year_number > kLastYear) {
    return Error{"is out of range; years 1970 to 2199 are taken"};
  }
  const int64_t days = sys_days{date}.time_since_epoch().count();
  const int64_t seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
  return WallTime::from_unix_ms(seconds * 1000 + *millis);
}

std::string format_timestamp(WallTime time) {
  using namespace std::chrono;
  const sys_time<milliseconds> instant{milliseconds{time.unix_ms()}};
  const auto midnight = floor<days>(instant);
  const year_month_day date{midnight};
  const hh_mm_ss clock{instant - midnight};
  char text[48];
  std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

}  // namespace weir
