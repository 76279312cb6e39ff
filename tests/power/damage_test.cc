// SPDX-License-Identifier: Apache-2.0
//
// A database file that was damaged while weir was stopped: a page of which only a part was written,
// and a byte that flipped. Where SQLite notices, a start or the reading of a message says
// that it cannot; nothing crashes, then or in the work that follows.
//
// Limits: SQLite keeps no sum over its pages. A byte that flips inside of a value gives another
// value, and a page that ends in zeros may read as one with fewer rows; nobody can tell. The test
// counts those (property `different`) and asserts nothing of them.
#include <string>

#include <gmock/gmock.h>

#include "tests/power/power_fixture.h"

namespace weir {
namespace {

constexpr uint64_t kRuns = 200;
constexpr size_t kPage = 4096;
constexpr size_t kSector = 512;

class DamageTest : public PowerTest {
 protected:
  // Of the runs: how many said in words that they cannot, read all as it was, or read another
  // thing.
  struct Ends {
    uint64_t refused = 0;
    uint64_t intact = 0;
    uint64_t different = 0;
  };

  using Damage = void (*)(std::string& content, Rng& rng);

  void run(uint64_t seed, Damage damage, Ends& ends) {
    Workload work(vfs_, path(), seed);
    ASSERT_TRUE(work.start()) << work.words();
    for (int i = 0; i < 12; ++i)
      work.turn();
    work.settle();
    work.drop();  // the log is folded into the file
    ASSERT_EQ(vfs_.content(path() + "-wal"), "");
    std::string content = vfs_.content(path());
    ASSERT_GE(content.size(), kPage);
    damage(content, work.rng());
    vfs_.replace(path(), content);
    if (!work.start()) {
      EXPECT_NE(work.words(), "");
      ++ends.refused;
      return;
    }
    ++(said_unreadable(work) ? ends.refused : work.broken().empty() ? ends.intact : ends.different);
    if (!work.broken().empty()) return;
    for (int i = 0; i < 12; ++i)
      work.turn();
  }

  Ends run_all(Damage damage) {
    Ends ends;
    for (uint64_t seed = 1; seed <= kRuns && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      run(seed, damage, ends);
    }
    RecordProperty("refused", std::to_string(ends.refused));
    RecordProperty("intact", std::to_string(ends.intact));
    RecordProperty("different", std::to_string(ends.different));
    return ends;
  }

 private:
  static bool said_unreadable(const Workload& work) {
    for (const std::string& one : work.broken()) {
      if (one.ends_with("cannot be read")) return true;
    }
    return false;
  }
};

TEST_F(DamageTest, ATornPageCrashesNothingAndMayBeTold) {
  const Ends ends = run_all([](std::string& content, Rng& rng) {
    const size_t page = rng() % (content.size() / kPage) * kPage;
    const size_t written = (1 + rng() % (kPage / kSector - 1)) * kSector;
    content.replace(page + written, kPage - written, kPage - written, '\0');
  });
  EXPECT_GT(ends.refused, 0U);
}

TEST_F(DamageTest, AFlippedByteCrashesNothingAndMayBeTold) {
  const Ends ends = run_all([](std::string& content, Rng& rng) {
    char& byte = content[rng() % content.size()];
    byte = static_cast<char>(byte ^ static_cast<char>(1 + rng() % 255));
  });
  EXPECT_GT(ends.refused, 0U);
  EXPECT_GT(ends.intact, 0U);
}

}  // namespace
}  // namespace weir
