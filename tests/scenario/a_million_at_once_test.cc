// SPDX-License-Identifier: Apache-2.0
//
// A million batches change at the same instant. The simulated world keeps every row and would be
// the larger part of the test, so the store's answers are given here.
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

constexpr int64_t kMillion = 1'000'000;

class AMillionAtOnce : public testing::Test {
 protected:
  // A million batches of the promotional lane from an earlier run.
  void start(WallTime not_before, WallTime deadline) {
    Restored found;
    found.pending.reserve(kMillion);
    for (int64_t id = 1; id <= kMillion; ++id) {
      Head head;
      head.id = BatchId{id};
      head.cost = Units::of(1);
      head.deadline = deadline;
      head.eligible = now_.wall;
      found.pending.push_back({Lane::kPromotional, "promotional", not_before, head});
    }
    found.next_batch = BatchId{kMillion + 1};
    step(std::move(found));
  }

  void pass(Duration time) {
    now_.mono = now_.mono + time;
    now_.wall = now_.wall + time;
  }

  // The store and the gateway answer at once.
  void step(Event event) {
    Effects effects;
    engine_.step(now_, std::move(event), effects);
    steps_ += 1;
    longest_ = std::max(longest_, effects.size());
    for (Effect& effect : effects)
      answer(effect);
  }

  void answer(Effect& effect) {
    if (auto* record = std::get_if<Record>(&effect)) {
      shed_ += record->to == BatchState::kShed ? 1 : 0;
      recorded_.push_back(record->batch);
    } else if (auto* persist = std::get_if<Persist>(&effect)) {
      const bool claimed = persist->draft->claim_first;
      ASSERT_TRUE(claimed) << "an OTP that finds its lane free goes the direct way";
      otp_persisted_at_ = steps_;
    }
  }

  // Until nothing is due at this instant.
  void settle() {
    while (!recorded_.empty() || engine_.next_wake() <= now_.mono) {
      if (recorded_.empty()) {
        step(Wake{});
        continue;
      }
      const BatchId done = recorded_.back();
      recorded_.pop_back();
      step(Recorded{done});
    }
  }

  Now now_{MonoTime::from_ns(3'600'000'000'000), WallTime::from_unix_ms(1'796'000'000'000)};
  const EngineOptions options_ = test_options();
  Engine engine_{now_, options_};
  // What one step may do, and a word about it.
  const size_t most_ = options_.slice + 1;
  std::vector<BatchId> recorded_;
  int64_t shed_ = 0;
  size_t longest_ = 0;
  uint64_t steps_ = 0;
  uint64_t otp_persisted_at_ = 0;
};

TEST_F(AMillionAtOnce, ExpireInSlicesAndAnOtpInTheMiddleGoesAtOnce) {
  start(now_.wall, now_.wall + Duration::seconds(20));
  pass(Duration::seconds(20));
  longest_ = 0;
  for (int turn = 0; turn < 20; ++turn)
    step(Wake{});
  EXPECT_GT(shed_, 0);
  EXPECT_LT(shed_, kMillion / 2);
  const uint64_t asked = steps_;
  step(Submitted{RequestId{1}, submission("otp", 1)});
  EXPECT_EQ(otp_persisted_at_, asked + 1);
  settle();
  EXPECT_EQ(shed_, kMillion);
  EXPECT_LE(longest_, most_);
}

TEST_F(AMillionAtOnce, ComeDueInSlices) {
  start(now_.wall + Duration::seconds(20), now_.wall + Duration::seconds(86'400));
  pass(Duration::seconds(20));
  const uint64_t before = steps_;
  while (engine_.next_wake() <= now_.mono)
    step(Wake{});
  EXPECT_GE(steps_ - before, kMillion / options_.slice);
}

}  // namespace
}  // namespace weir::test
