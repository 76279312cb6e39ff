// SPDX-License-Identifier: Apache-2.0
//
// What a person takes back, on disk: which rows, what of them stays, the counters, and that a claim
// cannot pass it.
#include <gmock/gmock.h>

#include "shim/store/copy_check.h"
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kCancelledMs = kCreatedMs + 500;

class CancelTest : public StoreTest {
 protected:
  void SetUp() override { open(); }

  static CancelTarget autumn() { return {.message = {}, .key = {}, .tag = "autumn"}; }
  static Cancel command(CancelTarget target, int64_t before = 1'000'000) {
    Cancel one;
    one.request = RequestId{5};
    one.target = std::move(target);
    one.before = MessageId{before};
    one.at = at_ms(kCancelledMs);
    return one;
  }
  Cancelled begin(CancelTarget target, int64_t before = 1'000'000) {
    Cancel one = command(std::move(target), before);
    one.begin = true;
    store_->push(one);
    return next<Cancelled>();
  }
  Cancelled slice(CancelTarget target, CancelCursor from, int64_t before = 1'000'000) {
    Cancel one = command(std::move(target), before);
    one.from = from;
    store_->push(one);
    return next<Cancelled>();
  }
  // As the engine does.
  CancelCounts cancel(CancelTarget target, int64_t before = 1'000'000) {
    CancelCounts counts;
    Cancelled last = begin(target, before);
    while (last.written && !last.done) {
      last = slice(target, last.next, before);
      counts += last.counts;
    }
    EXPECT_TRUE(last.done);
    return counts;
  }
  std::vector<int64_t> states() {
    close();
    std::vector<int64_t> states;
    for (const std::string& row : RawDatabase(path()).rows("SELECT state FROM batch ORDER BY id"))
      states.push_back(std::stoll(row));
    EXPECT_TRUE(check_copy(path()).whole);
    open();
    return states;
  }
};

TEST_F(CancelTest, OnlyWhatIsPendingIsCancelledAndTheRestIsCounted) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {1, 1, 1, 1, 1}});
  for (int64_t batch : {1, 2, 3})
    claim(batch);
  record(make_record(2, BatchState::kClaimed, BatchState::kSubmitted));
  record(make_record(3, BatchState::kClaimed, BatchState::kUnknown));
  const Cancelled begun = begin(autumn());
  const Cancelled done = slice(autumn(), begun.next);
  EXPECT_EQ(done.counts.messages, 1U);
  EXPECT_EQ(done.counts.batches, 2U);
  EXPECT_EQ(done.counts.cost, Units::of(4));
  EXPECT_EQ(done.counts.left[index(BatchState::kClaimed)], 1U);
  EXPECT_EQ(done.counts.left[index(BatchState::kSubmitted)], 1U);
  EXPECT_EQ(done.counts.left[index(BatchState::kUnknown)], 1U);
  EXPECT_THAT(done.under_way, ElementsAre(BatchId{1}));
  ASSERT_EQ(done.batches.size(), 1U);
  EXPECT_EQ(done.batches[0].first, BatchId{4});
  EXPECT_EQ(done.batches[0].last, BatchId{5});
  EXPECT_THAT(states(), ElementsAre(1, 2, 4, 6, 6));
}

TEST_F(CancelTest, RecipientsAndTextGoAtOnce) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {1, 1}});
  EXPECT_EQ(cancel(autumn()).batches, 2U);
  close();
  RawDatabase raw(path());
  EXPECT_EQ(raw.number("SELECT count(*) FROM batch_recipients"), 0);
  EXPECT_EQ(raw.number("SELECT count(*) FROM text"), 0);
  EXPECT_EQ(raw.number("SELECT count(*) FROM message WHERE open_batches = 0"), 1);
  EXPECT_THAT(raw.rows("SELECT reason, done_at FROM batch WHERE id = 1"),
              ElementsAre("cancelled|" + std::to_string(kCancelledMs)));
  EXPECT_EQ(raw.number("SELECT batches FROM tally WHERE state = 6"), 2);
  EXPECT_EQ(raw.number("SELECT batches FROM tally WHERE state = 0"), 0);
}

TEST_F(CancelTest, AMessageIsFoundByItsIdAndByItsKey) {
  for (int64_t i = 1; i <= 3; ++i)
    persist({.message = i, .first_batch = i, .key = "order-" + std::to_string(i)});
  EXPECT_EQ(cancel({.message = {}, .key = "order-2", .tag = {}}).batches, 1U);
  EXPECT_EQ(cancel({.message = MessageId{3}, .key = {}, .tag = {}}).batches, 1U);
  EXPECT_EQ(cancel({.message = MessageId{9}, .key = {}, .tag = {}}).found, 0U);
  EXPECT_EQ(cancel({.message = {}, .key = "order-9", .tag = {}}).found, 0U);
  EXPECT_THAT(states(), ElementsAre(0, 6, 6));
}

TEST_F(CancelTest, WhatCameAfterTheCommandIsNotOfIt) {
  for (int64_t i = 1; i <= 4; ++i)
    persist({.message = i, .first_batch = i});
  EXPECT_EQ(cancel(autumn(), 3).batches, 2U);
  EXPECT_THAT(states(), ElementsAre(6, 6, 0, 0));
}

TEST_F(CancelTest, ALargeOneIsManyTransactionsAndCountsEachMessageOnce) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = std::vector<uint32_t>(450, 1)});
  persist({.message = 2, .first_batch = 451, .batch_sizes = std::vector<uint32_t>(450, 1)});
  const uint64_t before = store_->totals().commits;
  const CancelCounts counts = cancel(autumn());
  EXPECT_EQ(counts.found, 2U);
  EXPECT_EQ(counts.messages, 2U);
  EXPECT_EQ(counts.batches, 900U);
  EXPECT_GE(store_->totals().commits - before, 5U);
  EXPECT_THAT(cancel(autumn()).left[index(BatchState::kCancelled)], 0U);  // at the same instant
  EXPECT_THAT(states(), testing::Each(6));
}

TEST_F(CancelTest, ACrashHalfWayLeavesCountersRightAndTheSameCommandGoesOn) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = std::vector<uint32_t>(450, 1)});
  const Cancelled begun = begin(autumn());
  const Cancelled first = slice(autumn(), begun.next);
  ASSERT_FALSE(first.done);
  open();
  EXPECT_THAT(restored_.notes, IsEmpty());
  EXPECT_EQ(restored_.pending.size(), 450 - first.counts.batches);
  EXPECT_GT(cancel({.message = MessageId{1}, .key = {}, .tag = {}}).batches, 0U);
  EXPECT_THAT(states(), testing::Each(6));
}

TEST_F(CancelTest, FromItsBeginOnAClaimFindsItsBatchCancelled) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {1, 1}});
  persist({.message = 2, .first_batch = 3});
  const Cancelled begun = begin(autumn(), 2);
  const Claimed held = claim(1);
  EXPECT_EQ(held.payload, nullptr);
  EXPECT_TRUE(held.gone);
  EXPECT_TRUE(held.cancelled);
  EXPECT_NE(claim(3).payload, nullptr);  // came after the command
  const Cancelled done = slice(autumn(), begun.next, 2);
  EXPECT_EQ(done.counts.batches, 2U);  // the one that the claim found, too
  EXPECT_EQ(done.counts.messages, 1U);
  const Claimed late = claim(2);
  EXPECT_TRUE(late.gone && late.cancelled);
  persist({.message = 3, .first_batch = 4});
  EXPECT_NE(claim(4).payload, nullptr);  // with its end nothing is held back any more
}

TEST_F(CancelTest, AClaimBehindItsBeginInTheSameTransactionIsHeldToo) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {1, 1}});
  Cancel one = command(autumn());
  one.begin = true;
  std::vector<StoreCommand> commands;
  commands.push_back(Claim{BatchId{1}, 1, at_ms(kCreatedMs)});
  commands.push_back(one);
  commands.push_back(Claim{BatchId{2}, 1, at_ms(kCreatedMs)});
  push_together(std::move(commands));
  EXPECT_NE(next<Claimed>().payload, nullptr);
  EXPECT_TRUE(next<Cancelled>().written);
  EXPECT_TRUE(next<Claimed>().cancelled);
}

TEST_F(CancelTest, WhatWasShedInMemoryMeanwhileIsNoMismatch) {
  persist({.message = 1, .first_batch = 1});
  cancel(autumn());
  record(make_record(1, BatchState::kPending, BatchState::kShed));
  EXPECT_EQ(store_->totals().unmatched_records, 0U);
  EXPECT_EQ(batch_of(1).state, BatchState::kCancelled);
}

}  // namespace
}  // namespace weir
