// SPDX-License-Identifier: Apache-2.0
#include "engine/load_record.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

MonoTime at_ms(int64_t ms) {
  return MonoTime::from_ns((3'600'000 + ms) * 1'000'000);
}

TEST(LoadRecord, NothingRecordedIsZero) {
  const LoadView view = LoadRecord().view();
  EXPECT_EQ(view.offered, Units());
  EXPECT_EQ(view.peak_1s_per_s, 0);
  EXPECT_EQ(view.peak_60s_per_s, 0);
  EXPECT_EQ(view.busy_p99_per_s, 0);
}

TEST(LoadRecord, ABurstIsItsUnitsOverEachWindow) {
  LoadRecord record;
  record.add(at_ms(0), Units::of(120));
  const LoadView view = record.view();
  EXPECT_EQ(view.offered, Units::of(120));
  EXPECT_DOUBLE_EQ(view.peak_1s_per_s, 120);
  EXPECT_DOUBLE_EQ(view.peak_10s_per_s, 12);
  EXPECT_DOUBLE_EQ(view.peak_60s_per_s, 2);
}

TEST(LoadRecord, ASteadyLoadHasTheSameRateInEachWindow) {
  LoadRecord record;
  for (int64_t ms = 0; ms < 200'000; ms += 10)
    record.add(at_ms(ms), Units::of(1));
  const LoadView view = record.view();
  EXPECT_DOUBLE_EQ(view.peak_1s_per_s, 100);
  EXPECT_DOUBLE_EQ(view.peak_10s_per_s, 100);
  EXPECT_DOUBLE_EQ(view.peak_60s_per_s, 100);
  EXPECT_NEAR(view.busy_p99_per_s, 100, 100.0 / 32);
}

TEST(LoadRecord, APeakIsFoundAcrossTheSeconds) {
  LoadRecord record;
  record.add(at_ms(900), Units::of(50));
  record.add(at_ms(1'300), Units::of(50));  // 0.4 s later, in another second of the clock
  EXPECT_DOUBLE_EQ(record.view().peak_1s_per_s, 100);
}

TEST(LoadRecord, WhatIsFurtherApartThanTheWindowIsNotAddedUp) {
  LoadRecord record;
  record.add(at_ms(0), Units::of(50));
  record.add(at_ms(1'000), Units::of(50));
  record.add(at_ms(61'000), Units::of(50));
  const LoadView view = record.view();
  EXPECT_DOUBLE_EQ(view.peak_1s_per_s, 50);
  EXPECT_DOUBLE_EQ(view.peak_10s_per_s, 10);
  EXPECT_DOUBLE_EQ(view.peak_60s_per_s, 100.0 / 60);
}

TEST(LoadRecord, APeakStaysWhenTheLoadIsGone) {
  LoadRecord record;
  record.add(at_ms(0), Units::of(500));
  for (int64_t ms = 3'600'000; ms < 3'700'000; ms += 1'000)
    record.add(at_ms(ms), Units::of(1));
  EXPECT_DOUBLE_EQ(record.view().peak_1s_per_s, 500);
}

TEST(LoadRecord, QuietSecondsAreNoBusyOnes) {
  LoadRecord record;
  // Two hundred busy seconds, an hour apart; one of them is twice as busy as the others.
  for (int64_t hour = 0; hour < 200; ++hour)
    record.add(at_ms(hour * 3'600'000), Units::of(hour == 7 ? 20 : 10));
  EXPECT_NEAR(record.view().busy_p99_per_s, 10, 10.0 / 32);
}

}  // namespace
}  // namespace weir
