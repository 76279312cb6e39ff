// SPDX-License-Identifier: Apache-2.0
//
// The real binary is killed two hundred times: at every point of the straight line where the next
// step would leave a trace, and at any time. After each it is started again and compared with what
// the gateway took.
//
// WEIR_CRASH_ROUNDS sets the rounds of each test, WEIR_CRASH_SEED what they are.
#include <cstdlib>
#include <functional>
#include <iostream>

#include <gtest/gtest.h>

#include "tests/crash/life.h"

namespace weir::test {
namespace {

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

// Rounds of one life after another: files that see one crash, and files that see many.
constexpr size_t kLives[] = {1, 1, 5, 1, 9};

using Choose = std::function<Ending(Life& life, size_t round)>;

Tally live(size_t rounds, uint64_t seed, const Choose& choose) {
  Tally tally;
  for (size_t number = 0; tally.rounds < rounds; ++number) {
    SCOPED_TRACE("WEIR_CRASH_SEED=" + std::to_string(seed) + ", life " + std::to_string(number));
    Life life(seed + number);
    const size_t length = std::min(kLives[number % std::size(kLives)], rounds - tally.rounds);
    for (size_t round = 0; round < length; ++round) {
      life.round(choose(life, tally.rounds), tally);
      if (::testing::Test::HasFailure()) break;
    }
    if (!::testing::Test::HasFailure()) life.compare_all();
    if (::testing::Test::HasFailure()) {
      std::cout << life.last_words();
      return tally;
    }
  }
  return tally;
}

Ending at_a_point(Life& life, size_t round) {
  const Point& point = kPoints[round % std::size(kPoints)];
  Random& random = life.random();
  Ending ending;
  ending.point = &point;
  // Small ones are likelier: the start of a process passes points, too.
  ending.count =
      drawn(random, 1, drawn(random, 1, life.is_new() ? point.most_new : point.most_old));
  ending.power_cut = one_in(random, 3);
  if (point.at_stop) ending.accepted = drawn(random, 1, 30);
  return ending;
}

Ending at_any_time(Life& life, size_t) {
  Random& random = life.random();
  Ending ending;
  const bool accepted = one_in(random, 2);
  (accepted ? ending.accepted : ending.calls) = drawn(random, 1, accepted ? 40 : 60);
  return ending;
}

TEST(Crash, AtEveryPointNothingIsLostAndNothingIsSentTwice) {
  const Tally tally =
      live(setting("WEIR_CRASH_ROUNDS", 140), setting("WEIR_CRASH_SEED", 1), at_a_point);
  std::cout << tally.text() << std::endl;
  for (const auto& [point, times] : tally.tried) {
    EXPECT_TRUE(tally.reached.contains(point) || tally.at_start.contains(point))
        << point << " was tried " << times << " times";
  }
}

TEST(Crash, AtAnyTimeNothingIsLostAndNothingIsSentTwice) {
  const Tally tally =
      live(setting("WEIR_CRASH_ROUNDS", 60), setting("WEIR_CRASH_SEED", 1), at_any_time);
  std::cout << tally.text() << std::endl;
}

}  // namespace
}  // namespace weir::test
