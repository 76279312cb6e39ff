// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

// From an empty bucket: what is reserved above the lane has to fill first, and the answer says so.
TEST(PredictedSendTime, CountsWhatHasToFlowInBelowTheLanesFloor) {
  World world;
  const WallTime asked = world.now().wall;
  const RequestId request = world.submit(submission("promotional", 1, 10));
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(60)));
  ASSERT_NE(world.accepted(request), nullptr);
  const Duration predicted = world.accepted(request)->predicted_send_at.value() - asked;
  const Duration took = world.sent().at(0).at - MonoTime::from_ns(3'600'000'000'000);
  EXPECT_GE(predicted, took - Duration::millis(20));
  EXPECT_LE(predicted, took + Duration::millis(20));
}

TEST(PredictedSendTime, CountsTheQueueAhead) {
  World world;
  world.run_for(Duration::seconds(10));
  world.submit(submission("promotional", 1, 1000));
  world.run_for(Duration::millis(10));
  const WallTime asked = world.now().wall;
  const MonoTime asked_mono = world.now().mono;
  const RequestId last = world.submit(submission("promotional", 100'000, 1));
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(60)));
  const Duration predicted = world.accepted(last)->predicted_send_at.value() - asked;
  const Duration took = world.sent().back().at - asked_mono;
  EXPECT_GE(predicted, took - Duration::seconds(1));
  EXPECT_LE(predicted, took + Duration::seconds(1));
}

}  // namespace
}  // namespace weir::test
