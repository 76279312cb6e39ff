// SPDX-License-Identifier: Apache-2.0
//
// The controller alone, on a clock that the test moves. T-numbers: tests/README.md.
#include "engine/ceiling_control.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

constexpr MonoTime kStart = MonoTime::from_ns(1'000'000'000'000);

Now after(Duration passed) {
  return {kStart + passed, WallTime::from_unix_ms(1'796'000'000'000) + passed};
}

CeilingOptions aimd() {
  CeilingOptions options;
  options.control = Control::kAimd;
  options.floor_per_s = Units::of(10);
  options.cap_per_s = Units::of(1000);
  return options;
}

CeilingControl remembered(int64_t rate) {
  return CeilingControl(kStart, aimd(), Units::of(rate), 0);
}

const Duration kSecond = Duration::seconds(1);

TEST(CeilingControl, T47FiftyStaleThrottlesAreOneCut) {
  CeilingControl control = remembered(200);
  int cuts = 0;
  for (int i = 0; i < 50; ++i) {
    const MonoTime sent_at = kStart + Duration::millis(i);
    cuts += control.throttled(after(Duration::millis(300 + i)), sent_at, Units::of(200)) ? 1 : 0;
  }
  EXPECT_EQ(cuts, 1);
  EXPECT_EQ(control.rate_per_s(), Units::of(170));
  const auto next =
      control.throttled(after(kSecond), kStart + Duration::millis(301), Units::of(170));
  ASSERT_TRUE(next);
  EXPECT_EQ(next->epoch, 2U);
}

TEST(CeilingControl, T48WhatIsNotWantedDoesNotGrow) {
  CeilingControl control = remembered(100);
  for (int s = 1; s <= 3600; ++s) {
    const Duration bound = Duration::millis(s % 2 == 0 ? 499 : 0);
    EXPECT_FALSE(control.tick(after(kSecond * s), bound, Units::of(50)));
  }
  EXPECT_EQ(control.rate_per_s(), Units::of(100));
}

TEST(CeilingControl, T49ACutIsTakenFromWhatWasReallySent) {
  CeilingControl control = remembered(400);
  control.throttled(after(kSecond), kStart, Units::of(150));
  EXPECT_LE(control.rate_per_s(), Units::from_micro(127'500'000));
}

TEST(CeilingControl, T50WithoutThrottlesNothingIsCutAtTheCap) {
  CeilingControl control = remembered(1000);
  for (int s = 1; s <= 600; ++s)
    EXPECT_FALSE(control.tick(after(kSecond * s), kSecond, Units::of(1000)));
  EXPECT_EQ(control.rate_per_s(), Units::of(1000));
}

TEST(CeilingControl, T53TheFloorIsLeftInMinutesAndSlowStartNeedsSeconds) {
  CeilingControl slow = remembered(10);
  int s = 0;
  while (slow.rate_per_s() < Units::of(180) && s < 1000) {
    s += 1;
    slow.tick(after(kSecond * s), kSecond, slow.rate_per_s());
  }
  EXPECT_LE(s, 120);
  CeilingControl fresh(kStart, aimd(), Units::of(10));
  int f = 0;
  while (fresh.rate_per_s() < Units::of(180) && f < 1000) {
    f += 1;
    const auto change = fresh.tick(after(kSecond * f), kSecond, fresh.rate_per_s());
    ASSERT_TRUE(change);
    EXPECT_EQ(change->cause, RateCause::kSlowStart);
  }
  EXPECT_LE(f, 10);
}

TEST(CeilingControl, NothingGrowsWhileACutIsHeld) {
  CeilingControl control = remembered(200);
  for (int i = 0; i < 64; ++i)
    control.answered(Duration::seconds(2));
  control.throttled(after(kSecond), kStart, Units::of(200));
  for (int s = 2; s < 5; ++s)
    EXPECT_FALSE(control.tick(after(kSecond * s), kSecond, Units::of(170))) << s;
  EXPECT_TRUE(control.tick(after(kSecond * 5), kSecond, Units::of(170)));
}

TEST(CeilingControl, ItNeverGrowsAboveTwiceWhatWasSentNorAboveTheCap) {
  CeilingControl control = remembered(300);
  EXPECT_FALSE(control.tick(after(kSecond), kSecond, Units::of(120)));
  CeilingControl high = remembered(999);
  const auto change = high.tick(after(kSecond), kSecond, Units::of(999));
  ASSERT_TRUE(change);
  EXPECT_EQ(change->to_per_s, Units::of(1000));
}

TEST(CeilingControl, T54TheFloorHolds) {
  CeilingControl control = remembered(11);
  control.throttled(after(kSecond), kStart, Units());
  EXPECT_EQ(control.rate_per_s(), Units::of(10));
}

TEST(CeilingControl, ManualMeansManual) {
  CeilingOptions options = aimd();
  options.control = Control::kManual;
  CeilingControl control(kStart, options, Units::of(100));
  EXPECT_FALSE(control.throttled(after(kSecond), kStart, Units::of(100)));
  EXPECT_FALSE(control.tick(after(kSecond), kSecond, Units::of(100)));
}

}  // namespace
}  // namespace weir
