// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

TEST(BackoffWithinTheDeadline, AGatewayThatIsAwayIsWaitedForAndNothingIsLost) {
  World world;
  world.run_for(Duration::seconds(5));
  bool up = false;
  world.gateway = [&](const Payload&) { return up ? accepted_reply() : unreachable_reply(); };
  for (uint64_t i = 0; i < 20; ++i)
    world.submit(submission("transaction_alert", i));
  world.run_for(Duration::seconds(60));
  EXPECT_EQ(world.rows_in(BatchState::kPending), 20);
  up = true;
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(60)));
  EXPECT_EQ(world.rows_in(BatchState::kSubmitted), 20);
}

TEST(BackoffWithinTheDeadline, AMinuteOfOutageIsNotHammered) {
  World world;
  world.gateway = [](const Payload&) { return unreachable_reply(); };
  for (uint64_t i = 0; i < 200; ++i)
    world.submit(submission("delivery_update", i));
  world.run_for(Duration::seconds(60));
  // Rounds of 16 slots, further and further apart, at least every 5 s.
  EXPECT_LT(world.sent().size(), 16 * 60);
  EXPECT_GE(world.sent().size(), 16 * 5);
}

TEST(BackoffWithinTheDeadline, RetriesNeverMoveTheDeadline) {
  World world;
  world.run_for(Duration::seconds(5));
  world.gateway = [](const Payload&) { return throttled_reply(); };
  const RequestId request = world.submit(submission("transaction_alert", 1));
  const WallTime deadline = world.now().wall + Duration::seconds(600);
  world.run_for(Duration::seconds(599));
  EXPECT_GT(world.sent().size(), 5);
  world.run_for(Duration::seconds(60));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kShed});
  EXPECT_EQ(world.accepted(request)->message.deadline, deadline);
}

// T44. Two engines that differ in their seed only: their retries do not march in step.
TEST(BackoffWithinTheDeadline, JitterSpreadsRetries) {
  auto second_call = [](uint64_t seed) {
    EngineOptions options = test_options();
    options.seed = seed;
    World world(options);
    world.gateway = [](const Payload&) { return throttled_reply(); };
    world.submit(submission("transaction_alert", 1));
    world.run_for(Duration::seconds(30));
    return world.sent().at(1).at - world.sent().at(0).at;
  };
  std::set<int64_t> waits;
  for (uint64_t seed = 1; seed <= 20; ++seed)
    waits.insert(second_call(seed).ns());
  EXPECT_GT(waits.size(), 15);
}

}  // namespace
}  // namespace weir::test
