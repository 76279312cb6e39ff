// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/rng.h"
#include "tests/support/world.h"

namespace weir::test {
namespace {

TEST(CeilingHolds, InEveryWindowUnderMixedTraffic) {
  World world;
  Rng rng(11);
  const char* classes[] = {"otp", "transaction_alert", "delivery_update", "promotional"};
  for (int i = 0; i < 3000; ++i) {
    const auto which = static_cast<size_t>(rng.up_to(3));
    world.submit(submission(classes[which], 1'000 * static_cast<uint64_t>(i),
                            static_cast<size_t>(1 + rng.up_to(which == 3 ? 80 : 3))));
    world.run_for(Duration::millis(rng.up_to(40)));
  }
  ASSERT_GT(world.sent().size(), 500);
  for (const int64_t ms : {100, 500, 1000, 2000, 5000, 10'000, 30'000}) {
    const Duration window = Duration::millis(ms);
    const Units bound = Units::of(200) + Units::from_micro(100 * 1000 * ms);
    // A grant may leave up to a commit late, so a window can hold what a commit's time granted.
    const Units slack = Units::from_micro(100 * 1000 * world.commit_time.ms());
    EXPECT_LE(most_in_window(world.sent(), window), bound + slack) << ms;
  }
}

TEST(CeilingHolds, AFreshStartIsNoBurst) {
  World world;
  for (int i = 0; i < 20; ++i) {
    world.submit(submission("transaction_alert", 1000 * static_cast<uint64_t>(i), 30));
  }
  world.run_for(Duration::seconds(1));
  EXPECT_LE(units_sent(world.sent()), Units::of(100));
}

// T37: every restart finds the buckets empty, so restarting again and again is no way past them.
TEST(CeilingHolds, FiftyRestartsInAMinuteAreNoBurst) {
  World world;
  for (int i = 0; i < 300; ++i) {
    world.submit(submission("transaction_alert", 1000 * static_cast<uint64_t>(i), 30));
  }
  for (int i = 0; i < 50; ++i) {
    world.run_for(Duration::millis(1200));
    world.restart();
  }
  const Units sent = units_sent(world.sent());
  EXPECT_LE(sent, Units::of(200 + 100 * 60));
  EXPECT_GT(sent, Units());
}

TEST(CeilingHolds, NoLanePassesItsLimit) {
  World world;
  for (int i = 0; i < 40; ++i) {
    Submission pumped = submission("otp", 1000 * static_cast<uint64_t>(i), 50);
    world.submit(pumped);
  }
  world.run_for(Duration::seconds(30));
  // 40 units/s, and 80 saved up.
  EXPECT_LE(most_in_window(world.sent_in(Lane::kOtp), Duration::seconds(10)), Units::of(480));
}

TEST(CeilingHolds, AWallClockThatIsSteppedChangesNothing) {
  auto sent_with_step = [](Duration step) {
    World world;
    for (int i = 0; i < 10; ++i) {
      world.submit(submission("promotional", 1000 * static_cast<uint64_t>(i), 100));
    }
    world.run_for(Duration::seconds(4));
    world.wall_step = step;
    world.run_for(Duration::seconds(4));
    return units_sent(world.sent());
  };
  const Units untouched = sent_with_step(Duration());
  EXPECT_EQ(sent_with_step(Duration::seconds(8 * 3600)), untouched);
  EXPECT_EQ(sent_with_step(Duration::seconds(-8 * 3600)), untouched);
}

TEST(CeilingHolds, WaitingForTokensDoesNotSpin) {
  World world;
  world.submit(submission("promotional", 1, 2000));
  world.run_for(Duration::seconds(2));
  const uint64_t before = world.steps();
  const size_t sent_before = world.sent().size();
  world.run_for(Duration::seconds(10));
  const size_t sent = world.sent().size() - sent_before;
  ASSERT_GT(sent, 5);
  // A wake, a claim, a reply and a record for each batch, and a look at the wall clock each second.
  EXPECT_LE(world.steps() - before, sent * 5 + 20);
}

}  // namespace
}  // namespace weir::test
