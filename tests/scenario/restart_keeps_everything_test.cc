// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <gtest/gtest.h>

#include "engine/rng.h"
#include "tests/support/world.h"

namespace weir::test {
namespace {

// Killed again and again at odd moments: every accepted recipient is sent, unknown or shed, and
// nobody is sent to twice.
TEST(RestartKeepsEverything, UnderTwentyKills) {
  World world;
  Rng rng(23);
  std::vector<RequestId> accepted;
  uint64_t number = 0;
  for (int life = 0; life < 20; ++life) {
    for (int i = 0; i < 10; ++i) {
      number += 100;
      accepted.push_back(world.submit(submission("delivery_update", number, 7)));
      world.run_for(Duration::millis(rng.up_to(60)));
    }
    world.run_for(Duration::millis(rng.up_to(2000)));
    world.restart();
  }
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(3600)));
  std::map<uint64_t, int> calls;
  for (const World::Sent& one : world.sent()) {
    for (Recipient recipient : one.recipients)
      calls[recipient.digits] += 1;
  }
  for (const auto& [recipient, times] : calls)
    EXPECT_EQ(times, 1) << recipient;
  size_t answered = 0;
  for (RequestId request : accepted) {
    if (world.accepted(request) == nullptr) continue;  // killed before its commit: never promised
    answered += 1;
    for (BatchState state : world.states(request)) {
      EXPECT_TRUE(state == BatchState::kSubmitted || state == BatchState::kUnknown) << name(state);
    }
  }
  EXPECT_GT(answered, 150);
  EXPECT_GT(world.rows_in(BatchState::kUnknown), 0);
}

TEST(RestartKeepsEverything, IdsGoOnWhereTheyWere) {
  World world;
  const RequestId first = world.submit(submission("delivery_update", 1));
  world.run_for(Duration::seconds(1));
  world.restart();
  const RequestId second = world.submit(submission("delivery_update", 2));
  world.run_for(Duration::seconds(1));
  EXPECT_LT(raw(world.accepted(first)->message.id), raw(world.accepted(second)->message.id));
}

}  // namespace
}  // namespace weir::test
