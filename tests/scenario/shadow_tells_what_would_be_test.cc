// SPDX-License-Identifier: Apache-2.0
//
// A lane in shadow is not held back, and what is told of it is what the same load meets when the
// lane is not in shadow. Tolerances: percentiles 1/32 (the histogram's) and 1 ms; the rest exact
// unless a test says otherwise.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

constexpr Duration kEach = Duration::millis(50);

EngineOptions options_with(bool shadow, Lane lane = Lane::kTransactional) {
  EngineOptions options = test_options();
  options.lanes[index(lane)].shadow = shadow;
  return options;
}

ShadowReport::PerLane told(const World& world, Lane lane = Lane::kTransactional) {
  return world.shadow().lanes[index(lane)];
}

// What was handed in, by the first recipient.
struct Load {
  std::map<uint64_t, MonoTime> asked;
  std::vector<RequestId> requests;

  void ask(World& world, const std::string& class_name, uint64_t number, size_t recipients,
           Duration left = Duration::seconds(590)) {
    Submission one = submission(class_name, number, recipients);
    one.deadline = world.now().wall + left;
    asked[910'000'000'000 + number] = world.now().mono;
    requests.push_back(world.submit(std::move(one)));
  }
  // With 12 recipients three times what the transactional lane may have: 240 units/s against 80.
  void run(World& world, uint64_t messages, Duration left = Duration::seconds(590),
           const std::string& class_name = "transaction_alert", size_t recipients = 12) {
    for (uint64_t i = 0; i < messages; ++i) {
      ask(world, class_name, 100 * i, recipients, left);
      world.run_for(kEach);
    }
  }
};

struct Waits {
  Units passed;
  Units waited;
  std::vector<std::pair<Duration, Units>> all;

  Duration percentile(double q) {
    std::sort(all.begin(), all.end());
    double left = q * waited.as_double();
    for (const auto& [wait, units] : all) {
      left -= units.as_double();
      if (left <= 0) return wait;
    }
    return all.empty() ? Duration() : all.back().first;
  }
};

// From the moment at which a batch was in line to the one at which it had its token: all but the
// two commits.
Waits real_waits(const World& world, const Load& load, Lane lane) {
  Waits waits;
  for (const World::Sent& one : world.sent_in(lane)) {
    const MonoTime from = load.asked.at(one.recipients.front().digits);
    const Duration wait = one.at - from - world.commit_time * 2;
    (wait > Duration() ? waits.waited : waits.passed) += one.cost;
    if (wait > Duration()) waits.all.emplace_back(wait, one.cost);
  }
  return waits;
}

void expect_told(const ShadowView& would, Waits& real) {
  EXPECT_EQ(would.passed, real.passed);
  EXPECT_EQ(would.waited, real.waited);
  for (auto [found, truth] : {std::pair{would.wait_p50, real.percentile(0.5)},
                              std::pair{would.wait_p99, real.percentile(0.99)}}) {
    EXPECT_GE((found + Duration::millis(1)).as_seconds(), truth.as_seconds());
    EXPECT_LE((found - Duration::millis(1)).as_seconds(), truth.as_seconds() * 33 / 32);
  }
}

TEST(ShadowTellsWhatWouldBe, TheSameWaitsAsWithoutShadowAndNobodyWaits) {
  World shadow(options_with(true));
  World real(options_with(false));
  Load in_shadow;
  Load in_earnest;
  for (World* world : {&shadow, &real})
    world->run_for(Duration::seconds(2));  // some pass, then all wait
  in_shadow.run(shadow, 600);
  in_earnest.run(real, 600);
  ASSERT_TRUE(real.run_until_idle(Duration::seconds(600)));
  shadow.run_for(Duration::seconds(600));

  Waits waits = real_waits(real, in_earnest, Lane::kTransactional);
  EXPECT_GT(waits.passed, Units());
  EXPECT_GT(waits.percentile(0.5), Duration::seconds(10));
  expect_told(told(shadow).would, waits);
  EXPECT_EQ(told(shadow).would.decided(), Units::of(600 * 12));
  EXPECT_EQ(told(shadow).would.in_line, Units());

  Waits none = real_waits(shadow, in_shadow, Lane::kTransactional);
  EXPECT_EQ(none.waited, Units());
  EXPECT_EQ(none.passed, Units::of(600 * 12));
}

TEST(ShadowTellsWhatWouldBe, TheSameRefusedAndShedAsWithoutShadowAndNothingIsLost) {
  World shadow(options_with(true));
  World real(options_with(false));
  Load in_shadow;
  Load in_earnest;
  in_shadow.run(shadow, 400, Duration::seconds(5));
  in_earnest.run(real, 400, Duration::seconds(5));
  ASSERT_TRUE(real.run_until_idle(Duration::seconds(600)));
  shadow.run_for(Duration::seconds(600));

  const auto shed = static_cast<int64_t>(real.rows_in(BatchState::kShed)) * 12;
  const auto refused = std::count_if(in_earnest.requests.begin(), in_earnest.requests.end(),
                                     [&](RequestId one) { return real.refused(one) != nullptr; });
  EXPECT_GT(shed, 0);
  EXPECT_GT(refused, 100);
  EXPECT_EQ(told(shadow).would.shed, Units::of(shed));
  EXPECT_EQ(told(shadow).would.refused, Units::of(refused * 12));
  Waits waits = real_waits(real, in_earnest, Lane::kTransactional);
  expect_told(told(shadow).would, waits);
  EXPECT_EQ(shadow.rows_in(BatchState::kShed), 0u);
  EXPECT_EQ(shadow.sent().size(), 400u);
}

// The real door sees a message a commit earlier than the twin, so a few fall on the other side.
TEST(ShadowTellsWhatWouldBe, TheSameAreRefusedAtTheDoorWithinTwoInAHundredAndNoneIs) {
  World shadow(options_with(true, Lane::kOtp));
  World real(options_with(false, Lane::kOtp));
  Load in_shadow;
  Load in_earnest;
  in_shadow.run(shadow, 600, Duration::seconds(20), "otp", 6);  // 120 units/s against 40
  in_earnest.run(real, 600, Duration::seconds(20), "otp", 6);
  const auto refused = [](const World& world, const Load& load) {
    return std::count_if(load.requests.begin(), load.requests.end(),
                         [&](RequestId one) { return world.refused(one) != nullptr; });
  };
  const double truth = 6.0 * static_cast<double>(refused(real, in_earnest));
  EXPECT_GT(truth, 600);
  EXPECT_NEAR(told(shadow, Lane::kOtp).would.refused.as_double(), truth, truth / 50);
  EXPECT_EQ(refused(shadow, in_shadow), 0);
  EXPECT_EQ(shadow.sent_in(Lane::kOtp).size(), 600u);
}

// OTPs above and a campaign below, both in earnest: what the lane in shadow would wait for them is
// told too. The OTPs take the short way, a commit earlier than the twin has it: 20 ms at the most.
TEST(ShadowTellsWhatWouldBe, TheOtherLanesTakeTheirPartAsTheyWould) {
  World shadow(options_with(true));
  World real(options_with(false));
  Load in_shadow;
  Load in_earnest;
  for (auto [world, load] : {std::pair{&shadow, &in_shadow}, std::pair{&real, &in_earnest}}) {
    world->submit(submission("promotional", 900'000, 20'000));
    world->run_for(Duration::seconds(1));
    for (uint64_t i = 0; i < 1'200; ++i) {
      world->submit(submission("otp", 1'000'000 + 100 * i, 2));  // 40 units/s: its limit
      load->ask(*world, "transaction_alert", 100 * i, 4);        // 80 units/s; 60 are left
      world->run_for(kEach);
    }
    world->run_for(Duration::seconds(900));
  }
  Waits waits = real_waits(real, in_earnest, Lane::kTransactional);
  const ShadowView would = told(shadow).would;
  EXPECT_GT(waits.percentile(0.5), Duration::seconds(5));
  EXPECT_EQ(would.passed, waits.passed);
  EXPECT_EQ(would.waited, waits.waited);
  EXPECT_NEAR(would.wait_p50.as_seconds(), waits.percentile(0.5).as_seconds(), 0.5);
  EXPECT_NEAR(would.wait_p99.as_seconds(), waits.percentile(0.99).as_seconds(), 0.8);
}

TEST(ShadowTellsWhatWouldBe, AScheduledBatchIsInLineFromItsTimeOn) {
  World world(options_with(true));
  Submission one = submission("delivery_update", 1, 100);
  one.not_before = world.now().wall + Duration::seconds(60);
  world.submit(one);
  world.run_for(Duration::seconds(30));
  EXPECT_EQ(told(world).would.decided() + told(world).would.in_line, Units());
  world.run_for(Duration::seconds(60));
  EXPECT_EQ(told(world).would.passed, Units::of(100));
  EXPECT_EQ(world.sent().size(), 1u);
}

TEST(ShadowTellsWhatWouldBe, WhatAnEarlierRunLeftIsInLineAgainOnce) {
  World world(options_with(true));
  world.disk_works = true;
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(100)); };
  world.submit(submission("delivery_update", 1, 5));
  world.run_for(Duration::seconds(1));  // throttled: the gateway is paused
  world.submit(submission("delivery_update", 50, 7));
  world.run_for(Duration::seconds(1));
  world.gateway = [](const Payload&) { return accepted_reply(); };
  world.restart();
  world.run_for(Duration::seconds(300));
  EXPECT_EQ(world.rows_in(BatchState::kSubmitted), 2u);
  EXPECT_EQ(told(world).would.decided(), Units::of(7));
}

TEST(ShadowTellsWhatWouldBe, NothingIsTold) {
  World world(options_with(false));
  Load load;
  load.run(world, 100);
  EXPECT_FALSE(told(world).shadow);
  EXPECT_EQ(told(world).would.decided(), Units());
  // What was offered is, for the sizing.
  EXPECT_EQ(told(world).load.offered, Units::of(1'200));
  EXPECT_DOUBLE_EQ(told(world).load.peak_1s_per_s, 240);
  EXPECT_DOUBLE_EQ(world.shadow().account.peak_10s_per_s, 120);
  EXPECT_EQ(world.shadow().recorded, kEach * 100);
}

}  // namespace
}  // namespace weir::test
