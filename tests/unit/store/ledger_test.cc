// SPDX-License-Identifier: Apache-2.0
//
// What the store knows of its whole: counters, the list, what a person settles, what leaves, and
// whether the file is the one that it was.
#include <gmock/gmock.h>

#include "shim/store/copy_check.h"
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class LedgerTest : public StoreTest {
 protected:
  void SetUp() override { open(); }

  StoreStats stats() {
    store_->push(ReadStats{RequestId{1}});
    return next<StoreStats>();
  }
  Tally tally(BatchState state) {
    return stats().tallies[index(Lane::kTransactional)][index(state)];
  }
  std::vector<int64_t> listed(ListMessages query) {
    store_->push(std::move(query));
    std::vector<int64_t> ids;
    for (const MessageSummary& one : next<Listed>().messages)
      ids.push_back(raw(one.message.id));
    return ids;
  }
  Resolved resolve(int64_t message, BatchState to) {
    store_->push(Resolve{RequestId{2}, MessageId{message}, std::nullopt, to, at_ms(kDoneMs),
                         "the provider's portal"});
    return next<Resolved>();
  }
  void make_unknown(int64_t message) {
    persist({.message = message, .first_batch = message});
    claim(message);
    record(make_record(message, BatchState::kClaimed, BatchState::kUnknown));
  }
  // Until nothing more is due.
  void tend(int64_t at) {
    do {
      store_->push(Tend{at_ms(at)});
    } while (next<Tended>().more);
  }
};

TEST_F(LedgerTest, CountersFollowEveryChangeAndSurviveARestart) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {3, 2}});
  persist({.message = 2, .first_batch = 3, .claim_first = true});
  claim(1);
  record(make_record(1, BatchState::kClaimed, BatchState::kSubmitted));
  EXPECT_EQ(tally(BatchState::kPending), (Tally{1, Units::of(4), 2}));
  EXPECT_EQ(tally(BatchState::kClaimed), (Tally{1, Units::of(2), 2}));
  EXPECT_EQ(tally(BatchState::kSubmitted), (Tally{1, Units::of(6), 1}));
  open();
  EXPECT_THAT(restored_.notes, IsEmpty());
  EXPECT_EQ(tally(BatchState::kClaimed), (Tally{0, Units(), 2}));
  EXPECT_EQ(tally(BatchState::kUnknown), (Tally{1, Units::of(2), 1}));
  close();
  EXPECT_TRUE(check_copy(path()).whole);
}

TEST_F(LedgerTest, ACounterThatIsNotWhatTheRowsSayIsSetRightAndTold) {
  persist({.message = 1, .first_batch = 1});
  close();
  ASSERT_EQ(RawDatabase(path()).run("UPDATE tally SET batches = 7"), 0);
  EXPECT_FALSE(check_copy(path()).whole);
  open();
  ASSERT_EQ(restored_.notes.size(), 1U);
  EXPECT_THAT(restored_.notes[0], HasSubstr("counted 7 pending batches"));
  EXPECT_EQ(tally(BatchState::kPending).batches, 1);
}

TEST_F(LedgerTest, TheSameTextIsKeptOnceUntilItsLastMessageIsSettled) {
  persist({.message = 1, .first_batch = 1, .body = "Sale"});
  persist({.message = 2, .first_batch = 2, .body = "Sale"});
  open();
  persist({.message = 3, .first_batch = 3, .body = "Sale"});
  persist({.message = 4, .first_batch = 4, .body = "Other"});
  close();
  EXPECT_EQ(RawDatabase(path()).number("SELECT count(*) FROM text"), 2);
  open();
  for (int64_t batch : {1, 2})
    record(make_record(batch, BatchState::kPending, BatchState::kShed));
  const Claimed third = claim(3);
  ASSERT_NE(third.payload, nullptr);
  EXPECT_EQ(third.payload->text.body, "Sale");
  record(make_record(3, BatchState::kClaimed, BatchState::kRefused));
  close();
  EXPECT_EQ(RawDatabase(path()).number("SELECT count(*) FROM text"), 1);
  EXPECT_TRUE(check_copy(path()).whole);
}

TEST_F(LedgerTest, ListsByStateKeyAndTagAndGoesOnAtItsCursor) {
  for (int64_t i = 1; i <= 5; ++i)
    persist({.message = i, .first_batch = i, .key = "order-" + std::to_string(i)});
  claim(2);
  claim(4);
  record(make_record(4, BatchState::kClaimed, BatchState::kUnknown));
  ListMessages query;
  EXPECT_EQ(listed(query), (std::vector<int64_t>{5, 4, 3, 2, 1}));
  query.state = BatchState::kUnknown;
  EXPECT_EQ(listed(query), std::vector<int64_t>{4});
  query.state = BatchState::kPending;
  EXPECT_EQ(listed(query), (std::vector<int64_t>{5, 3, 1}));
  query.before = MessageId{5};
  query.limit = 1;
  EXPECT_EQ(listed(query), std::vector<int64_t>{3});
  query = ListMessages{};
  query.key = "order-2";
  EXPECT_EQ(listed(query), std::vector<int64_t>{2});
  query.state = BatchState::kPending;
  EXPECT_THAT(listed(query), IsEmpty());
  query = ListMessages{};
  query.tag = "autumn";
  query.before = MessageId{3};
  EXPECT_EQ(listed(query), (std::vector<int64_t>{2, 1}));
  query.tag = "spring";
  EXPECT_THAT(listed(query), IsEmpty());
}

TEST_F(LedgerTest, TheListSaysWhyAMessageIsInTheStateThatWasAskedFor) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {1, 1, 1}});
  claim(1);
  record(make_record(1, BatchState::kClaimed, BatchState::kUnknown));
  Record shed = make_record(2, BatchState::kPending, BatchState::kShed);
  shed.reason = "deadline";
  record(shed);
  for (const auto& [state, reason] :
       {std::pair{BatchState::kShed, "deadline"}, std::pair{BatchState::kPending, ""}}) {
    ListMessages query;
    query.state = state;
    store_->push(std::move(query));
    const Listed found = next<Listed>();
    ASSERT_EQ(found.messages.size(), 1U);
    EXPECT_EQ(found.messages[0].reason, reason);
    EXPECT_EQ(found.messages[0].message.class_name, "transaction_alert");
  }
}

TEST_F(LedgerTest, WhatIsUnknownIsSettledOnceAndKeepsItsEvidence) {
  make_unknown(1);
  EXPECT_EQ(stats().oldest_unknown, at_ms(kDoneMs));
  const Resolved done = resolve(1, BatchState::kSubmitted);
  EXPECT_EQ(done.result, ResolveResult::kResolved);
  EXPECT_EQ(done.batches, 1U);
  const BatchReport batch = batch_of(1);
  EXPECT_EQ(batch.state, BatchState::kSubmitted);
  EXPECT_EQ(batch.reason, "resolved");
  EXPECT_EQ(batch.evidence, "the provider's portal");
  EXPECT_EQ(resolve(1, BatchState::kRefused).result, ResolveResult::kNotUnknown);
  EXPECT_EQ(resolve(9, BatchState::kRefused).result, ResolveResult::kNoMessage);
  EXPECT_FALSE(stats().oldest_unknown);
}

TEST_F(LedgerTest, WhatIsSettledLeavesAfterItsTimeAndItsKeyStaysLonger) {
  persist({.message = 1, .first_batch = 1, .key = "order-1"});
  persist({.message = 2, .first_batch = 2});
  make_unknown(3);
  for (int64_t batch : {1, 2}) {
    claim(batch);
    record(make_record(batch, BatchState::kClaimed, BatchState::kSubmitted));
  }
  tend(kDoneMs + options_.keep_for.ms() - 1);
  EXPECT_EQ(batch_of(2).state, BatchState::kSubmitted);
  tend(kDoneMs + options_.keep_for.ms() + 1);
  EXPECT_EQ(find(2).result, Found::Result::kNone);
  EXPECT_TRUE(find(1).report.batches.empty());
  EXPECT_EQ(batch_of(3).state, BatchState::kUnknown);
  EXPECT_EQ(persist({.message = 4, .first_batch = 4, .key = "order-1"}).result,
            Persisted::Result::kReplayed);
  tend(kCreatedMs + options_.keys_for.ms() + 1);
  EXPECT_EQ(find(1).result, Found::Result::kNone);
  EXPECT_EQ(batch_of(3).state, BatchState::kUnknown);
  EXPECT_EQ(persist({.message = 5, .first_batch = 5, .key = "order-1"}).result,
            Persisted::Result::kStored);
  close();
  EXPECT_TRUE(check_copy(path()).whole);
}

TEST_F(LedgerTest, ARepetitionIsTakenForOneEvenWhenThereIsNoRoomForANewOne) {
  persist({.message = 1, .first_batch = 1, .key = "order-1"});
  Persist again = make_persist({.message = 2, .first_batch = 2, .key = "order-1"});
  again.draft->only_if_known = Refusal{};
  store_->push(std::move(again));
  EXPECT_EQ(next<Persisted>().result, Persisted::Result::kReplayed);
  Persist fresh = make_persist({.message = 2, .first_batch = 2, .key = "order-2"});
  fresh.draft->only_if_known = Refusal{};
  store_->push(std::move(fresh));
  EXPECT_EQ(next<Persisted>().result, Persisted::Result::kAbsent);
  EXPECT_EQ(find(2).result, Found::Result::kNone);
}

class QuarantineTest : public LedgerTest {
 protected:
  std::string copy() const { return path() + ".copy"; }
  void save() {
    std::filesystem::copy_file(path(), copy(), std::filesystem::copy_options::overwrite_existing);
  }
  void put_back() {
    std::filesystem::remove(path());
    std::filesystem::copy_file(copy(), path());
  }
};

TEST_F(QuarantineTest, AnOlderCopyIsToldAndStaysToldUntilAPersonReleasesIt) {
  persist({.message = 1, .first_batch = 1});
  close();
  save();
  open();
  EXPECT_EQ(restored_.quarantine, "");
  claim(1);
  record(make_record(1, BatchState::kClaimed, BatchState::kSubmitted));
  close();
  put_back();
  open();
  EXPECT_THAT(restored_.quarantine, HasSubstr("copy"));
  open();
  EXPECT_THAT(restored_.quarantine, HasSubstr("copy"));
  store_->push(Release{RequestId{1}});
  EXPECT_TRUE(next<Released>().written);
  open();
  EXPECT_EQ(restored_.quarantine, "");
}

TEST_F(QuarantineTest, ACopyOfTheSameRunThatKnowsOfFewerCallsIsTold) {
  persist({.message = 1, .first_batch = 1});
  store_->push(Backup{RequestId{1}, copy()});
  const BackedUp saved = next<BackedUp>();
  ASSERT_EQ(saved.failure, "");
  std::filesystem::rename(saved.path, copy());
  EXPECT_TRUE(check_copy(copy()).whole);
  claim(1);
  close();
  put_back();
  open();
  EXPECT_THAT(restored_.quarantine, HasSubstr("1 calls were begun"));
}

TEST_F(QuarantineTest, AFileWithoutItsRunFileIsTold) {
  persist({.message = 1, .first_batch = 1});
  close();
  std::filesystem::remove(path() + ".run");
  open();
  EXPECT_THAT(restored_.quarantine, HasSubstr("weir.db.run"));
}

// As a kill leaves it between the run file and the commit of a start.
TEST_F(QuarantineTest, AStartThatWasKilledBeforeItsCommitIsNoMismatch) {
  persist({.message = 1, .first_batch = 1});
  close();
  for (int killed_starts = 0; killed_starts < 2; ++killed_starts) {
    save();
    open();
    close();
    put_back();
    open();
    EXPECT_EQ(restored_.quarantine, "");
    close();
  }
}

TEST_F(QuarantineTest, AFileThatNeverHeldAMessageIsNoDanger) {
  close();
  std::filesystem::remove(path() + ".run");
  open();
  EXPECT_EQ(restored_.quarantine, "");
  persist({.message = 1, .first_batch = 1});
  claim(1);
  close();
  std::filesystem::remove(path());  // and its .run stays
  open();
  EXPECT_EQ(restored_.quarantine, "");
}

TEST_F(QuarantineTest, ABackupIsRefusedWhereAFileIs) {
  store_->push(Backup{RequestId{1}, path()});
  EXPECT_THAT(next<BackedUp>().failure, HasSubstr("is there already"));
}

// The store always finds something to write: the next message is there before it looks again.
TEST_F(QuarantineTest, ABackupComesToItsEndAmidTraffic) {
  for (int64_t i = 1; i <= 300; ++i)
    persist({.message = i, .first_batch = i, .batch_sizes = {200}});
  int64_t message = 300;
  for (int waiting = 0; waiting < 8; ++waiting) {
    ++message;
    store_->push(make_persist({.message = message, .first_batch = message}));
  }
  store_->push(Backup{RequestId{1}, copy()});
  for (;;) {
    const StoreAnswer answer = next_answer();
    if (const auto* done = std::get_if<BackedUp>(&answer)) {
      EXPECT_EQ(done->failure, "");
      EXPECT_TRUE(check_copy(done->path).whole);
      return;
    }
    ASSERT_LT(message, 20'000) << "the backup never ends";
    ++message;
    store_->push(make_persist({.message = message, .first_batch = message}));
  }
}

TEST_F(QuarantineTest, CompactionGivesBackWhatIsUnused) {
  for (int64_t i = 1; i <= 300; ++i)
    persist({.message = i, .first_batch = i, .batch_sizes = {200}});
  for (int64_t i = 1; i <= 300; ++i)
    record(make_record(i, BatchState::kPending, BatchState::kShed));
  EXPECT_GT(stats().unused_bytes, 0U);
  store_->push(Compact{RequestId{1}});
  const Compacted done = next<Compacted>();
  EXPECT_EQ(done.failure, "");
  EXPECT_LT(done.bytes_after, done.bytes_before);
  EXPECT_EQ(stats().unused_bytes, 0U);
}

}  // namespace
}  // namespace weir
