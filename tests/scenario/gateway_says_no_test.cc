// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

TEST(GatewaySaysNo, AContentErrorIsFinalAndKeepsItsCode) {
  World world;
  world.gateway = [](const Payload&) { return refused_reply("188"); };
  const RequestId request = world.submit(submission("transaction_alert", 1));
  world.run_for(Duration::seconds(60));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kRefused});
  EXPECT_EQ(world.last_reason(request), "content");
  EXPECT_EQ(world.sent().size(), 1);
}

// Credentials are the account's trouble: nothing is lost, nothing is hammered, a person is told.
TEST(GatewaySaysNo, ARefusedAccountStopsTheGatewayAndKeepsTheQueue) {
  World world;
  bool mended = false;
  world.gateway = [&](const Payload&) { return mended ? accepted_reply() : refused_reply("216"); };
  std::vector<RequestId> requests;
  for (uint64_t i = 0; i < 50; ++i)
    requests.push_back(world.submit(submission("delivery_update", i)));
  world.run_for(Duration::seconds(50));
  EXPECT_LE(world.sent().size(), 16);  // one round of the lane's slots
  EXPECT_TRUE(world.view().gateway_paused);
  EXPECT_NE(world.view().gateway_pause_reason.find("auth"), std::string::npos);
  ASSERT_FALSE(world.notes().empty());
  mended = true;
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(120)));
  EXPECT_EQ(world.rows_in(BatchState::kSubmitted), 50);
}

// T45.
TEST(GatewaySaysNo, RetryAfterIsHonouredByEveryCall) {
  World world;
  world.run_for(Duration::seconds(5));
  bool first = true;
  world.gateway = [&](const Payload&) {
    if (!first) return accepted_reply();
    first = false;
    return throttled_reply(Duration::seconds(10));
  };
  world.submit(submission("transaction_alert", 1));
  world.run_for(Duration::seconds(1));
  const MonoTime throttled = world.sent()[0].at + world.latency;
  world.submit(submission("otp", 2));
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(60)));
  ASSERT_EQ(world.sent().size(), 3);
  EXPECT_GE(world.sent()[1].at - throttled, Duration::seconds(10));
  EXPECT_GE(world.sent()[2].at - throttled, Duration::seconds(10));
}

TEST(GatewaySaysNo, RefusedNumbersOfAnAcceptedCallAreKeptApart) {
  World world;
  world.gateway = [](const Payload& payload) {
    GatewayReply reply = accepted_reply();
    reply.rejected = {payload.recipients.front()};
    return reply;
  };
  const RequestId request = world.submit(submission("transaction_alert", 1, 3));
  world.run_for(Duration::seconds(5));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
}

}  // namespace
}  // namespace weir::test
