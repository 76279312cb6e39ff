// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

// The gateway has asked for 5 s of quiet.
class PauseHoldsLeases : public testing::Test {
 protected:
  PauseHoldsLeases() {
    world_.run_for(Duration::seconds(2));
    world_.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(5)); };
    world_.submit(submission("otp", 1));
    world_.run_for(Duration::millis(300));
    EXPECT_TRUE(world_.view().gateway_paused);
    world_.gateway = [](const Payload&) { return accepted_reply(); };
  }

  World world_;
};

TEST_F(PauseHoldsLeases, UntilItEnds) {
  const RequestId waits = world_.acquire("promotional", Units::of(10), Duration::seconds(20));
  world_.run_for(Duration::seconds(4));
  ASSERT_TRUE(world_.view().gateway_paused);
  EXPECT_EQ(world_.lease_answer(waits), nullptr);
  world_.run_for(Duration::seconds(2));
  ASSERT_NE(world_.lease_answer(waits), nullptr);
  EXPECT_EQ(world_.lease_answer(waits)->result, AnswerLease::Result::kGranted);
  EXPECT_GT(world_.lease_answer(waits)->waited, Duration::seconds(4));
}

TEST_F(PauseHoldsLeases, AndThoseWithLessPatienceAreDeniedAtOnce) {
  const RequestId hasty = world_.acquire("promotional", Units::of(10), Duration::seconds(1));
  ASSERT_NE(world_.lease_answer(hasty), nullptr);
  EXPECT_EQ(world_.lease_answer(hasty)->result, AnswerLease::Result::kDenied);
  EXPECT_GT(world_.lease_answer(hasty)->retry_after, Duration::seconds(4));
}

TEST_F(PauseHoldsLeases, AndAStopSendsThemAway) {
  const RequestId waits = world_.acquire("promotional", Units::of(10), Duration::seconds(20));
  world_.drain();
  ASSERT_NE(world_.refused(waits), nullptr);
  EXPECT_EQ(world_.refused(waits)->code, RefusalCode::kDraining);
  const RequestId late = world_.acquire("promotional", Units::of(10));
  ASSERT_NE(world_.refused(late), nullptr);
  EXPECT_EQ(world_.refused(late)->code, RefusalCode::kDraining);
}

}  // namespace
}  // namespace weir::test
