// SPDX-License-Identifier: Apache-2.0
//
// Against the real tz database. Expected instants are given in UTC, by the published rules: in 2026
// Berlin goes from +01:00 to +02:00 on 29 March at 01:00 UTC and back on 25 October at 01:00 UTC;
// New York from -05:00 to -04:00 on 8 March at 07:00 UTC and back on 1 November at 06:00 UTC.
#include "shim/calendar/calendar.h"

#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

WallTime utc(int year, unsigned month, unsigned day, int hour = 0, int minute = 0) {
  using namespace std::chrono;
  const sys_days date = std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day);
  const auto t = date.time_since_epoch() + hours(hour) + minutes(minute);
  return WallTime::from_unix_ms(duration_cast<milliseconds>(t).count());
}

std::string text(WallTime t) {
  return local_text(t, "UTC").substr(5, 11);
}

// "03-29 08:00 to 03-29 19:00", in UTC, of all that touch the stretch.
std::vector<std::string> openings(uint16_t open, uint16_t close, const std::string& zone,
                                  WallTime from, WallTime until) {
  const Openings all = openings_of({open, close, AtClose::kShed, zone}, from, until);
  std::vector<std::string> texts;
  for (const Opening* one = all.at_or_after(from); one != nullptr; one = all.after(one->open))
    texts.push_back(text(one->open) + " to " + text(one->close));
  return texts;
}

constexpr uint16_t hm(int hour, int minute = 0) {
  return static_cast<uint16_t>(hour * 60 + minute);
}

TEST(Calendar, AZoneWithoutDaylightSavingHasTheSameHoursAllYear) {
  for (const auto& [month, day] : {std::pair{"03-29", 29}, std::pair{"10-25", 25}}) {
    const unsigned number = month[1] == '3' ? 3 : 10;
    const WallTime from = utc(2026, number, static_cast<unsigned>(day));
    EXPECT_THAT(openings(hm(10), hm(21), "Asia/Kolkata", from, utc(2026, number, 30)),
                testing::Contains(std::string(month) + " 04:30 to " + month + " 15:30"));
  }
}

TEST(Calendar, TheHoursFollowTheLocalClockThroughASpring) {
  EXPECT_THAT(openings(hm(10), hm(21), "Europe/Berlin", utc(2026, 3, 28), utc(2026, 3, 30)),
              ElementsAre("03-28 09:00 to 03-28 20:00", "03-29 08:00 to 03-29 19:00"));
  EXPECT_THAT(openings(hm(10), hm(21), "America/New_York", utc(2026, 3, 7, 12), utc(2026, 3, 9)),
              ElementsAre("03-07 15:00 to 03-08 02:00", "03-08 14:00 to 03-09 01:00"));
}

TEST(Calendar, TheHoursFollowTheLocalClockThroughAnAutumn) {
  EXPECT_THAT(openings(hm(10), hm(21), "Europe/Berlin", utc(2026, 10, 24), utc(2026, 10, 26)),
              ElementsAre("10-24 08:00 to 10-24 19:00", "10-25 09:00 to 10-25 20:00"));
  EXPECT_THAT(openings(hm(10), hm(21), "America/New_York", utc(2026, 10, 31, 12), utc(2026, 11, 2)),
              ElementsAre("10-31 14:00 to 11-01 01:00", "11-01 15:00 to 11-02 02:00"));
}

TEST(Calendar, AnHourThatIsSkippedIsTheInstantOfTheSkip) {
  // 02:30 does not exist in Berlin on 29 March.
  EXPECT_THAT(openings(hm(2, 30), hm(21), "Europe/Berlin", utc(2026, 3, 29), utc(2026, 3, 30)),
              ElementsAre("03-29 01:00 to 03-29 19:00"));
  EXPECT_THAT(
      openings(hm(0), hm(2, 30), "Europe/Berlin", utc(2026, 3, 28, 12), utc(2026, 3, 29, 12)),
      ElementsAre("03-28 23:00 to 03-29 01:00"));
  EXPECT_THAT(openings(hm(2, 30), hm(9), "America/New_York", utc(2026, 3, 8), utc(2026, 3, 9)),
              ElementsAre("03-08 07:00 to 03-08 13:00"));
}

TEST(Calendar, AWindowThatIsSkippedAsAWholeDoesNotOpenThatDay) {
  EXPECT_THAT(openings(hm(2, 15), hm(2, 45), "Europe/Berlin", utc(2026, 3, 28), utc(2026, 3, 31)),
              ElementsAre("03-28 01:15 to 03-28 01:45", "03-30 00:15 to 03-30 00:45"));
}

TEST(Calendar, AnHourThatComesTwiceOpensLateAndClosesEarly) {
  // 02:30 is at 00:30 and at 01:30 UTC in Berlin on 25 October.
  EXPECT_THAT(openings(hm(2, 30), hm(21), "Europe/Berlin", utc(2026, 10, 25), utc(2026, 10, 26)),
              ElementsAre("10-25 01:30 to 10-25 20:00"));
  EXPECT_THAT(
      openings(hm(0), hm(2, 30), "Europe/Berlin", utc(2026, 10, 24, 12), utc(2026, 10, 25, 12)),
      ElementsAre("10-24 22:00 to 10-25 00:30"));
  // 01:30 is at 05:30 and at 06:30 UTC in New York on 1 November.
  EXPECT_THAT(openings(hm(1, 30), hm(9), "America/New_York", utc(2026, 11, 1), utc(2026, 11, 2)),
              ElementsAre("11-01 06:30 to 11-01 14:00"));
}

TEST(Calendar, AWindowInsideOfTheHourThatComesTwiceOpensOnce) {
  EXPECT_THAT(openings(hm(2, 15), hm(2, 45), "Europe/Berlin", utc(2026, 10, 25), utc(2026, 10, 26)),
              ElementsAre("10-25 01:15 to 10-25 01:45"));
}

TEST(Calendar, AWindowOverMidnightClosesTheNextDay) {
  EXPECT_THAT(openings(hm(22), hm(6), "Europe/Berlin", utc(2026, 3, 28, 12), utc(2026, 3, 30, 12)),
              ElementsAre("03-28 21:00 to 03-29 04:00", "03-29 20:00 to 03-30 04:00"));
  EXPECT_THAT(
      openings(hm(22), hm(6), "Europe/Berlin", utc(2026, 10, 24, 12), utc(2026, 10, 25, 12)),
      ElementsAre("10-24 20:00 to 10-25 05:00"));
  EXPECT_THAT(openings(hm(10), hm(0), "UTC", utc(2026, 5, 1, 5), utc(2026, 5, 2, 5)),
              ElementsAre("05-01 10:00 to 05-02 00:00"));
}

TEST(Calendar, WhatIsOpenAtTheStartIsThere) {
  EXPECT_THAT(openings(hm(22), hm(6), "Asia/Kolkata", utc(2026, 5, 1, 0), utc(2026, 5, 1, 12)),
              ElementsAre("04-30 16:30 to 05-01 00:30"));
}

TEST(Calendar, ADayThatAZoneLeavesOutHasNoOpening) {
  // Samoa went from 29 to 31 December 2011.
  const WallTime from = utc(2011, 12, 29, 12);
  EXPECT_THAT(openings(hm(10), hm(21), "Pacific/Apia", from, utc(2011, 12, 31, 12)),
              ElementsAre("12-29 20:00 to 12-30 07:00", "12-30 20:00 to 12-31 07:00"));
}

TEST(Calendar, AlmostAWholeDayNeverOverlapsItself) {
  for (uint16_t minute = 0; minute < 24 * 60; minute = static_cast<uint16_t>(minute + 7)) {
    const auto before = static_cast<uint16_t>((minute + 24 * 60 - 1) % (24 * 60));
    for (const char* zone : {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe"}) {
      const Openings all = openings_of({minute, before, AtClose::kCarryOver, zone}, utc(2026, 1, 1),
                                       utc(2027, 1, 1));
      EXPECT_NE(all.at_or_after(utc(2026, 12, 31)), nullptr);
    }
  }
}

TEST(Calendar, ReachesAsFarBackAndAheadAsADeadlineMay) {
  EngineOptions options;
  const WallTime now = utc(2026, 5, 1);
  const ReadCalendar read = read_calendar(options, now);
  ASSERT_EQ(read.calendar.size(), options.classes.size());
  EXPECT_TRUE(read.day.holds(now));
  EXPECT_TRUE(read.day.holds(utc(2026, 5, 1, 23, 59)));
  EXPECT_FALSE(read.day.holds(utc(2026, 5, 2)));
  EXPECT_FALSE(read.day.holds(utc(2026, 4, 30, 23, 59))) << "the clock was put back";
  for (size_t i = 0; i < options.classes.size(); ++i) {
    if (!options.classes[i].window) continue;
    EXPECT_TRUE(read.calendar[i].closed_by(utc(2026, 3, 31)));
    const Opening* far = read.calendar[i].after(read.day.until + options.max_deadline);
    EXPECT_NE(far, nullptr);
  }
}

TEST(Calendar, AnUnknownZoneIsAnErrorThatSaysWhatToWrite) {
  EXPECT_TRUE(check_zone("Asia/Kolkata"));
  EXPECT_TRUE(check_zone("UTC"));
  for (const char* zone : {"Asia/Calcuta", "", "IST+5:30", "../../etc/passwd", "Asia"}) {
    const Status status = check_zone(zone);
    ASSERT_FALSE(status) << zone;
    EXPECT_THAT(status.error().detail, HasSubstr("like Asia/Kolkata"));
  }
}

TEST(Calendar, ShowsAnInstantByTheClockOfItsZone) {
  EXPECT_EQ(local_text(utc(2026, 3, 29, 0, 59), "Europe/Berlin"), "2026-03-29 01:59 +01:00");
  EXPECT_EQ(local_text(utc(2026, 3, 29, 1), "Europe/Berlin"), "2026-03-29 03:00 +02:00");
  EXPECT_EQ(local_text(utc(2026, 5, 1), "Asia/Kolkata"), "2026-05-01 05:30 +05:30");
}

}  // namespace
}  // namespace weir
