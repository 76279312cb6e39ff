// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

TEST(UnknownIsNeverResent, ACallWithoutAnAnswerEndsAsUnknown) {
  World world;
  world.gateway = [](const Payload&) { return silent_reply(); };
  const RequestId request = world.submit(submission("transaction_alert", 1));
  world.run_for(Duration::seconds(3600));
  EXPECT_EQ(world.sent().size(), 1);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kUnknown});
  EXPECT_EQ(world.last_reason(request), "no_answer");
  EXPECT_EQ(world.view().unknown_batches, 1);
}

TEST(UnknownIsNeverResent, ACodeThatNobodyListedIsNotGuessed) {
  World world;
  world.gateway = [](const Payload&) { return refused_reply("31337"); };
  const RequestId request = world.submit(submission("transaction_alert", 1));
  world.run_for(Duration::seconds(60));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kUnknown});
  EXPECT_EQ(world.last_reason(request), "unlisted_reply");
  EXPECT_EQ(world.sent().size(), 1);
}

TEST(UnknownIsNeverResent, WhatWasClaimedWhenWeirDiedIsUnknownAfterTheRestart) {
  World world;
  world.latency = Duration::seconds(10);
  const RequestId request = world.submit(submission("transaction_alert", 1));
  world.run_for(Duration::seconds(5));
  ASSERT_EQ(world.sent().size(), 1);
  world.restart();
  world.run_for(Duration::seconds(60));
  EXPECT_EQ(world.sent().size(), 1);
  EXPECT_EQ(world.states(request), std::vector{BatchState::kUnknown});
  EXPECT_EQ(world.view().unknown_batches, 1);
}

}  // namespace
}  // namespace weir::test
