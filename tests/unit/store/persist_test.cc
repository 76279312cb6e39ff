// SPDX-License-Identifier: Apache-2.0
//
// Messages on their way to the disk, and into a claim.
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using Result = Persisted::Result;

void expect_same(const Message& a, const Message& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.class_name, b.class_name);
  EXPECT_EQ(a.lane, b.lane);
  EXPECT_EQ(a.priority, b.priority);
  EXPECT_EQ(a.encoding, b.encoding);
  EXPECT_EQ(a.segments, b.segments);
  EXPECT_EQ(a.recipients, b.recipients);
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.created, b.created);
  EXPECT_EQ(a.deadline, b.deadline);
  EXPECT_EQ(a.not_before, b.not_before);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.hash, b.hash);
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.test, b.test);
}

class PersistTest : public StoreTest {
 protected:
  void SetUp() override { open(); }
};

TEST_F(PersistTest, StoredMessageIsFoundWithAllItsFacts) {
  const DraftSpec spec{.message = 4, .first_batch = 9, .batch_sizes = {3, 2}, .key = "order-17"};
  const Persisted persisted = persist(spec);
  EXPECT_EQ(persisted.request, request_of(4));
  EXPECT_EQ(persisted.result, Result::kStored);
  ASSERT_NE(persisted.draft, nullptr);
  EXPECT_EQ(persisted.draft->recipients.size(), 5U);

  const Found found = find(4);
  EXPECT_EQ(found.request, RequestId{77});
  ASSERT_EQ(found.result, Found::Result::kFound);
  expect_same(found.report.message, make_draft(spec)->message);
  EXPECT_EQ(found.report.states[index(BatchState::kPending)].batches, 2U);
  EXPECT_EQ(found.report.states[index(BatchState::kPending)].recipients, 5U);
  ASSERT_EQ(found.report.batches.size(), 2U);
  EXPECT_EQ(found.report.batches[1].id, BatchId{10});
  EXPECT_EQ(found.report.batches[1].recipients, 2U);
  EXPECT_EQ(found.report.batches[1].cost, Units::of(4));
  EXPECT_EQ(found.report.batches[1].attempt, 0);
  EXPECT_FALSE(found.report.batches[1].claimed_at);
  EXPECT_FALSE(found.report.batches[1].done_at);
}

TEST_F(PersistTest, MessageThatIsNotThereIsNone) {
  EXPECT_EQ(find(12).result, Found::Result::kNone);
}

TEST_F(PersistTest, ReportShowsTheFirstHundredBatchesAndCountsAll) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = std::vector<uint32_t>(250, 2)});
  persist({.message = 2, .first_batch = 251, .batch_sizes = {1}});
  claim(3);
  claim(240);
  const Found found = find(1);
  EXPECT_EQ(found.report.batches.size(), MessageReport::kBatchesShown);
  EXPECT_EQ(found.report.batches.back().id, BatchId{100});
  EXPECT_EQ(found.report.states[index(BatchState::kPending)].batches, 248U);
  EXPECT_EQ(found.report.states[index(BatchState::kClaimed)].batches, 2U);
  EXPECT_EQ(found.report.states[index(BatchState::kClaimed)].recipients, 4U);
}

TEST_F(PersistTest, SameKeyAndContentIsAReplayOfTheFirst) {
  const DraftSpec first{.message = 1, .first_batch = 1, .batch_sizes = {2}, .key = "order-17"};
  persist(first);
  const Persisted again = persist({.message = 2, .first_batch = 2, .key = "order-17"});
  EXPECT_EQ(again.result, Result::kReplayed);
  expect_same(again.first, make_draft(first)->message);
  ASSERT_NE(again.draft, nullptr);
  EXPECT_EQ(again.draft->message.id, MessageId{2});
  EXPECT_EQ(find(2).result, Found::Result::kNone);
}

TEST_F(PersistTest, SameKeyWithOtherContentIsAConflict) {
  persist({.message = 1, .first_batch = 1, .key = "order-17"});
  const Persisted other = persist({.message = 2, .first_batch = 2, .key = "order-17", .hash = 8});
  EXPECT_EQ(other.result, Result::kConflict);
  EXPECT_NE(other.draft, nullptr);
  EXPECT_EQ(find(2).result, Found::Result::kNone);
}

TEST_F(PersistTest, ReplayAndConflictAreSeenInsideOneTransaction) {
  std::vector<StoreCommand> commands;
  commands.emplace_back(make_persist({.message = 1, .first_batch = 1, .key = "k"}));
  commands.emplace_back(make_persist({.message = 2, .first_batch = 2, .key = "k"}));
  commands.emplace_back(make_persist({.message = 3, .first_batch = 3, .key = "k", .hash = 8}));
  const uint64_t commits = store_->totals().commits;
  push_together(std::move(commands));
  EXPECT_EQ(next<Persisted>().result, Result::kStored);
  const Persisted replay = next<Persisted>();
  EXPECT_EQ(replay.result, Result::kReplayed);
  EXPECT_EQ(replay.first.id, MessageId{1});
  EXPECT_EQ(next<Persisted>().result, Result::kConflict);
  EXPECT_EQ(store_->totals().commits, commits + 1);
}

TEST_F(PersistTest, MessagesWithoutAKeyAreNeverTheSame) {
  EXPECT_EQ(persist({.message = 1, .first_batch = 1}).result, Result::kStored);
  EXPECT_EQ(persist({.message = 2, .first_batch = 2}).result, Result::kStored);
}

TEST_F(PersistTest, OneBadMessageDoesNotSpoilTheTransactionOfTheOthers) {
  std::vector<StoreCommand> commands;
  commands.emplace_back(make_persist({.message = 1, .first_batch = 1}));
  // Its second batch has an id that is taken.
  commands.emplace_back(make_persist({.message = 2, .first_batch = 0, .batch_sizes = {1, 1}}));
  commands.emplace_back(make_persist({.message = 3, .first_batch = 3}));
  push_together(std::move(commands));
  EXPECT_EQ(next<Persisted>().result, Result::kStored);
  EXPECT_EQ(next<Persisted>().result, Result::kFailed);
  EXPECT_EQ(next<Persisted>().result, Result::kStored);
  EXPECT_EQ(find(2).result, Found::Result::kNone);
  EXPECT_EQ(find(3).result, Found::Result::kFound);
  close();
  EXPECT_EQ(RawDatabase(path()).number("SELECT count(*) FROM batch"), 2);
}

TEST_F(PersistTest, WhatComesTogetherIsCommittedTogether) {
  constexpr int kMessages = 300;
  std::vector<StoreCommand> inserts;
  std::vector<StoreCommand> outcomes;
  for (int64_t i = 1; i <= kMessages; ++i) {
    inserts.emplace_back(make_persist({.message = i, .first_batch = i, .claim_first = true}));
    outcomes.emplace_back(make_record(i, BatchState::kClaimed, BatchState::kSubmitted));
  }
  const StoreTotals before = store_->totals();
  const uint64_t wakes = waker_.wakes();
  push_together(std::move(inserts));
  for (int i = 0; i < kMessages; ++i)
    EXPECT_EQ(next<Persisted>().result, Result::kStored);
  push_together(std::move(outcomes));
  for (int i = 0; i < kMessages; ++i)
    next<Recorded>();
  EXPECT_EQ(store_->totals().commits, before.commits + 2);
  EXPECT_EQ(store_->totals().written, before.written + 2 * kMessages);
  // One for each transaction, and one for each inquiry that held the thread.
  EXPECT_EQ(waker_.wakes(), wakes + 4);
}

TEST_F(PersistTest, ExpressWorkIsAnsweredBeforeOrdinaryInserts) {
  persist({.message = 1, .first_batch = 1});
  std::vector<StoreCommand> commands;
  commands.emplace_back(make_persist({.message = 2, .first_batch = 2}));
  commands.emplace_back(make_persist({.message = 3, .first_batch = 3, .claim_first = true}));
  commands.emplace_back(Claim{BatchId{1}, 1, at_ms(kCreatedMs)});
  push_together(std::move(commands));
  EXPECT_EQ(next<Persisted>().request, request_of(3));
  EXPECT_EQ(next<Claimed>().batch, BatchId{1});
  EXPECT_EQ(next<Persisted>().request, request_of(2));
}

TEST_F(PersistTest, ClaimFirstIsStoredAsClaimed) {
  const Persisted persisted = persist({.message = 1, .first_batch = 1, .claim_first = true});
  EXPECT_EQ(persisted.result, Result::kStored);
  const BatchReport batch = batch_of(1);
  EXPECT_EQ(batch.state, BatchState::kClaimed);
  EXPECT_EQ(batch.attempt, 1);
  EXPECT_EQ(batch.claimed_at, at_ms(kCreatedMs));
}

TEST_F(PersistTest, ClaimBringsThePayloadOfItsOwnBatch) {
  persist({.message = 5, .first_batch = 7, .batch_sizes = {3, 2}});
  const Claimed claimed = claim(8, 1);
  EXPECT_FALSE(claimed.gone);
  ASSERT_NE(claimed.payload, nullptr);
  EXPECT_EQ(claimed.payload->batch, BatchId{8});
  EXPECT_EQ(claimed.payload->message, MessageId{5});
  EXPECT_EQ(claimed.payload->encoding, Encoding::kUcs2);
  EXPECT_EQ(claimed.payload->segments, 2U);
  EXPECT_TRUE(claimed.payload->test);
  EXPECT_EQ(claimed.payload->text.body, "Your code is 1234");
  EXPECT_EQ(claimed.payload->text.sender, "SHOPIN");
  const auto params = make_draft({})->text.params;
  EXPECT_EQ(claimed.payload->text.params, params);
  const std::vector<Recipient> numbers = {{919'800'000'003}, {919'800'000'004}};
  EXPECT_EQ(claimed.payload->recipients, numbers);

  const Found found = find(5);
  EXPECT_EQ(found.report.batches[0].state, BatchState::kPending);
  EXPECT_EQ(found.report.batches[1].state, BatchState::kClaimed);
  EXPECT_EQ(found.report.batches[1].claimed_at, at_ms(kCreatedMs + 5));
}

TEST_F(PersistTest, SecondClaimOfABatchIsGone) {
  persist({.message = 1, .first_batch = 1});
  EXPECT_NE(claim(1).payload, nullptr);
  const Claimed second = claim(1, 2);
  EXPECT_EQ(second.payload, nullptr);
  EXPECT_TRUE(second.gone);
  EXPECT_EQ(batch_of(1).attempt, 1);
}

TEST_F(PersistTest, ClaimOfABatchThatIsNotThereIsGone) {
  EXPECT_TRUE(claim(99).gone);
}

TEST_F(PersistTest, RoomIsWhatMayStillBePushedUntilAnswersArePopped) {
  options_.queue = 4;
  open();
  for (int64_t i = 1; i <= 4; ++i)
    store_->push(FindMessage{RequestId{1}, MessageId{i}});
  EXPECT_EQ(store_->room(), 0U);
  next<Found>();
  EXPECT_EQ(store_->room(), 1U);
  for (int i = 0; i < 3; ++i)
    next<Found>();
  EXPECT_EQ(store_->room(), 4U);
  EXPECT_FALSE(store_->pop());
}

}  // namespace
}  // namespace weir
