// SPDX-License-Identifier: Apache-2.0
//
// What producers are told: up at once, down late, and never to and fro.
#include <gmock/gmock.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using testing::ElementsAre;

// Slow from 500 units on, pause from 900; 10 units a second leave.
EngineOptions small_lane() {
  EngineOptions options = test_options();
  LaneOptions& lane = options.lanes[index(Lane::kPromotional)];
  lane.max_units = Units::of(1000);
  return options;
}

std::vector<std::string> changes(const World& world) {
  std::vector<std::string> words;
  for (const PressureChanged& one : world.pressure_changes())
    words.push_back(std::string(name(one.lane)) + " " + std::string(name(one.to)));
  return words;
}

TEST(Pressure, RisesWithTheDepthAndFallsWithItAndDoesNotFlap) {
  World world(small_lane());
  uint64_t first = 0;
  for (; first < 950; first += 10) {
    world.submit(submission("promotional", first, 10));
    world.run_for(Duration::millis(1));
  }
  EXPECT_THAT(changes(world), ElementsAre("promotional slow", "promotional pause"));
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(600)));
  world.run_for(Duration::seconds(1));
  EXPECT_THAT(changes(world), ElementsAre("promotional slow", "promotional pause",
                                          "promotional slow", "promotional clear"));
}

TEST(Pressure, ADepthThatSwaysAroundItsBoundIsOneChange) {
  World world(small_lane());
  uint64_t first = 0;
  const auto top_up = [&] {
    for (; world.lane(Lane::kPromotional).pending_units < Units::of(510); first += 10) {
      world.submit(submission("promotional", first, 10));
      world.run_for(Duration::millis(1));
    }
  };
  top_up();
  for (int sways = 0; sways < 20; ++sways) {
    while (world.lane(Lane::kPromotional).pending_units > Units::of(450))
      world.run_for(Duration::millis(100));
    top_up();
  }
  EXPECT_THAT(changes(world), ElementsAre("promotional slow"));
}

TEST(Pressure, AnOtpGoesAsEverWhileBulkIsPausedAtItsBound) {
  World world(small_lane());
  for (uint64_t first = 0; first < 1000; first += 10) {
    world.submit(submission("promotional", first, 10));
    world.run_for(Duration::millis(1));
  }
  ASSERT_EQ(world.lane(Lane::kPromotional).pressure, Pressure::kPause);
  for (int i = 0; i < 20; ++i) {
    world.run_for(Duration::seconds(1));
    const MonoTime asked = world.now().mono;
    const RequestId otp = world.submit(submission("otp", 900'000 + static_cast<uint64_t>(i)));
    world.run_for(Duration::millis(20));
    ASSERT_NE(world.accepted(otp), nullptr);
    EXPECT_EQ(world.accepted(otp)->pressure, Pressure::kClear);
    EXPECT_LE(world.sent_in(Lane::kOtp).back().at - asked, Duration::millis(10));
  }
}

TEST(Pressure, WhoWaitsAsSuggestedIsNeverPaused) {
  World world(small_lane());
  uint64_t first = 0;
  Duration delay;
  for (int sent = 0; sent < 300; ++sent, first += 10) {
    const RequestId request = world.submit(submission("promotional", first, 10));
    world.run_for(std::max(delay, Duration::millis(1)));
    ASSERT_NE(world.accepted(request), nullptr) << sent;
    delay = world.accepted(request)->suggested_delay;
  }
  EXPECT_THAT(changes(world),
              testing::Each(testing::AnyOf("promotional slow", "promotional clear")));
}

TEST(Pressure, WhatIsLateForAClassIsShed) {
  World world;
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(3600)); };
  world.submit(submission("otp", 1));
  world.run_for(Duration::seconds(2));
  EXPECT_EQ(world.lane(Lane::kOtp).pressure, Pressure::kShed);
}

}  // namespace
}  // namespace weir::test
