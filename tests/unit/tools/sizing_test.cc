// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/sizing.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/options.h"

namespace weir {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr size_t kOtp = index(Lane::kOtp);
constexpr size_t kTransactional = index(Lane::kTransactional);
constexpr size_t kPromotional = index(Lane::kPromotional);

LoadView load(int64_t offered, double second, double ten_seconds, double minute) {
  return {Units::of(offered), second, ten_seconds, minute, second};
}

// Two days under the default shares and a ceiling of 100.
ShadowReport record() {
  ShadowReport report;
  report.recorded = Duration::seconds(2 * 86'400);
  report.rate_per_s = Units::of(100);
  report.capacity = Duration::seconds(10);
  report.dearest_recipient = Units::of(10);
  const EngineOptions defaults;
  for (size_t i = 0; i < kLanes; ++i) {
    report.lanes[i].reserve = defaults.lanes[i].reserve;
    report.lanes[i].limit = defaults.lanes[i].limit;
  }
  report.lanes[kOtp].load = load(100'000, 12, 8, 5);
  report.lanes[kTransactional].load = load(400'000, 40, 25, 15);
  report.lanes[kPromotional].load = load(172'800, 100'000, 10'000, 1'667);
  report.account = load(672'800, 100'012, 10'008, 1'672);
  return report;
}

Sizing sized(const ShadowReport& report, SizingWish wish = {}) {
  const auto sizing = size(report, wish);
  EXPECT_TRUE(sizing);
  return sizing.value_or(Sizing());
}

std::string all_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

TEST(Sizing, IsEachLanesPaceTimesTheFactorRoundedUp) {
  const Sizing sizing = sized(record());
  // 2 x (8 + 15 + 1) = 48; the campaign counts at its mean and not at its peak.
  EXPECT_DOUBLE_EQ(sizing.rate_units_per_s, 48);
  EXPECT_EQ(sizing.capacity_s, 10);
  EXPECT_EQ(sizing.reserve_percent[kOtp], 34);  // 16 of 48
  EXPECT_THAT(sizing.warnings, IsEmpty());
  const std::string why = all_of(sizing.reasons);
  EXPECT_THAT(why, HasSubstr("lane otp came at 8 units/s (its busiest 10 s); x 2 = 16"));
  EXPECT_THAT(why, HasSubstr("lane transactional came at 15 units/s (its busiest minute)"));
  EXPECT_THAT(why, HasSubstr("lane promotional came at 1 units/s (its mean, because it may wait)"));
  EXPECT_THAT(why, HasSubstr("rounded up to 48 units/s"));
  EXPECT_THAT(why, HasSubstr("8 units/s (its busiest 10 s) x 2 = 16 of 48 units/s, rounded up "
                             "to 34%"));
}

TEST(Sizing, TheLinesCanBePastedAndTheLowestLaneGivesUpWhatTheOtpsNeed) {
  EXPECT_EQ(sized(record()).yaml,
            "gateway:\n"
            "  ceiling:\n"
            "    rate_units_per_s: 48\n"
            "    capacity: 10s\n"
            "lanes:\n"
            "  otp:\n"
            "    reserve: 34%\n"
            "  promotional:\n"
            "    reserve: 36%\n");
}

TEST(Sizing, TheFactorCounts) {
  const Sizing sizing = sized(record(), {.factor = 3});
  EXPECT_DOUBLE_EQ(sizing.rate_units_per_s, 72);
  EXPECT_EQ(sizing.reserve_percent[kOtp], 34);
}

TEST(Sizing, TheCapacityTakesTheLargestBurstBetweenTenSecondsAndAMinute) {
  ShadowReport report = record();
  report.lanes[kTransactional].load.peak_10s_per_s = 160;  // with the OTPs 120 above 48, for 10 s
  EXPECT_EQ(sized(report).capacity_s, 25);
  EXPECT_THAT(all_of(sized(report).reasons), HasSubstr("1200 units above that rate, within 10 s"));
  report.lanes[kTransactional].load.peak_10s_per_s = 1'000;
  const Sizing most = sized(report);
  EXPECT_EQ(most.capacity_s, 60);
  EXPECT_THAT(all_of(most.warnings), HasSubstr("more than 60 s of refill"));
}

TEST(Sizing, PerSecondSavesNothingUpAndLooksAtShorterPeaks) {
  const Sizing sizing = sized(record(), {.per_second = true});
  EXPECT_DOUBLE_EQ(sizing.rate_units_per_s, 76);  // 2 x (12 + 25 + 1)
  EXPECT_EQ(sizing.capacity_s, 1);
  EXPECT_EQ(sizing.reserve_percent[kOtp], 32);
  EXPECT_THAT(all_of(sizing.reasons), HasSubstr("counts by the second"));
}

TEST(Sizing, NothingIsProposedWhenNothingWasOffered) {
  ShadowReport report = record();
  report.account = {};
  for (ShadowReport::PerLane& lane : report.lanes)
    lane.load = {};
  EXPECT_FALSE(size(report, {}));
}

TEST(Sizing, OtpsAboveThePresentCeilingAreCalledByName) {
  ShadowReport report = record();
  report.rate_per_s = Units::of(5);
  const std::string warnings = all_of(sized(report).warnings);
  EXPECT_THAT(warnings, HasSubstr("OTPs alone came at 8 units/s, above the present ceiling of 5"));
  EXPECT_THAT(warnings, HasSubstr("Ask the provider whether the account takes it"));
}

TEST(Sizing, OtpsThatAreAllThereIsLeaveAPartToTheOthers) {
  ShadowReport report = record();
  report.lanes[kTransactional].load = {};
  report.lanes[kPromotional].load = {};
  const Sizing sizing = sized(report);
  EXPECT_DOUBLE_EQ(sizing.rate_units_per_s, 18);  // 16 are at most 90% of it
  EXPECT_EQ(sizing.reserve_percent[kOtp], 89);
  EXPECT_EQ(sizing.otp_limit_percent, 89);
  EXPECT_THAT(sizing.yaml, HasSubstr("reserve: 89%\n    limit: 89%\n  transactional:\n"
                                     "    reserve: 6%\n  promotional:\n    reserve: 5%\n"));
}

TEST(Sizing, WithoutOtpsTheReserveStaysAsItIs) {
  ShadowReport report = record();
  report.lanes[kOtp].load = {};
  const Sizing sizing = sized(report);
  EXPECT_EQ(sizing.reserve_percent[kOtp], 20);
  EXPECT_THAT(all_of(sizing.reasons), HasSubstr("no OTP was offered, so it stays at 20%"));
}

TEST(Sizing, TinyTrafficIsSizedToWhatAMessageNeeds) {
  ShadowReport report = record();
  for (ShadowReport::PerLane& lane : report.lanes)
    lane.load = load(3, 1, 0.1, 0.02);
  report.account = load(9, 1, 0.2, 0.03);
  const Sizing sizing = sized(report);
  EXPECT_DOUBLE_EQ(sizing.rate_units_per_s, 1);
  EXPECT_EQ(sizing.capacity_s, 25);  // the OTP lane, with its limit of 40%, holds 10 units
  EXPECT_THAT(all_of(sizing.reasons), HasSubstr("the least that is of use"));
  EXPECT_THAT(all_of(sizing.reasons), HasSubstr("the dearest message (10 units"));
}

TEST(Sizing, AShortRecordSaysSoAndACampaignInItIsGivenAnHour) {
  ShadowReport report = record();
  report.recorded = Duration::seconds(600);
  report.lanes[kPromotional].load = load(36'000, 36'000, 3'600, 600);
  const Sizing sizing = sized(report);
  EXPECT_DOUBLE_EQ(sizing.rate_units_per_s, 66);  // 2 x (8 + 15 + 10)
  EXPECT_THAT(sizing.warnings, Contains(HasSubstr("Only 10 min are recorded")));
}

// Whatever was recorded, what comes of it starts.
TEST(Sizing, AConfigurationTakesWhatIsProposed) {
  for (double pace : {0.001, 0.3, 7.0, 450.0, 60'000.0}) {
    for (double otp_part : {0.0, 0.1, 0.5, 1.0}) {
      for (double otp_reserve : {0.0, 0.125, 0.2, 0.4}) {
        for (bool per_second : {false, true}) {
          EngineOptions options;
          options.lanes[kOtp].reserve = otp_reserve;
          options.lanes[kTransactional].reserve = 0.374;
          options.lanes[kPromotional].reserve = 1 - 0.374 - otp_reserve;
          ShadowReport report = record();
          for (size_t i = 0; i < kLanes; ++i) {
            const double part = i == kOtp ? otp_part : (1 - otp_part) / 2;
            report.lanes[i].reserve = options.lanes[i].reserve;
            report.lanes[i].load = {Units::of(1000), 3 * pace * part, 2 * pace * part, pace * part,
                                    pace};
          }
          const Sizing sizing = sized(report, {.per_second = per_second});
          options.ceiling.rate_per_s =
              Units::from_micro(std::llround(sizing.rate_units_per_s * Units::kMicro));
          options.ceiling.capacity = Duration::seconds(sizing.capacity_s);
          for (Lane lane : kAllLanes) {
            const size_t i = index(lane);
            const size_t at = sizing.yaml.find("  " + std::string(name(lane)) + ":\n");
            if (at != std::string::npos)
              options.lanes[i].reserve = sizing.reserve_percent[i] / 100.0;
          }
          options.lanes[kOtp].limit = sizing.otp_limit_percent / 100.0;
          const Status status = check_options(options);
          EXPECT_TRUE(status) << status.error().detail << "\n" << sizing.yaml;
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir
