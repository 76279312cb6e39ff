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
  for (int i = 0; i < 30; ++i) {
    world.submit(submission("promotional", 1'000'000 + 1000 * i, 1000));
  }
  world.run_for(Duration::seconds(10));
  // The reserve is 20 units/s: one OTP every 50 ms.
  std::vector<std::pair<RequestId, MonoTime>> asked;
  for (int i = 0; i < 400; ++i) {
    asked.emplace_back(world.submit(submission("otp", static_cast<uint64_t>(i))), world.now().mono);
    world.run_for(Duration::millis(50));
  }
  const auto otps = world.sent_in(Lane::kOtp);
  ASSERT_EQ(otps.size(), asked.size());
  for (size_t i = 0; i < otps.size(); ++i) {
    EXPECT_LE(otps[i].at - asked[i].second, world.commit_time) << i;
  }
}

TEST(OtpBeatsCampaign, AnIdleReserveFlowsDown) {
  World world;
  for (int i = 0; i < 20; ++i) {
    world.submit(submission("promotional", 1'000'000 + 1000 * i, 1000));
  }
  world.run_for(Duration::seconds(10));
  const size_t before = world.sent().size();
  world.run_for(Duration::seconds(100));
  Units sent;
  for (size_t i = before; i < world.sent().size(); ++i)
    sent += world.sent()[i].cost;
  EXPECT_GE(sent, Units::of(9'800));  // of 10,000 that the account grants in 100 s
}

}  // namespace
}  // namespace weir::test
