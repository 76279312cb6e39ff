// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

TEST(Drain, RefusesNewWorkFinishesWhatIsInFlightAndLeavesTheRestOnDisk) {
  World world;
  world.latency = Duration::seconds(3);
  world.submit(submission("promotional", 1, 1000));
  world.run_for(Duration::seconds(5));
  const size_t sent = world.sent().size();
  ASSERT_GT(sent, 0);
  world.drain();
  const RequestId late = world.submit(submission("otp", 1));
  ASSERT_NE(world.refused(late), nullptr);
  EXPECT_EQ(world.refused(late)->code, RefusalCode::kDraining);
  EXPECT_FALSE(world.drained());
  world.run_for(Duration::seconds(10));
  EXPECT_TRUE(world.drained());
  EXPECT_EQ(world.sent().size(), sent);
  EXPECT_EQ(world.rows_in(BatchState::kClaimed), 0);
  EXPECT_EQ(world.rows_in(BatchState::kUnknown), 0);
  EXPECT_GT(world.rows_in(BatchState::kPending), 0);
}

}  // namespace
}  // namespace weir::test
