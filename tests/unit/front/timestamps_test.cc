// SPDX-License-Identifier: Apache-2.0

#include "shim/front/timestamps.h"

#include <string>

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(Timestamps, ReadsUtcToTheMillisecond) {
  struct Row {
    const char* text;
    int64_t unix_ms;
  };
  const Row rows[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"2030-01-31T18:30:00Z", 1'896'114'600'000},
      {"2030-01-31T18:30:00.25Z", 1'896'114'600'250},
      {"2030-01-31T18:30:00.123456789Z", 1'896'114'600'123},
      {"2030-01-31T18:30:00+00:00", 1'896'114'600'000},
      {"2024-02-29T23:59:59.999Z", 1'709'251'199'999},
      {"2199-12-31T23:59:59Z", 7'258'118'399'000},
  };
  for (const Row& row : rows) {
    Result<WallTime> time = parse_timestamp(row.text);
    ASSERT_TRUE(time) << row.text << ": " << time.error().detail;
    EXPECT_EQ(time->unix_ms(), row.unix_ms) << row.text;
  }
}

TEST(Timestamps, RefusesWhatIsNoTimeInUtcAndSaysWhy) {
  struct Row {
    const char* text;
    const char* part_of_detail;
  };
  const Row rows[] = {
      {"", "RFC 3339"},
      {"tomorrow", "RFC 3339"},
      {"2030-01-31", "RFC 3339"},
      {"2030-01-31T18:30Z", "RFC 3339"},
      {"2030-01-31T18:30:00", "RFC 3339"},
      {"2030-01-31 18:30:00Z", "RFC 3339"},
      {"2030-01-31t18:30:00Z", "RFC 3339"},
      {"2030-01-31T18:30:00z", "RFC 3339"},
      {"2030-1-31T18:30:00Z", "RFC 3339"},
      {"2030-01-31T18:30:00.Z", "RFC 3339"},
      {"2030-01-31T18:30:00.1234567890Z", "RFC 3339"},
      {"2030-01-31T18:30:00ZZ", "RFC 3339"},
      {"2030-01-31T18:30:00Z ", "RFC 3339"},
      {" 2030-01-31T18:30:00Z", "RFC 3339"},
      {"1896114600", "RFC 3339"},
      {"2030-01-31T18:30:00+05:30", "UTC"},
      {"2030-01-31T18:30:00-00:01", "UTC"},
      {"2030-02-30T18:30:00Z", "does not exist"},
      {"2030-13-01T18:30:00Z", "does not exist"},
      {"2030-00-01T18:30:00Z", "does not exist"},
      {"2023-02-29T18:30:00Z", "does not exist"},
      {"2030-01-31T24:00:00Z", "does not exist"},
      {"2030-01-31T18:60:00Z", "does not exist"},
      {"2030-01-31T18:30:60Z", "does not exist"},
      {"1969-12-31T23:59:59Z", "out of range"},
      {"2200-01-01T00:00:00Z", "out of range"},
      {"9999-12-31T23:59:59Z", "out of range"},
  };
  for (const Row& row : rows) {
    const Result<WallTime> time = parse_timestamp(row.text);
    ASSERT_FALSE(time) << row.text;
    EXPECT_NE(time.error().detail.find(row.part_of_detail), std::string::npos)
        << row.text << ": " << time.error().detail;
  }
}

TEST(Timestamps, ReadsBackWhatItWrites) {
  EXPECT_EQ(format_timestamp(WallTime::from_unix_ms(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(format_timestamp(WallTime::from_unix_ms(1'896'114'600'007)),
            "2030-01-31T18:30:00.007Z");
  // Every 41 days and a bit, over the whole range: all months, leap years, hours, milliseconds.
  for (int64_t ms = 0; ms < 7'258'118'400'000; ms += 3'593'273'791) {
    const std::string text = format_timestamp(WallTime::from_unix_ms(ms));
    Result<WallTime> back = parse_timestamp(text);
    ASSERT_TRUE(back) << text;
    ASSERT_EQ(back->unix_ms(), ms) << text;
  }
}

}  // namespace
}  // namespace weir
