// SPDX-License-Identifier: Apache-2.0
//
// What a record writes, and what is deleted with it.
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "shim/store/pack.h"
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

struct Kept {
  int64_t recipients = 0;
  int64_t texts = 0;
};

class OutcomeTest : public StoreTest {
 protected:
  void SetUp() override { open(); }

  std::string file_bytes() const {
    std::ifstream file(path(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  // Closes the store to count what it still keeps.
  Kept kept() {
    close();
    RawDatabase raw(path());
    return {raw.number("SELECT count(*) FROM batch_recipients"),
            raw.number("SELECT count(*) FROM text")};
  }
};

struct Path {
  const char* name;
  BatchState from;
  BatchState to;
  bool kept;  // recipients and text
};

class EveryOutcomeTest : public OutcomeTest, public testing::WithParamInterface<Path> {};

TEST_P(EveryOutcomeTest, IsWrittenWithItsFactsAndKeepsOnlyWhatMayBeNeeded) {
  const Path& p = GetParam();
  persist({.message = 1, .first_batch = 1, .batch_sizes = {2}});
  if (p.from != BatchState::kPending) claim(1);
  if (p.from == BatchState::kUnknown) {
    record(make_record(1, BatchState::kClaimed, BatchState::kUnknown));
  }
  record(make_record(1, p.from, p.to));

  const BatchReport batch = batch_of(1);
  EXPECT_EQ(batch.state, p.to);
  EXPECT_EQ(batch.done_at, at_ms(kDoneMs));
  EXPECT_EQ(batch.reason, "why");
  EXPECT_EQ(batch.code, "E17");
  EXPECT_EQ(batch.gateway_ref, "T-99");
  EXPECT_EQ(store_->totals().unmatched_records, 0U);
  const Kept left = kept();
  // A submitted batch keeps its recipients for the receipts.
  EXPECT_EQ(left.recipients, p.kept || p.to == BatchState::kSubmitted ? 1 : 0);
  EXPECT_EQ(left.texts, p.kept ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(
    Paths, EveryOutcomeTest,
    testing::Values(Path{"claimed_submitted", BatchState::kClaimed, BatchState::kSubmitted, false},
                    Path{"claimed_refused", BatchState::kClaimed, BatchState::kRefused, false},
                    Path{"claimed_unknown", BatchState::kClaimed, BatchState::kUnknown, true},
                    Path{"claimed_shed", BatchState::kClaimed, BatchState::kShed, false},
                    Path{"pending_shed", BatchState::kPending, BatchState::kShed, false},
                    Path{"pending_cancelled", BatchState::kPending, BatchState::kCancelled, false},
                    Path{"unknown_submitted", BatchState::kUnknown, BatchState::kSubmitted, false},
                    Path{"unknown_refused", BatchState::kUnknown, BatchState::kRefused, false}),
    [](const auto& instance) { return instance.param.name; });

TEST_F(OutcomeTest, BackToPendingWaitsAndCanBeClaimedAgain) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {2}});
  claim(1);
  Record back = make_record(1, BatchState::kClaimed, BatchState::kPending);
  back.not_before = at_ms(kDoneMs + 500);
  record(back);

  const BatchReport batch = batch_of(1);
  EXPECT_EQ(batch.state, BatchState::kPending);
  EXPECT_EQ(batch.attempt, 1);
  EXPECT_FALSE(batch.done_at);
  open();
  ASSERT_EQ(restored_.pending.size(), 1U);
  EXPECT_EQ(restored_.pending[0].not_before, at_ms(kDoneMs + 500));
  EXPECT_EQ(restored_.pending[0].head.attempt, 1);
  const Claimed again = claim(1, 2);
  ASSERT_NE(again.payload, nullptr);
  EXPECT_EQ(again.payload->recipients.size(), 2U);
}

TEST_F(OutcomeTest, TextStaysUntilTheLastBatchIsDone) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {1, 1, 1}});
  claim(1);
  record(make_record(1, BatchState::kClaimed, BatchState::kSubmitted));
  claim(2);
  record(make_record(2, BatchState::kClaimed, BatchState::kUnknown));
  record(make_record(3, BatchState::kPending, BatchState::kCancelled));
  Kept left = kept();
  EXPECT_EQ(left.recipients, 2);
  EXPECT_EQ(left.texts, 1);

  open();
  record(make_record(2, BatchState::kUnknown, BatchState::kRefused));
  left = kept();
  EXPECT_EQ(left.recipients, 1);
  EXPECT_EQ(left.texts, 0);
}

TEST_F(OutcomeTest, NumberAndBodyAreOverwrittenInTheFile) {
  const DraftSpec spec{.message = 1, .first_batch = 1, .body = "One-time code 4711"};
  const std::string numbers = pack_recipients(make_draft(spec)->recipients);
  persist(spec);
  close();
  EXPECT_THAT(file_bytes(), AllOf(HasSubstr("4711"), HasSubstr(numbers)));
  open();
  claim(1);
  record(make_record(1, BatchState::kClaimed, BatchState::kRefused));
  close();
  EXPECT_THAT(file_bytes(), Not(AnyOf(HasSubstr("4711"), HasSubstr(numbers))));
}

TEST_F(OutcomeTest, RejectedRecipientsAreReported) {
  persist({.message = 1, .first_batch = 1, .batch_sizes = {3}});
  claim(1);
  Record submitted = make_record(1, BatchState::kClaimed, BatchState::kSubmitted);
  // A provider may name one twice.
  submitted.rejected = {{919'800'000'002}, {919'800'000'000}, {919'800'000'002}};
  record(submitted);
  const std::vector<Recipient> expected = {{919'800'000'000}, {919'800'000'002}};
  EXPECT_EQ(batch_of(1).rejected, expected);
}

TEST_F(OutcomeTest, RecordFromAnotherStateChangesNothingAndIsCounted) {
  persist({.message = 1, .first_batch = 1});
  claim(1);
  record(make_record(1, BatchState::kClaimed, BatchState::kSubmitted));
  Record late = make_record(1, BatchState::kClaimed, BatchState::kRefused);
  late.rejected = {{919'800'000'000}};
  record(late);
  EXPECT_EQ(batch_of(1).state, BatchState::kSubmitted);
  EXPECT_TRUE(batch_of(1).rejected.empty());
  EXPECT_EQ(store_->totals().unmatched_records, 1U);
  close();
  EXPECT_EQ(RawDatabase(path()).number("SELECT open_batches FROM message"), 0);
}

}  // namespace
}  // namespace weir
