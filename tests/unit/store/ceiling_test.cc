// SPDX-License-Identifier: Apache-2.0
//
// What one run leaves to the next of the ceiling: the rate, its history, the levels.
#include "shim/store/ceiling_row.h"
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

RateChange change(int64_t at, int64_t from, int64_t to) {
  return {at_ms(at), Units::of(from), Units::of(to), RateCause::kThrottle, 3, Units::of(90)};
}

LimiterLevels levels() {
  return {MonoTime::from_ns(77'000),
          Units::of(120),
          {Units::of(80), Units::from_micro(1'500'000), Units::of(0)}};
}

class CeilingStoreTest : public StoreTest {
 protected:
  CeilingStoreTest() { options_.boot_id = "boot-1"; }

  void save(const RateChange& one) {
    store_->push(SaveRate{one});
    next<CeilingSaved>();
  }
  void save(const LimiterLevels& one) {
    store_->push(SaveLevels{one});
    next<CeilingSaved>();
  }
  FoundRates find_rates(int64_t since, int64_t until, uint32_t limit) {
    store_->push(FindRates{RequestId{9}, at_ms(since), at_ms(until), limit});
    return next<FoundRates>();
  }
};

TEST_F(CeilingStoreTest, TheLastRateIsReadBackWhole) {
  open();
  EXPECT_FALSE(restored_.last_rate);
  save(change(1'000, 100, 85));
  save(change(2'000, 85, 87));
  close();
  open();
  ASSERT_TRUE(restored_.last_rate);
  EXPECT_EQ(restored_.last_rate->at, at_ms(2'000));
  EXPECT_EQ(restored_.last_rate->from_per_s, Units::of(85));
  EXPECT_EQ(restored_.last_rate->to_per_s, Units::of(87));
  EXPECT_EQ(restored_.last_rate->cause, RateCause::kThrottle);
  EXPECT_EQ(restored_.last_rate->epoch, 3);
  EXPECT_EQ(restored_.last_rate->measured_per_s, Units::of(90));
}

TEST_F(CeilingStoreTest, TheLastOutcomeTellsWhenTheRateWasInUse) {
  open();
  EXPECT_FALSE(restored_.last_outcome);
  persist({});
  claim(1);
  record(make_record(1, BatchState::kClaimed, BatchState::kSubmitted));
  close();
  open();
  EXPECT_EQ(restored_.last_outcome, at_ms(kDoneMs));
}

TEST_F(CeilingStoreTest, HistoryIsTheNewestOfASpanOldestFirst) {
  open();
  for (int64_t i = 0; i < 10; ++i)
    save(change(1'000 + i, 100 + i, 101 + i));
  const FoundRates found = find_rates(1'002, 1'008, 3);
  EXPECT_EQ(found.request, RequestId{9});
  EXPECT_FALSE(found.failed);
  EXPECT_TRUE(found.more);
  ASSERT_EQ(found.changes.size(), 3);
  EXPECT_EQ(found.changes[0].at, at_ms(1'005));
  EXPECT_EQ(found.changes[2].at, at_ms(1'007));
  const FoundRates all = find_rates(1'002, 1'008, 6);
  EXPECT_FALSE(all.more);
  EXPECT_EQ(all.changes.size(), 6);
  EXPECT_TRUE(find_rates(5'000, 6'000, 6).changes.empty());
}

TEST_F(CeilingStoreTest, HistoryIsBounded) {
  open();
  close();
  {
    RawDatabase raw(path());
    raw.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
            std::to_string(kRatesKept) + ") INSERT INTO rate SELECT i, i, 1, 2, 1, 1, 1 FROM n");
  }
  open();
  save(change(9'000'000, 2, 3));
  close();
  RawDatabase raw(path());
  EXPECT_EQ(raw.number("SELECT count(*) FROM rate"), kRatesKept);
  EXPECT_EQ(raw.number("SELECT min(id) FROM rate"), 2);
}

TEST_F(CeilingStoreTest, LevelsAreGivenToTheNextRunOfTheSameBootOnce) {
  open();
  save(levels());
  close();
  open();
  ASSERT_TRUE(restored_.levels);
  EXPECT_EQ(restored_.levels->at, levels().at);
  EXPECT_EQ(restored_.levels->account, levels().account);
  EXPECT_EQ(restored_.levels->lanes, levels().lanes);
  close();
  open();
  EXPECT_FALSE(restored_.levels);
}

// T38.
TEST_F(CeilingStoreTest, AnotherBootFindsNoLevels) {
  open();
  save(levels());
  close();
  options_.boot_id = "boot-2";
  open();
  EXPECT_FALSE(restored_.levels);
  close();
  // Nor does the first boot afterwards: its levels are of before.
  options_.boot_id = "boot-1";
  open();
  EXPECT_FALSE(restored_.levels);
}

TEST_F(CeilingStoreTest, WithoutABootIdThereAreNoLevels) {
  options_.boot_id = "";
  open();
  save(levels());
  close();
  open();
  EXPECT_FALSE(restored_.levels);
}

}  // namespace
}  // namespace weir
