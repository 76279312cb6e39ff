// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

class APausedLane : public testing::Test {
 protected:
  void SetUp() override { world_.run_for(Duration::seconds(10)); }
  StopResult stop(Lane lane, StopMode mode) {
    const RequestId request = world_.stop_lane(lane, mode);
    world_.run_for(Duration::millis(10));
    const AnswerStop* answer = world_.stop_answer(request);
    EXPECT_NE(answer, nullptr);
    return answer == nullptr ? StopResult::kNotWritten : answer->result;
  }
  RequestId hand_in(std::string class_name) {
    return world_.submit(submission(std::move(class_name), ++numbers_));
  }

  World world_;
  uint64_t numbers_ = 0;
};

TEST_F(APausedLane, StopsAmidACampaignWithinOneBatchAndGoesOn) {
  for (int i = 0; i < 400; ++i)
    hand_in("promotional");
  world_.run_for(Duration::seconds(1));
  const size_t before = world_.sent().size();
  ASSERT_GT(before, 0);
  EXPECT_EQ(stop(Lane::kPromotional, StopMode::kPaused), StopResult::kDone);
  const size_t sent = world_.sent().size();
  world_.run_for(Duration::seconds(60));
  EXPECT_LE(world_.sent().size(), sent + 1);
  EXPECT_FALSE(world_.lane(Lane::kPromotional).predicted_wait);
  EXPECT_EQ(world_.lane(Lane::kPromotional).stop.mode, StopMode::kPaused);
  EXPECT_EQ(stop(Lane::kPromotional, StopMode::kNone), StopResult::kDone);
  EXPECT_TRUE(world_.run_until_idle(Duration::seconds(60)));
  EXPECT_EQ(world_.sent().size(), 400);
}

TEST_F(APausedLane, AtItsBoundLeavesOtpsAlone) {
  EngineOptions options = test_options();
  options.lanes[index(Lane::kPromotional)].max_rows = 100;
  World world(options);
  world.run_for(Duration::seconds(10));
  world.stop_lane(Lane::kPromotional, StopMode::kPaused);
  world.run_for(Duration::millis(10));
  for (uint64_t i = 0; i < 100; ++i)
    world.submit(submission("promotional", i));
  const RequestId above = world.submit(submission("promotional", 100));
  world.run_for(Duration::seconds(1));
  ASSERT_NE(world.refused(above), nullptr);
  EXPECT_EQ(world.refused(above)->code, RefusalCode::kLaneFull);
  for (uint64_t i = 0; i < 50; ++i) {
    world.submit(submission("otp", i));
    world.run_for(Duration::millis(2));  // one commit and nothing else
    EXPECT_EQ(world.sent().size(), i + 1);
    world.run_for(Duration::millis(100));
  }
}

TEST_F(APausedLane, TakesOtpsAndSendsNone) {
  EXPECT_EQ(stop(Lane::kOtp, StopMode::kPaused), StopResult::kDone);
  const RequestId otp = hand_in("otp");
  world_.run_for(Duration::seconds(10));
  EXPECT_EQ(world_.states(otp), std::vector{BatchState::kPending});
  world_.run_for(Duration::seconds(120));
  EXPECT_EQ(world_.states(otp), std::vector{BatchState::kShed});
  EXPECT_TRUE(world_.sent().empty());
}

TEST_F(APausedLane, DeniesThoseWhoWaitForItsUnits) {
  for (int i = 0; i < 400; ++i)
    hand_in("promotional");
  world_.run_for(Duration::seconds(2));
  const RequestId waits = world_.acquire("promotional", Units::of(50), Duration::seconds(60));
  ASSERT_EQ(world_.lease_answer(waits), nullptr);
  EXPECT_EQ(stop(Lane::kPromotional, StopMode::kPaused), StopResult::kDone);
  ASSERT_NE(world_.lease_answer(waits), nullptr);
  EXPECT_EQ(world_.lease_answer(waits)->result, AnswerLease::Result::kDenied);
}

TEST_F(APausedLane, IsNotOneWhenTheDiskDidNotTakeIt) {
  world_.disk_works = false;
  EXPECT_EQ(stop(Lane::kPromotional, StopMode::kPaused), StopResult::kNotWritten);
  world_.disk_works = true;
  const RequestId id = hand_in("promotional");
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(world_.states(id), std::vector{BatchState::kSubmitted});
}

TEST_F(APausedLane, OfAClassThatIsNoneIsToldSo) {
  const RequestId request = world_.stop_class("nothing", StopMode::kPaused);
  ASSERT_NE(world_.stop_answer(request), nullptr);
  EXPECT_EQ(world_.stop_answer(request)->result, StopResult::kNone);
}

}  // namespace
}  // namespace weir::test
