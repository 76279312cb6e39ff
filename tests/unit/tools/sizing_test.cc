// SPDX-License-Identifier: Apache-2.0
//
// What `weir size` proposes, by hand-made records.
#include "tools/weir/sizing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr size_t kOtp = index(Lane::kOtp);
constexpr size_t kTransactional = index(Lane::kTransactional);
constexpr size_t kPromotional = index(Lane::kPromotional);

// A week at 100 units/s, as the defaults share it.
ShadowReport week() {
  ShadowReport record;
  record.recorded = Duration::seconds(7 * 86'400);
  record.rate_per_s = Units::of(100);
  record.capacity = Duration::seconds(10);
  record.dearest_recipient = Units::of(10);
  record.lanes[kOtp].reserve = 0.2;
  record.lanes[kOtp].limit = 0.4;
  record.lanes[kTransactional].reserve = 0.3;
  record.lanes[kTransactional].limit = 0.8;
  record.lanes[kPromotional].reserve = 0.5;
  record.lanes[kPromotional].limit = 1;
  record.account.offered = Units::of(1);
  return record;
}

LoadView load(int64_t offered, double second, double ten, double minute) {
  return {.offered = Units::of(offered),
          .peak_1s_per_s = second,
          .peak_10s_per_s = ten,
          .peak_60s_per_s = minute,
          .busy_p99_per_s = second};
}

TEST(Sizing, ProposesFromPeaksAndMeansTimesTheFactor) {
  ShadowReport record = week();
  record.lanes[kOtp].load = load(100'000, 40, 12, 8);
  record.lanes[kTransactional].load = load(200'000, 60, 30, 14);
  record.lanes[kPromotional].load = load(7 * 86'400 * 9, 5'000, 900, 400);
  const auto sizing = size(record, {});
  ASSERT_TRUE(sizing);
  // 2 x (12 in the busiest 10 s + 14 in the busiest minute + a mean of 9).
  EXPECT_EQ(sizing->rate_units_per_s, 70);
  // The busiest second brought 100: 30 above the rate, less than 10 s of refill.
  EXPECT_EQ(sizing->capacity_s, 10);
  EXPECT_EQ(sizing->reserve_percent[kOtp], 35);  // 24 of 70, rounded up
  EXPECT_EQ(sizing->otp_limit_percent, 40);
  EXPECT_EQ(sizing->reserve_percent[kTransactional], 30);
  EXPECT_EQ(sizing->reserve_percent[kPromotional], 35);
  EXPECT_EQ(sizing->yaml,
            "gateway:\n  ceiling:\n    rate_units_per_s: 70\n    capacity: 10s\n"
            "lanes:\n  otp:\n    reserve: 35%\n  promotional:\n    reserve: 35%\n");
  EXPECT_THAT(sizing->reasons, Contains(HasSubstr("lane otp came at 12 units/s")));
  EXPECT_THAT(sizing->reasons, Contains(HasSubstr("x 2 = 24")));
  EXPECT_THAT(sizing->warnings, IsEmpty());
}

TEST(Sizing, ByTheSecondNothingIsSavedUpAndTheBusiestSecondCounts) {
  ShadowReport record = week();
  record.lanes[kOtp].load = load(100'000, 40, 12, 8);
  record.lanes[kTransactional].load = load(200'000, 60, 30, 14);
  const auto sizing = size(record, {.factor = 1, .per_second = true});
  ASSERT_TRUE(sizing);
  EXPECT_EQ(sizing->rate_units_per_s, 70);  // 40 + 30
  EXPECT_EQ(sizing->capacity_s, 1);
  EXPECT_EQ(sizing->reserve_percent[kOtp], 58);  // 40 of 70
  EXPECT_EQ(sizing->otp_limit_percent, 58);      // never below the reserve
  EXPECT_THAT(sizing->yaml, HasSubstr("limit: 58%"));
}

TEST(Sizing, ABurstIsTakenUpByTheBucketWithinSixtySeconds) {
  ShadowReport record = week();
  record.lanes[kTransactional].load = load(200'000, 2'000, 200, 35);
  const auto sizing = size(record, {});
  ASSERT_TRUE(sizing);
  EXPECT_EQ(sizing->rate_units_per_s, 70);
  EXPECT_EQ(sizing->capacity_s, 28);  // 1,930 above in one second: 27.6 s of refill
  record.lanes[kTransactional].load = load(200'000, 9'000, 900, 35);
  const auto flooded = size(record, {});
  ASSERT_TRUE(flooded);
  EXPECT_EQ(flooded->capacity_s, 60);
  EXPECT_THAT(flooded->warnings, Contains(HasSubstr("Part of the largest burst will wait")));
}

TEST(Sizing, AnOtpPeakAboveTheCeilingIsSaid) {
  ShadowReport record = week();
  record.lanes[kOtp].load = load(100'000, 400, 300, 100);
  const auto sizing = size(record, {});
  ASSERT_TRUE(sizing);
  EXPECT_EQ(sizing->reserve_percent[kOtp], 90);
  EXPECT_GE(sizing->rate_units_per_s * 0.9, 600);
  EXPECT_THAT(sizing->warnings, Contains(HasSubstr("no reserve helps")));
  EXPECT_THAT(sizing->warnings, Contains(HasSubstr("above the present one, 100")));
}

TEST(Sizing, TinyTrafficStillHoldsTheDearestMessage) {
  ShadowReport record = week();
  record.lanes[kOtp].load = load(3, 1, 0.1, 0.05);
  const auto sizing = size(record, {});
  ASSERT_TRUE(sizing);
  const double holds = sizing->rate_units_per_s * sizing->capacity_s;
  EXPECT_GE(holds * sizing->otp_limit_percent / 100, 10);
  EXPECT_LE(sizing->capacity_s, 60);
}

TEST(Sizing, ReservesNeverPassTheWholeWhateverIsSeen) {
  for (const double peak : {0.0, 0.01, 1.0, 10.0, 1e3, 1e6}) {
    for (const double other : {0.0, 0.01, 10.0, 1e6}) {
      ShadowReport record = week();
      record.lanes[kOtp].load = load(1, peak, peak, peak);
      record.lanes[kTransactional].load = load(1, other, other, other);
      const auto sizing = size(record, {});
      ASSERT_TRUE(sizing);
      int sum = 0;
      for (const int one : sizing->reserve_percent) {
        EXPECT_GE(one, 0);
        sum += one;
      }
      EXPECT_LE(sum, 100) << peak << " " << other;
      EXPECT_LE(sizing->reserve_percent[kOtp], sizing->otp_limit_percent);
      EXPECT_LE(sizing->rate_units_per_s, 1'000'000);
      EXPECT_GE(sizing->capacity_s, 10);
      EXPECT_LE(sizing->capacity_s, 60);
    }
  }
}

TEST(Sizing, WithoutAnOtpTheReserveStays) {
  ShadowReport record = week();
  record.lanes[kTransactional].load = load(200'000, 60, 30, 14);
  const auto sizing = size(record, {});
  ASSERT_TRUE(sizing);
  EXPECT_EQ(sizing->reserve_percent[kOtp], 20);
  EXPECT_THAT(sizing->reasons, Contains(HasSubstr("no OTP was offered, so it stays at 20%")));
}

TEST(Sizing, AShortRecordIsSaidAndAnEmptyOneProposesNothing) {
  ShadowReport record = week();
  record.recorded = Duration::seconds(3'600 * 5);
  record.lanes[kOtp].load = load(10, 1, 1, 1);
  const auto sizing = size(record, {});
  ASSERT_TRUE(sizing);
  EXPECT_THAT(sizing->warnings, Contains(HasSubstr("Only 5 h are recorded")));
  record.account.offered = Units();
  EXPECT_FALSE(size(record, {}));
}

}  // namespace
}  // namespace weir
