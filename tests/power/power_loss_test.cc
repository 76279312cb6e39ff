// SPDX-License-Identifier: Apache-2.0
//
// Power cuts at random moments of random runs: what was answered is there afterwards, and what was
// not is there whole or not at all.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/power/power_fixture.h"

namespace weir {
namespace {

using testing::IsEmpty;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSeeds = 100;
#else
constexpr uint64_t kSeeds = 1000;
#endif
constexpr int kCuts = 3;

class PowerLossTest : public PowerTest {
 protected:
  // What is broken in this run.
  std::vector<std::string> run(uint64_t seed, const std::string& pragma) {
    Workload work(vfs_, path(), seed);
    work.override(pragma);
    work.start_after_cut();
    for (int cut = 0; cut < kCuts && work.broken().empty(); ++cut) {
      for (uint64_t turns = work.rng()() % 12; turns > 0; --turns)
        work.turn();
      work.lose_power();
      work.start_after_cut();
    }
    if (!work.broken().empty()) return work.broken();
    vfs_.stop_at(0);
    work.settle();
    work.repeat_keys();
    return work.broken();
  }
};

TEST_F(PowerLossTest, WhatWasAnsweredIsThereAfterwards) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    ASSERT_THAT(run(seed, ""), IsEmpty()) << "seed " << seed;
}

// The cuts are hard enough to find what a weaker setting loses.
TEST_F(PowerLossTest, SynchronousNormalLosesWhatWasAnswered) {
  constexpr uint64_t kRuns = 100;
  uint64_t lost = 0;
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    const std::vector<std::string> broken = run(seed, "synchronous=NORMAL");
    lost += std::any_of(broken.begin(), broken.end(), [](const std::string& one) {
      return one.ends_with("was acknowledged and is lost");
    });
  }
  RecordProperty("runs_that_lost", std::to_string(lost));
  EXPECT_GE(lost, kRuns / 10);
}

}  // namespace
}  // namespace weir
