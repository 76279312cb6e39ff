// SPDX-License-Identifier: Apache-2.0
//
// When the windows of the classes are open, worked out from the time zones of this machine
// (/usr/share/zoneinfo). What is daylight saving here is plain absolute time to everything else.
//
// On the two odd days of a year no customer's clock shows a time outside of the window when
// something is sent:
//   - An open or a close that the clock skips is the instant at which it skips.
//   - A window opens when the clock shows its hour for the last time, and closes when it shows its
//     hour for the first time after that.
// A window that a skip swallows whole does not open that day.
//
// Called by the loop's thread, and by `weir check`. Zones are read from disk once a process; a
// newer tz database takes a restart.
#pragma once

#include <string>

#include "weir/options.h"
#include "weir/result.h"
#include "weir/time.h"
#include "weir/window.h"

namespace weir {

// Whether there is such a zone, and if not, what to write or to install.
Status check_zone(const std::string& zone);

// Those that are not over at `from` and begin before `until`. The zone has been checked.
Openings openings_of(const SendingWindow& window, WallTime from, WallTime until);

// The stretch of wall time that a calendar was read for; outside of it, after a day or after the
// clock was stepped, it is read anew.
struct CalendarDay {
  WallTime from;
  WallTime until;
  bool holds(WallTime now) const { return now >= from && now < until; }
};

// For the engine: from as far back as a deadline may lie to as far ahead, and some days more.
struct ReadCalendar {
  Calendar calendar;
  CalendarDay day;
};
ReadCalendar read_calendar(const EngineOptions& options, WallTime now);

// "2026-10-25 10:00 +05:30"; by the clock of the zone, which has been checked.
std::string local_text(WallTime t, const std::string& zone);

}  // namespace weir
