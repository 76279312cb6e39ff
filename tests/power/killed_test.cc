// SPDX-License-Identifier: Apache-2.0
//
// The process is killed, the next one starts from what the kernel still holds, and then the power
// is cut. What the next one found is promised from then on.
//
// After a sync that failed the kernel shows pages that are not on the disk and that no sync writes
// any more. The process that met the failure writes them again; the next one would read them as
// committed and append to them. It is safe because a start folds the log into the file first.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "tests/power/power_fixture.h"

namespace weir {
namespace {

using testing::IsEmpty;

constexpr uint64_t kSeeds = 100;

class KilledTest : public PowerTest {
 protected:
  enum class Before : uint8_t { kNothing, kFailedSync };

  // What is broken in this run.
  std::vector<std::string> run(uint64_t seed, Before before) {
    Workload work(vfs_, path(), seed);
    vfs_.promise(SQLITE_IOCAP_POWERSAFE_OVERWRITE);
    if (!work.start()) return {"no start: " + work.words()};
    turns(work, 6);
    if (before == Before::kFailedSync) {
      fail_sync(work);
    } else {
      vfs_.stop_at(1 + work.rng()() % 40);
      turns(work, 6);
    }
    vfs_.kill_process();
    if (!work.start()) return {"no start after the kill: " + work.words()};
    work.repeat_keys();
    turns(work, static_cast<int>(work.rng()() % 4));
    if (work.broken().empty()) work.start_after_cut();
    return work.broken();
  }

 private:
  static void turns(Workload& work, int count) {
    for (int i = 0; i < count; ++i)
      work.turn();
  }
  // In a commit.
  void fail_sync(Workload& work) {
    const uint64_t failed = work.failed();
    vfs_.fail_nth(LosingVfs::Call::kSync, 1, SQLITE_IOERR_FSYNC);
    for (int left = 20; left > 0 && work.failed() == failed; --left)
      work.turn();
  }
};

TEST_F(KilledTest, WhatTheNextProcessFoundOutlivesAPowerCut) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    ASSERT_THAT(run(seed, Before::kNothing), IsEmpty()) << "seed " << seed;
}

TEST_F(KilledTest, AfterAFailedSyncItDoesSo) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    ASSERT_THAT(run(seed, Before::kFailedSync), IsEmpty()) << "seed " << seed;
}

}  // namespace
}  // namespace weir
