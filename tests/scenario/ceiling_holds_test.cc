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

// T37: what a crash leaves is empty, so crashing again and again is no way past the buckets.
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

// The same for orderly stops, which leave the levels to the next run: nothing is lost by them
// either.
TEST(CeilingHolds, FiftyOrderlyRestartsInAMinuteGoOnFromWhatWasLeft) {
  World world;
  for (int i = 0; i < 300; ++i) {
    world.submit(submission("transaction_alert", 1000 * static_cast<uint64_t>(i), 30));
  }
  const MonoTime begin = world.now().mono;
  for (int i = 0; i < 50; ++i) {
    world.run_for(Duration::millis(900));
    world.drain();
    world.run_for(Duration::millis(300));
    ASSERT_TRUE(world.drained()) << i;
    world.restart();
  }
  const double seconds = (world.now().mono - begin).as_seconds();
  const double sent = units_sent(world.sent()).as_double();
  EXPECT_LE(sent, 200 + 100 * seconds);
  EXPECT_GE(sent, 0.75 * 80 * seconds);  // the lane's limit, and a quarter of the time stopped
}

TEST(CeilingHolds, AnOrderlyStopKeepsAFullBucketAndACrashDoesNot) {
  auto sent_at_once = [](bool orderly) {
    World world;
    world.run_for(Duration::seconds(10));  // full: 200 units, of which the lane can hold 160
    if (orderly) {
      world.drain();
      world.run_for(Duration::millis(10));
    }
    world.restart();
    for (int i = 0; i < 20; ++i)
      world.submit(submission("transaction_alert", 1000 * static_cast<uint64_t>(i), 20));
    world.run_for(Duration::millis(10));
    return units_sent(world.sent());
  };
  EXPECT_EQ(sent_at_once(true), Units::of(160));
  EXPECT_EQ(sent_at_once(false), Units());
}

// What would not have flowed in while the gateway asked for a wait does not come by a restart.
TEST(CeilingHolds, AStopDuringAThrottlesPauseForfeitsThePauseToo) {
  World world;
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(60)); };
  world.run_for(Duration::millis(500));  // 20 units for the OTP lane
  world.submit(submission("otp", 1));
  world.run_for(Duration::millis(300));  // throttled after 0.7 s, with 27 left
  world.run_for(Duration::seconds(20));
  world.drain();
  world.run_for(Duration::millis(10));
  ASSERT_TRUE(world.drained());
  world.restart();
  EXPECT_GE(world.lane(Lane::kOtp).level, Units::of(27));
  EXPECT_LE(world.lane(Lane::kOtp).level, Units::of(29));
}

// Levels are for one run only: a crash after it finds none.
TEST(CeilingHolds, LevelsAreGivenOutOnce) {
  World world;
  world.run_for(Duration::seconds(10));
  world.drain();
  world.run_for(Duration::millis(10));
  world.restart();
  EXPECT_EQ(world.lane(Lane::kOtp).level, Units::of(80));
  world.restart();
  EXPECT_EQ(world.lane(Lane::kOtp).level, Units());
}

// Only the front of a lane is tried, so what is small does not overtake what is large.
TEST(CeilingHolds, T09SmallBatchesDoNotStarveALargeOneOfTheirLane) {
  EngineOptions options = test_options();
  for (Lane lane : kAllLanes) {
    options.lanes[index(lane)].reserve = 0;
    options.lanes[index(lane)].limit = 1;
  }
  World world(options);
  for (uint64_t i = 0; i < 500; ++i)
    world.submit(submission("delivery_update", 10 * i));
  const RequestId large = world.submit(submission("delivery_update", 1'000'000, 150));
  for (uint64_t i = 0; i < 1'000; ++i)
    world.submit(submission("delivery_update", 2'000'000 + 10 * i));
  // 500 units stand before it; then its own, at 100 units/s, and a tenth.
  world.run_for(Duration::millis(6'500 + 150) + world.latency);
  EXPECT_EQ(world.states(large), std::vector{BatchState::kSubmitted});
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

// T14, T15.
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

// T27.
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
