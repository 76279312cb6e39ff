// SPDX-License-Identifier: Apache-2.0
#include "shim/calendar/calendar.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <vector>

#include <date/tz.h>

#include "weir/check.h"

namespace weir {
namespace {

using Instant = date::sys_time<std::chrono::milliseconds>;
using LocalTime = date::local_seconds;

constexpr Duration kDay = Duration::seconds(86'400);

Instant instant(WallTime t) {
  return Instant(std::chrono::milliseconds(t.unix_ms()));
}

WallTime wall(date::sys_seconds t) {
  return WallTime::from_unix_ms(std::chrono::milliseconds(t.time_since_epoch()).count());
}

// The instants at which the clock of the zone shows a time: one, or two in an autumn, or none in a
// spring; then it is the instant at which it skips the time.
struct Shown {
  WallTime first;
  WallTime last;
};

Shown shown(const date::time_zone& zone, LocalTime local) {
  const date::local_info info = zone.get_info(local);
  if (info.result == date::local_info::nonexistent) {
    return {wall(info.first.end), wall(info.first.end)};
  }
  const auto at = [local](const date::sys_info& rule) {
    return wall(date::sys_seconds(local.time_since_epoch() - rule.offset));
  };
  const bool twice = info.result == date::local_info::ambiguous;
  return {at(info.first), at(twice ? info.second : info.first)};
}

Opening opening_on(const date::time_zone& zone, const SendingWindow& window, date::local_days day) {
  const bool overnight = window.close_minute <= window.open_minute;
  const LocalTime opens = day + std::chrono::minutes(window.open_minute);
  const LocalTime closes =
      day + date::days(overnight ? 1 : 0) + std::chrono::minutes(window.close_minute);
  const WallTime open = shown(zone, opens).last;
  const Shown close = shown(zone, closes);
  return {open, close.first > open ? close.first : close.last};
}

}  // namespace

Status check_zone(const std::string& zone) {
  try {
    // The first question reads the file.
    date::locate_zone(zone)->get_info(date::sys_seconds());
    return Done{};
  } catch (const std::exception&) {
    return Error{
        "is not a time zone of this machine; write a name of the tz database, like Asia/Kolkata or "
        "UTC, and see that the package tzdata is installed"};
  }
}

Openings openings_of(const SendingWindow& window, WallTime from, WallTime until) {
  const date::time_zone& zone = *date::locate_zone(window.zone);
  // An opening that goes on at `from` may have begun the day before, and a zone may be a day ahead.
  auto day = date::floor<date::days>(zone.to_local(instant(from))) - date::days(2);
  std::vector<Opening> list;
  for (;; day += date::days(1)) {
    Opening one = opening_on(zone, window, day);
    if (one.open >= until) break;
    if (!list.empty()) one.open = std::max(one.open, list.back().close);
    if (one.open < one.close && one.close > from) list.push_back(one);
  }
  return Openings(std::move(list));
}

ReadCalendar read_calendar(const EngineOptions& options, WallTime now) {
  ReadCalendar read;
  read.day = {now, now + kDay};
  // A day until it is read again, and days without an opening where a zone changed its calendar.
  const Duration reach = options.max_deadline + kDay * 4;
  for (const ClassOptions& one : options.classes) {
    read.calendar.push_back(
        one.window ? openings_of(*one.window, WallTime::from_unix_ms(now.unix_ms() - reach.ms()),
                                 now + reach)
                   : Openings());
  }
  return read;
}

std::string local_text(WallTime t, const std::string& zone) {
  const auto here = date::make_zoned(
      date::locate_zone(zone), std::chrono::time_point_cast<std::chrono::minutes>(instant(t)));
  return date::format("%Y-%m-%d %H:%M %Ez", here);
}

}  // namespace weir
