// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/retry_after.h"

#include <string>

#include <gtest/gtest.h>

namespace weir {
namespace {

struct Row {
  const char* name;
  const char* value;
  const char* date;
  int64_t seconds;  // -1: it says nothing
};

constexpr const char* kNoon = "Sun, 06 Nov 1994 12:00:00 GMT";

class RetryAfter : public testing::TestWithParam<Row> {};

TEST_P(RetryAfter, IsReadAsTheRfcDescribesIt) {
  const Row& row = GetParam();
  const auto asked = parse_retry_after(row.value, row.date);
  EXPECT_EQ(asked.has_value(), row.seconds >= 0);
  EXPECT_EQ(asked.value_or(Duration::seconds(-1)), Duration::seconds(row.seconds));
}

INSTANTIATE_TEST_SUITE_P(
    Table, RetryAfter,
    testing::Values(
        Row{"Seconds", "120", "", 120}, Row{"Zero", "0", "", 0},
        Row{"SpacesAround", " \t7 ", "", 7}, Row{"NineDigits", "999999999", "", 999'999'999},
        Row{"TenDigits", "1000000000", "", -1}, Row{"TwentyDigits", "99999999999999999999", "", -1},
        Row{"Fraction", "1.5", "", -1}, Row{"Negative", "-1", "", -1}, Row{"Plus", "+1", "", -1},
        Row{"Unit", "5s", "", -1}, Row{"Empty", "", "", -1}, Row{"Blank", "  ", "", -1},
        Row{"Words", "soon", "", -1}, Row{"Date", "Sun, 06 Nov 1994 12:01:40 GMT", kNoon, 100},
        Row{"DateNextDay", "Mon, 07 Nov 1994 00:00:00 GMT", kNoon, 43'200},
        Row{"DateOverTheYear", "Sun, 01 Jan 1995 12:00:00 GMT", kNoon, 56 * 86'400},
        Row{"LeapDay", "Tue, 29 Feb 2000 00:00:10 GMT", "Tue, 29 Feb 2000 00:00:00 GMT", 10},
        Row{"NoLeapDay", "Mon, 29 Feb 1999 00:00:10 GMT", "Sun, 28 Feb 1999 00:00:00 GMT", -1},
        Row{"LeapSecond", "Sun, 06 Nov 1994 12:00:60 GMT", kNoon, 60},
        Row{"PastDate", "Sun, 06 Nov 1994 11:00:00 GMT", kNoon, 0},
        Row{"SameDate", kNoon, kNoon, 0},
        Row{"FarDate", "Fri, 31 Dec 9999 23:59:59 GMT", kNoon, 999'999'999},
        Row{"DateWithoutDate", "Sun, 06 Nov 1994 12:01:40 GMT", "", -1},
        Row{"DateWithBadDate", "Sun, 06 Nov 1994 12:01:40 GMT", "yesterday", -1},
        Row{"BadMonth", "Sun, 06 Nev 1994 12:01:40 GMT", kNoon, -1},
        Row{"BadHour", "Sun, 06 Nov 1994 24:01:40 GMT", kNoon, -1},
        Row{"BadDayName", "Xun, 06 Nov 1994 12:01:40 GMT", kNoon, -1},
        Row{"OtherZone", "Sun, 06 Nov 1994 12:01:40 CET", kNoon, -1},
        Row{"ObsoleteForm", "Sunday, 06-Nov-94 12:01:40 GMT", kNoon, -1}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace weir
