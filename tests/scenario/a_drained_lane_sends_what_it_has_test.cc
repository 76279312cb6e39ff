// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

class ADrainedLane : public testing::Test {
 protected:
  void SetUp() override { world_.run_for(Duration::seconds(10)); }
  RequestId hand_in(std::string class_name, std::string key = "") {
    Submission one = submission(std::move(class_name), 1);
    one.key = std::move(key);
    const RequestId request = world_.submit(std::move(one));
    world_.run_for(Duration::millis(5));
    return request;
  }

  World world_;
};

TEST_F(ADrainedLane, RefusesTheNewAndSendsTheOld) {
  std::vector<RequestId> old;
  for (int i = 0; i < 300; ++i)
    old.push_back(world_.submit(submission("promotional", static_cast<uint64_t>(i))));
  world_.run_for(Duration::millis(100));
  world_.stop_lane(Lane::kPromotional, StopMode::kDraining);
  world_.run_for(Duration::millis(10));
  const RequestId refused = hand_in("promotional");
  ASSERT_NE(world_.refused(refused), nullptr);
  EXPECT_EQ(world_.refused(refused)->code, RefusalCode::kLaneDraining);
  EXPECT_NE(world_.refused(refused)->detail.find("the test says so"), std::string::npos);
  EXPECT_TRUE(world_.refused(refused)->retry_after);
  EXPECT_NE(world_.accepted(hand_in("otp")), nullptr);
  EXPECT_TRUE(world_.run_until_idle(Duration::seconds(60)));
  for (RequestId one : old)
    EXPECT_EQ(world_.states(one), std::vector{BatchState::kSubmitted});
  world_.stop_lane(Lane::kPromotional, StopMode::kNone);
  world_.run_for(Duration::millis(10));
  EXPECT_NE(world_.accepted(hand_in("promotional")), nullptr);
}

TEST_F(ADrainedLane, StillTellsWhoRepeatsAnAcceptedMessageThatItWas) {
  const RequestId first = hand_in("promotional", "order-1");
  world_.stop_lane(Lane::kPromotional, StopMode::kDraining);
  world_.run_for(Duration::millis(10));
  const RequestId again = hand_in("promotional", "order-1");
  ASSERT_NE(world_.accepted(again), nullptr);
  EXPECT_TRUE(world_.accepted(again)->replayed);
  EXPECT_EQ(world_.accepted(again)->message.id, world_.accepted(first)->message.id);
  EXPECT_NE(world_.refused(hand_in("promotional", "order-2")), nullptr);
}

TEST_F(ADrainedLane, OrOneClassOfIt) {
  world_.stop_class("transaction_alert", StopMode::kDraining);
  world_.run_for(Duration::millis(10));
  const RequestId refused = hand_in("transaction_alert");
  ASSERT_NE(world_.refused(refused), nullptr);
  EXPECT_EQ(world_.refused(refused)->code, RefusalCode::kClassDraining);
  EXPECT_NE(world_.accepted(hand_in("delivery_update")), nullptr);
  world_.restart();
  EXPECT_NE(world_.refused(hand_in("transaction_alert")), nullptr);
}

}  // namespace
}  // namespace weir::test
