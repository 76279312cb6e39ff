// SPDX-License-Identifier: Apache-2.0
//
// What a person pauses or drains is kept with the file, and found by the next start.
#include <gmock/gmock.h>

#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class StopTest : public StoreTest {
 protected:
  void SetUp() override { open(); }
  StopStored put(StopOrder order) {
    store_->push(StoreStop{RequestId{3}, std::move(order)});
    return next<StopStored>();
  }
};

TEST_F(StopTest, IsFoundByTheNextStartAsItWas) {
  const Stop paused = {StopMode::kPaused, "the text  is wrong (जाँच)", at_ms(kCreatedMs)};
  const Stop draining = {StopMode::kDraining, "x", at_ms(kDoneMs)};
  EXPECT_TRUE(put({Lane::kPromotional, "", paused}).written);
  EXPECT_TRUE(put({std::nullopt, "order reminder", draining}).written);
  open();
  ASSERT_EQ(restored_.stops.size(), 2U);
  const StopOrder& of_class = restored_.stops[0];
  EXPECT_EQ(of_class.class_name, "order reminder");
  EXPECT_FALSE(of_class.lane);
  EXPECT_EQ(of_class.stop.mode, StopMode::kDraining);
  EXPECT_EQ(of_class.stop.since, at_ms(kDoneMs));
  const StopOrder& of_lane = restored_.stops[1];
  EXPECT_EQ(of_lane.lane, Lane::kPromotional);
  EXPECT_EQ(of_lane.stop.mode, StopMode::kPaused);
  EXPECT_EQ(of_lane.stop.reason, paused.reason);
}

TEST_F(StopTest, IsGoneAfterItsResumeAndTheOtherStays) {
  put({Lane::kOtp, "", {StopMode::kPaused, "a", at_ms(1)}});
  put({Lane::kPromotional, "", {StopMode::kPaused, "b", at_ms(1)}});
  put({Lane::kPromotional, "", {StopMode::kDraining, "c", at_ms(2)}});
  EXPECT_TRUE(put({Lane::kOtp, "", {}}).written);
  open();
  ASSERT_EQ(restored_.stops.size(), 1U);
  EXPECT_EQ(restored_.stops[0].stop.reason, "c");
  put({Lane::kPromotional, "", {}});
  open();
  EXPECT_THAT(restored_.stops, IsEmpty());
}

TEST_F(StopTest, ThatNoWeirWroteRefusesTheFile) {
  close();
  for (const char* row : {"'stop lane bulk', 'paused 1 x'", "'stop lane otp', 'halted 1 x'",
                          "'stop lane otp', 'paused x'", "'stop lane otp', 'paused 1'"}) {
    ASSERT_EQ(RawDatabase(path()).run(std::string("INSERT INTO setting VALUES (") + row + ")"), 0);
    const auto opened = try_open();
    ASSERT_FALSE(opened) << row;
    EXPECT_THAT(opened.error().detail, HasSubstr("is none that a weir writes"));
    ASSERT_EQ(RawDatabase(path()).run("DELETE FROM setting WHERE name LIKE 'stop %'"), 0);
  }
}

}  // namespace
}  // namespace weir
