// SPDX-License-Identifier: Apache-2.0
//
// What happens while the disk takes nothing. The failure is a real one: the process is not allowed
// to make files longer than the log is, so every commit fails in its write.
#include <csignal>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using Result = Persisted::Result;
using testing::HasSubstr;

class FullDisk {
 public:
  explicit FullDisk(const std::string& log) {
    EXPECT_NE(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    rlimit limited = before_;
    limited.rlim_cur = std::filesystem::file_size(log);
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  }
  ~FullDisk() {
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before_), 0);
    EXPECT_NE(signal(SIGXFSZ, SIG_DFL), SIG_ERR);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

class CommitFailureTest : public StoreTest {
 protected:
  void SetUp() override {
    open();
    persist({.message = 1, .first_batch = 1, .batch_sizes = {1, 1}});
    claim(1);
  }
  void fill_disk() { full_ = std::make_unique<FullDisk>(path() + "-wal"); }
  void free_disk() { full_.reset(); }

  static Record submitted(int64_t batch) {
    return make_record(batch, BatchState::kClaimed, BatchState::kSubmitted);
  }

  std::unique_ptr<FullDisk> full_;
};

TEST_F(CommitFailureTest, InsertIsAnsweredAsFailedAndNotStored) {
  fill_disk();
  store_->push(make_persist({.message = 2, .first_batch = 3}));
  const StoreHealth health = next<StoreHealth>();
  EXPECT_EQ(health.trouble, StoreTrouble::kIoError);
  EXPECT_THAT(health.detail, HasSubstr("the disk reports an error: "));
  const Persisted failed = next<Persisted>();
  EXPECT_EQ(failed.request, request_of(2));
  EXPECT_EQ(failed.result, Result::kFailed);
  ASSERT_NE(failed.draft, nullptr);
  EXPECT_EQ(failed.draft->message.id, MessageId{2});
  free_disk();
  EXPECT_EQ(next<StoreHealth>().trouble, StoreTrouble::kNone);
  EXPECT_EQ(find(2).result, Found::Result::kNone);
  EXPECT_EQ(persist({.message = 2, .first_batch = 3}).result, Result::kStored);
}

TEST_F(CommitFailureTest, ClaimIsAnsweredAsNotClaimedAndCanBeTriedAgain) {
  fill_disk();
  store_->push(Claim{BatchId{2}, 1, at_ms(kCreatedMs)});
  EXPECT_FALSE(commits(next<StoreHealth>().trouble));
  const Claimed failed = next<Claimed>();
  EXPECT_EQ(failed.batch, BatchId{2});
  EXPECT_EQ(failed.payload, nullptr);
  EXPECT_FALSE(failed.gone);
  free_disk();
  EXPECT_EQ(next<StoreHealth>().trouble, StoreTrouble::kNone);
  EXPECT_NE(claim(2).payload, nullptr);
}

TEST_F(CommitFailureTest, OutcomesAreKeptUntilTheyAreWritten) {
  fill_disk();
  store_->push(submitted(1));
  EXPECT_FALSE(commits(next<StoreHealth>().trouble));
  // While it lasts: answered at once, and readable.
  EXPECT_EQ(persist({.message = 2, .first_batch = 3}).result, Result::kFailed);
  EXPECT_FALSE(claim(2).gone);
  EXPECT_EQ(find(1).report.batches[0].state, BatchState::kClaimed);
  free_disk();
  EXPECT_EQ(next<StoreHealth>().trouble, StoreTrouble::kNone);
  EXPECT_EQ(next<Recorded>().batch, BatchId{1});
  EXPECT_EQ(find(1).report.batches[0].state, BatchState::kSubmitted);
  EXPECT_GE(store_->totals().failed_commits, 1U);
  open();
  EXPECT_EQ(restored_.unknown_batches, 0U);
}

TEST_F(CommitFailureTest, EachEdgeIsToldOnce) {
  for (int round = 0; round < 2; ++round) {
    fill_disk();
    store_->push(Claim{BatchId{2}, 1, at_ms(kCreatedMs)});
    EXPECT_FALSE(commits(next<StoreHealth>().trouble));
    next<Claimed>();
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(claim(2).payload, nullptr);
    free_disk();
    EXPECT_EQ(next<StoreHealth>().trouble, StoreTrouble::kNone);
  }
  EXPECT_EQ(find(1).result, Found::Result::kFound);
  EXPECT_FALSE(store_->pop());
}

TEST_F(CommitFailureTest, NothingOfAFailedTransactionIsThere) {
  std::vector<StoreCommand> commands;
  commands.emplace_back(submitted(1));
  commands.emplace_back(Claim{BatchId{2}, 1, at_ms(kCreatedMs)});
  commands.emplace_back(make_persist({.message = 2, .first_batch = 3, .claim_first = true}));
  commands.emplace_back(make_persist({.message = 3, .first_batch = 4}));
  commands.emplace_back(FindMessage{RequestId{5}, MessageId{2}});
  fill_disk();
  push_together(std::move(commands));
  EXPECT_FALSE(commits(next<StoreHealth>().trouble));
  EXPECT_EQ(next<Claimed>().payload, nullptr);
  EXPECT_EQ(next<Persisted>().result, Result::kFailed);
  EXPECT_EQ(next<Found>().result, Found::Result::kNone);
  EXPECT_EQ(next<Persisted>().result, Result::kFailed);  // it had waited for the direct insert
  free_disk();
  EXPECT_EQ(next<StoreHealth>().trouble, StoreTrouble::kNone);
  next<Recorded>();
  const Found found = find(1);
  EXPECT_EQ(found.report.batches[0].state, BatchState::kSubmitted);
  EXPECT_EQ(found.report.batches[1].state, BatchState::kPending);
}

TEST_F(CommitFailureTest, StopEndsAlthoughAnOutcomeCannotBeWrittenAndItIsUnknownAfterwards) {
  fill_disk();
  store_->push(submitted(1));
  EXPECT_FALSE(commits(next<StoreHealth>().trouble));
  store_->push(make_persist({.message = 2, .first_batch = 3}));
  store_->stop();
  EXPECT_EQ(next<Persisted>().result, Result::kFailed);
  EXPECT_FALSE(store_->pop());
  free_disk();
  open();
  EXPECT_EQ(restored_.unknown_batches, 1U);
  ASSERT_EQ(restored_.pending.size(), 1U);
  EXPECT_EQ(restored_.pending[0].head.id, BatchId{2});
}

}  // namespace
}  // namespace weir
