// SPDX-License-Identifier: Apache-2.0
//
// What a later run finds of the hour before it, for the classes that have a guard.
#include <gmock/gmock.h>

#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int64_t kHourMs = 3'600'000;

class GuardedTest : public StoreTest {
 protected:
  void SetUp() override {
    options_.guarded = {{"otp", 100}};
    open();
  }

  void accept(int64_t message, int64_t first_batch, int64_t created_ms,
              std::vector<uint32_t> batch_sizes = {1}, const char* class_name = "otp") {
    Persist one = make_persist(
        {.message = message, .first_batch = first_batch, .batch_sizes = std::move(batch_sizes)});
    one.draft->message.class_name = class_name;
    one.draft->message.created = at_ms(created_ms);
    store_->push(std::move(one));
    ASSERT_EQ(next<Persisted>().result, Persisted::Result::kStored);
  }

  std::vector<int64_t> batches_found() {
    std::vector<int64_t> ids;
    for (const Restored::Counted& one : restored_.guarded.at(0).counted)
      ids.push_back(raw(one.batch));
    return ids;
  }
};

TEST_F(GuardedTest, TheHourBeforeTheStartComesBackInOrderWithNumbersAndTimes) {
  accept(1, 1, kOpenedMs - kHourMs);  // an hour old
  accept(2, 2, kOpenedMs - kHourMs + 1, {2, 1});
  accept(3, 4, kOpenedMs - 1'000, {1}, "transaction_alert");
  accept(4, 5, kOpenedMs - 1'000);
  open();
  ASSERT_THAT(restored_.guarded, SizeIs(1));
  EXPECT_EQ(restored_.guarded[0].class_name, "otp");
  const std::vector<Restored::Counted>& counted = restored_.guarded[0].counted;
  EXPECT_THAT(batches_found(), ElementsAre(2, 2, 3, 5));
  EXPECT_EQ(counted[0].accepted, at_ms(kOpenedMs - kHourMs + 1));
  EXPECT_EQ(counted[0].recipient, Recipient{919'800'000'000U});
  EXPECT_EQ(counted[1].recipient, Recipient{919'800'000'001U});
  EXPECT_EQ(counted[2].recipient, Recipient{919'800'000'002U});
  EXPECT_EQ(counted[3].accepted, at_ms(kOpenedMs - 1'000));
}

TEST_F(GuardedTest, WhatMayHaveBeenSentKeepsItsNumbersAndWhatWasNotStillCounts) {
  for (int64_t i = 1; i <= 5; ++i) {
    accept(i, i, kOpenedMs - 1'000);
    if (i > 1) claim(i);
  }
  record(make_record(2, BatchState::kClaimed, BatchState::kSubmitted));
  record(make_record(3, BatchState::kClaimed, BatchState::kRefused));
  record(make_record(4, BatchState::kClaimed, BatchState::kShed));
  open();  // 5 becomes unknown
  EXPECT_THAT(batches_found(), ElementsAre(1, 2, 3, 4, 5));
  const Recipient kept{919'800'000'000U};
  std::vector<Recipient> numbers;
  for (const Restored::Counted& one : restored_.guarded[0].counted)
    numbers.push_back(one.recipient);
  EXPECT_THAT(numbers, ElementsAre(kept, kept, Recipient{}, Recipient{}, kept));
}

TEST_F(GuardedTest, OnlyTheNewestAreReadWhereThereAreMoreThanItsGuardCounts) {
  for (int64_t i = 1; i <= 4; ++i)
    accept(i, 10 * i, kOpenedMs - 1'000, {2});
  options_.guarded = {{"otp", 3}};
  open();
  EXPECT_THAT(batches_found(), ElementsAre(30, 40, 40));
  EXPECT_EQ(restored_.guarded[0].counted[0].recipient, Recipient{919'800'000'001U});
}

TEST_F(GuardedTest, TheFirstOfTheHourIsFoundAmidGaps) {
  for (int64_t i = 1; i <= 40; ++i)
    accept(7 * i * i, 3 * i, kOpenedMs - kHourMs + (i - 20) * 1'000);
  open();
  EXPECT_THAT(batches_found(), SizeIs(20));
  EXPECT_EQ(batches_found().front(), 63);
}

TEST_F(GuardedTest, WhatTheClockSaysIsToComeIsThereToo) {
  accept(1, 1, kOpenedMs + 10 * kHourMs);
  open();
  EXPECT_THAT(batches_found(), ElementsAre(1));
}

TEST_F(GuardedTest, WithoutAGuardNothingIsRead) {
  accept(1, 1, kOpenedMs - 1'000);
  options_.guarded.clear();
  open();
  EXPECT_THAT(restored_.guarded, IsEmpty());
}

}  // namespace
}  // namespace weir
