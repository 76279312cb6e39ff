// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/send_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SendProgress half() {
  SendProgress at;
  at.elapsed = Duration::seconds(100);
  at.messages = 150'000;
  at.bytes = 5'000;
  at.bytes_total = 10'000;
  at.pressure = "promotional pause";
  return at;
}

TEST(SendProgress, ABarSaysHowFarHowFastAndHowLong) {
  EXPECT_EQ(progress_bar(half(), 120),
            "[###############...............]  50%  150000 messages  1500/s  pressure promotional "
            "pause  1m40s left");
}

TEST(SendProgress, WhatDoesNotFitIsLeftOutTheLeastNeededFirst) {
  EXPECT_EQ(progress_bar(half(), 70),
            "50%  150000 messages  1500/s  pressure promotional pause  1m40s left");
  EXPECT_EQ(progress_bar(half(), 60),
            "[########........]  50%  150000 messages  1500/s  1m40s left");
  EXPECT_EQ(progress_bar(half(), 34), "50%  150000 messages  1m40s left");
  EXPECT_EQ(progress_bar(half(), 22), "50%  150000 messages");
  EXPECT_EQ(progress_bar(half(), 5), "50%");
  EXPECT_EQ(progress_bar(half(), 2), "50");
}

TEST(SendProgress, NeverWiderThanTheTerminal) {
  for (size_t width = 0; width < 200; ++width)
    EXPECT_LE(progress_bar(half(), width).size(), width);
}

TEST(SendProgress, APipeHasNoEndToMeasureBy) {
  SendProgress at = half();
  at.bytes_total.reset();
  EXPECT_EQ(progress_bar(at, 120), "150000 messages  1500/s  pressure promotional pause");
  EXPECT_EQ(progress_line(at), "150000 messages, 1500/s, pressure promotional pause");
}

TEST(SendProgress, ThePlainLineSaysTheSame) {
  EXPECT_EQ(progress_line(half()),
            "50%, 150000 messages, 1500/s, pressure promotional pause, 1m40s left");
}

TEST(SendProgress, AtTheStartThereIsNoRateAndAtTheEndNothingIsLeft) {
  SendProgress at;
  at.bytes_total = 10;
  EXPECT_EQ(progress_line(at), "0%, 0 messages");
  at = half();
  at.bytes = 10'000;
  at.all_handed = true;
  EXPECT_THAT(progress_bar(at, 120), HasSubstr("[##############################]  100%"));
  EXPECT_THAT(progress_line(at), HasSubstr("weir takes the last ones"));
  EXPECT_THAT(progress_line(at), Not(HasSubstr(" left")));
  at.bytes = 20'000;  // it has grown meanwhile
  EXPECT_THAT(progress_line(at), HasSubstr("100%"));
}

TEST(SendProgress, HoursAndSecondsAreSaidShortly) {
  SendProgress at = half();
  at.bytes = 1;
  at.bytes_total = 100;
  EXPECT_THAT(progress_line(at), HasSubstr("2h45m left"));
  at.bytes = 99;
  EXPECT_THAT(progress_line(at), HasSubstr(", 1s left"));
}

TEST(SendProgress, PressureNamesTheLanesThatAreNotClear) {
  EXPECT_EQ(pressure_words(R"({"lanes":[{"lane":"otp","pressure":"clear"}]})"), "clear");
  EXPECT_EQ(pressure_words(R"({"lanes":[{"lane":"otp","pressure":"slow"},
                                        {"lane":"promotional","pressure":"pause"}]})"),
            "otp slow, promotional pause");
  EXPECT_EQ(pressure_words("not JSON"), "");
}

}  // namespace
}  // namespace weir
