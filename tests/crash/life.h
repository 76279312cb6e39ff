// SPDX-License-Identifier: Apache-2.0
//
// One database and one gateway, through one or several rounds. A round hands in some traffic, kills
// weir in the middle of it, starts it again on the same file, hands in what is left, waits until
// nothing is under way, and compares.
//
// Everything that is chosen follows from the seed; what the threads of four producers, weir and the
// gateway make of it does not.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/crash/comparison.h"
#include "tests/crash/points.h"
#include "tests/crash/traffic.h"
#include "tests/e2e/rig.h"

namespace weir::test {

// How weir ends in a round. If it does not come to that, it is ended when it has nothing to do.
struct Ending {
  const Point* point = nullptr;
  uint32_t count = 0;  // the how-manieth time that the point is passed
  // What was not synced then is lost, as by a power cut.
  bool power_cut = false;
  // When so many acceptances or calls were seen; 0: they are not looked at. It is ended by a
  // signal: to stop, if the point is at a stop, else to be killed.
  uint32_t accepted = 0;
  uint32_t calls = 0;

  bool by_stop() const { return point != nullptr && point->at_stop; }
  std::string text() const;
};

// Of all rounds of a test together.
struct Tally {
  size_t rounds = 0;
  size_t kills = 0;
  size_t while_recovering = 0;           // of the kills; at a point
  size_t in_doubt = 0;                   // submissions at the kill
  std::chrono::milliseconds longest{0};  // of the rounds; told, not judged
  Findings found;
  // Rounds by point.
  std::map<std::string, size_t> tried;
  std::map<std::string, size_t> reached;   // while it took messages, or stopped
  std::map<std::string, size_t> at_start;  // before it listened

  std::string text() const;
};

class Life {
 public:
  explicit Life(uint64_t seed);

  Random& random() { return random_; }
  bool is_new() const { return rounds_ == 0; }
  void round(const Ending& ending, Tally& tally);
  // At its end: over all rounds.
  void compare_all();
  // What weir said in the last round, before it died and after.
  std::string last_words();

 private:
  void end_idle_weir();
  void run_until_dead(const Ending& ending, Tally& tally);
  void take_traffic(Process& weir, const Ending& ending);
  void die_while_recovering(Tally& tally);
  void recover(size_t first);
  std::string mark() const { return rig_.folder() + "/reached"; }
  std::vector<std::string> environment(const Ending& ending) const;

  Random random_;
  Rig rig_;
  std::vector<Submission> all_;
  size_t rounds_ = 0;
  size_t kills_ = 0;
  std::string last_words_;  // of the weir that was killed in this round
};

}  // namespace weir::test
