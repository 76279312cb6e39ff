// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

// The promise of the first release: 50,000 recipients wait, an OTP comes, it is the next to go.
TEST(OtpBeatsCampaign, AmongFiftyThousandQueuedRecipients) {
  World world;
  for (int i = 0; i < 50; ++i) {
    world.submit(submission("promotional", 1'000'000 + 1000 * i, 1000));
  }
  world.run_for(Duration::seconds(5));
  EXPECT_GT(world.lane(Lane::kPromotional).pending_units, Units::of(48'000));

  const size_t before = world.sent().size();
  const MonoTime asked = world.now().mono;
  const RequestId otp = world.submit(submission("otp", 1));
  world.run_for(world.latency + world.commit_time);
  ASSERT_NE(world.accepted(otp), nullptr);
  const auto otps = world.sent_in(Lane::kOtp);
  ASSERT_EQ(otps.size(), 1);
  EXPECT_LE(otps[0].at - asked, world.latency);
  EXPECT_EQ(world.sent()[before].lane, Lane::kOtp);
}

// What is reserved is there however long the campaign has been saturating.
TEST(OtpBeatsCampaign, OtpsAtTheirReserveAreNeverDenied) {
  World world;
  for (int i = 0; i < 70; ++i) {
    world.submit(submission("promotional", 1'000'000 + 1000 * i, 1000));
  }
  world.run_for(Duration::seconds(10));
  // The reserve is 20 units/s: one OTP every 50 ms, for 10 minutes.
  std::vector<std::pair<RequestId, MonoTime>> asked;
  for (int i = 0; i < 12'000; ++i) {
    asked.emplace_back(world.submit(submission("otp", static_cast<uint64_t>(i))), world.now().mono);
    world.run_for(Duration::millis(50));
  }
  const auto otps = world.sent_in(Lane::kOtp);
  ASSERT_EQ(otps.size(), asked.size());
  for (size_t i = 0; i < otps.size(); ++i) {
    EXPECT_LE(otps[i].at - asked[i].second, world.commit_time) << i;
  }
  EXPECT_GT(world.lane(Lane::kPromotional).pending_rows, 0) << "the campaign did not last";
}

// Five times the reserve, as a robot at a login page asks for codes: the OTP lane gets its limit,
// and what that leaves is the campaign's.
TEST(OtpBeatsCampaign, APumpedOtpLaneLeavesTheRest) {
  World world;
  for (int i = 0; i < 20; ++i) {
    world.submit(submission("promotional", 1'000'000 + 1000 * i, 1000));
  }
  world.run_for(Duration::seconds(10));
  const size_t before = world.sent_in(Lane::kPromotional).size();
  const size_t otps_before = world.sent_in(Lane::kOtp).size();
  for (int i = 0; i < 10'000; ++i) {
    world.submit(submission("otp", static_cast<uint64_t>(i)));
    world.run_for(Duration::millis(10));
  }
  const Units otps = units_sent(world.sent_in(Lane::kOtp), otps_before);
  const Units promotional = units_sent(world.sent_in(Lane::kPromotional), before);
  // 40 of 100 units/s is the limit, with 80 saved up; 60 units/s are left for 100 s.
  EXPECT_LE(otps, Units::of(4'000 + 80));
  EXPECT_GE(otps, Units::of(3'900));
  EXPECT_GE(promotional, Units::of(5'700));
}

// A campaign of single messages takes every token that it may as soon as it is there, and so holds
// the account just above its own floor. A batch of an upper lane that needs more than lies between
// the two floors (here 60 units) must still get its turn.
TEST(OtpBeatsCampaign, ALargeAlertIsNotStarvedBySmallPromotions) {
  World world;
  for (uint64_t i = 0; i < 10'000; ++i)
    world.submit(submission("promotional", 1'000'000 + i));
  world.run_for(Duration::seconds(10));
  const MonoTime asked = world.now().mono;
  const RequestId alert = world.submit(submission("transaction_alert", 1, 100));
  world.run_for(Duration::seconds(5));
  ASSERT_NE(world.accepted(alert), nullptr);
  const auto alerts = world.sent_in(Lane::kTransactional);
  ASSERT_EQ(units_sent(alerts), Units::of(100));
  // 100 units at 80 of 100 units/s, and the account refills what it lacks meanwhile.
  EXPECT_LE(alerts.back().at - asked, Duration::seconds(2));
  EXPECT_GT(world.lane(Lane::kPromotional).pending_rows, 0) << "the campaign did not last";
}

TEST(OtpBeatsCampaign, AnIdleReserveFlowsDown) {
  World world;
  for (int i = 0; i < 20; ++i) {
    world.submit(submission("promotional", 1'000'000 + 1000 * i, 1000));
  }
  world.run_for(Duration::seconds(10));
  const size_t before = world.sent().size();
  world.run_for(Duration::seconds(100));
  EXPECT_GE(units_sent(world.sent(), before),
            Units::of(9'900));  // of 10,000 that the account grants in 100 s
}

}  // namespace
}  // namespace weir::test
