// SPDX-License-Identifier: Apache-2.0
//
// How much goes into one transaction, at instants of the test's choice.
#include "shim/store/intake.h"

#include <gtest/gtest.h>

#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

constexpr size_t kBulkRows = 10;

MonoTime after_ms(int64_t ms) {
  return MonoTime() + Duration::millis(ms);
}

class IntakeTest : public testing::Test {
 protected:
  void add_ordinary(size_t messages, uint32_t batches) {
    for (size_t i = 0; i < messages; ++i) {
      add(make_persist({.batch_sizes = std::vector<uint32_t>(batches, 1)}));
    }
  }
  void add_express(size_t claims) {
    for (size_t i = 0; i < claims; ++i)
      add(Claim{});
  }
  static Record outcome(int64_t batch) {
    return make_record(batch, BatchState::kClaimed, BatchState::kSubmitted);
  }
  void add(StoreCommand command, MonoTime now = after_ms(0)) {
    intake_.add(std::make_unique<StoreCommand>(std::move(command)), now);
  }
  Intake intake_{kBulkRows};
};

TEST_F(IntakeTest, OrdinaryInsertsAreFewWhileExpressWorkIsAbout) {
  add_express(1);
  add_ordinary(30, 2);
  EXPECT_EQ(intake_.take(after_ms(0)).writes.size(), 1 + kBulkRows / 2);
  EXPECT_EQ(intake_.take(after_ms(1000)).writes.size(), kBulkRows / 2);
}

TEST_F(IntakeTest, OrdinaryInsertsAreManyAfterAQuietSecond) {
  add_express(1);
  add_ordinary(200, 2);
  intake_.take(after_ms(0));
  EXPECT_EQ(intake_.take(after_ms(1001)).writes.size(), Intake::kQuietFactor * kBulkRows / 2);
}

TEST_F(IntakeTest, OrdinaryInsertsAreManyIfThereNeverWasExpressWork) {
  add_ordinary(200, 1);
  EXPECT_EQ(intake_.take(after_ms(0)).writes.size(), Intake::kQuietFactor * kBulkRows);
}

TEST_F(IntakeTest, OneInsertAboveTheBoundIsTakenAlone) {
  add_ordinary(2, 1000);
  EXPECT_EQ(intake_.take(after_ms(0)).writes.size(), 1U);
  EXPECT_EQ(intake_.take(after_ms(0)).writes.size(), 1U);
  EXPECT_TRUE(intake_.empty());
}

TEST_F(IntakeTest, ExpressWorkIsBoundedToo) {
  add_express(Intake::kExpressPerGroup + 3);
  add_ordinary(1, 1);
  EXPECT_EQ(intake_.take(after_ms(0)).writes.size(), Intake::kExpressPerGroup + 1);
  EXPECT_EQ(intake_.take(after_ms(0)).writes.size(), 3U);
}

TEST_F(IntakeTest, OutcomesGoFirstAndInquiriesAreApart) {
  add(make_persist({}));
  add(FindMessage{});
  add(Claim{});
  add(Record{});
  const Group group = intake_.take(after_ms(0));
  ASSERT_EQ(group.writes.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<Record>(*group.writes[0]));
  EXPECT_TRUE(std::holds_alternative<Claim>(*group.writes[1]));
  EXPECT_TRUE(std::holds_alternative<Persist>(*group.writes[2]));
  EXPECT_EQ(group.inquiries.size(), 1U);
}

TEST_F(IntakeTest, ADirectInsertIsWrittenWithoutTheCampaignBehindIt) {
  add_ordinary(3, 1);
  add(make_persist({.claim_first = true}));
  const Group direct = intake_.take(after_ms(0));
  ASSERT_EQ(direct.writes.size(), 1U);
  EXPECT_TRUE(std::get<Persist>(*direct.writes[0]).draft->claim_first);
  EXPECT_EQ(intake_.take(after_ms(1)).writes.size(), 3U);
}

TEST_F(IntakeTest, DirectInsertsWithoutAnEndLetTheCampaignIntoEveryOtherTransaction) {
  add_ordinary(2 * kBulkRows, 1);
  for (size_t rows : {size_t{0}, kBulkRows, size_t{0}, kBulkRows}) {
    add(make_persist({.claim_first = true}));
    EXPECT_EQ(intake_.take(after_ms(0)).writes.size(), 1 + rows);
  }
  EXPECT_TRUE(intake_.empty());
}

TEST_F(IntakeTest, HurryIsWhatWaitsOrCameWithinASecond) {
  EXPECT_EQ(intake_.hurry(after_ms(0)), Hurry::kNone);
  add_ordinary(1, 1);
  EXPECT_EQ(intake_.hurry(after_ms(0)), Hurry::kNone);
  add_express(1);
  EXPECT_EQ(intake_.hurry(after_ms(5000)), Hurry::kWaiting);
  intake_.take(after_ms(0));
  EXPECT_EQ(intake_.hurry(after_ms(1000)), Hurry::kLately);
  EXPECT_EQ(intake_.hurry(after_ms(1001)), Hurry::kNone);
}

TEST_F(IntakeTest, WhatIsRefusedLeavesTheOutcomesInTheirOrder) {
  for (int64_t batch : {1, 2, 3})
    add(outcome(batch));
  Group first = intake_.take(after_ms(0));
  add(outcome(4));
  add(Claim{});
  add(make_persist({}));
  intake_.put_back(std::move(first.writes));

  EXPECT_TRUE(intake_.has_refusable());
  EXPECT_EQ(intake_.take_refusable().writes.size(), 2U);
  EXPECT_FALSE(intake_.has_refusable());
  EXPECT_FALSE(intake_.empty());
  const Group again = intake_.take(after_ms(0));
  ASSERT_EQ(again.writes.size(), 4U);
  for (int64_t batch : {1, 2, 3, 4}) {
    EXPECT_EQ(std::get<Record>(*again.writes[batch - 1]).batch, BatchId{batch});
  }
}

TEST_F(IntakeTest, ACancelBeginsAheadOfWhatWaitsAndGoesOnBesideIt) {
  add_ordinary(3, 1);
  Cancel cancel;
  cancel.begin = true;
  add(cancel);
  cancel.begin = false;
  add(cancel);
  add(cancel);
  add_express(1);
  const Group first = intake_.take(after_ms(0));
  ASSERT_EQ(first.writes.size(), 6U);  // one slice a transaction
  EXPECT_TRUE(std::get<Cancel>(*first.writes.front()).begin);
  EXPECT_FALSE(std::get<Cancel>(*first.writes.back()).begin);
  EXPECT_TRUE(intake_.has_refusable());
  EXPECT_EQ(intake_.take_refusable().writes.size(), 1U);
}

}  // namespace
}  // namespace weir
