// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

// transaction_alert and delivery_update share a lane.
class APausedClass : public testing::Test {
 protected:
  void SetUp() override {
    world_.run_for(Duration::seconds(10));
    stop(StopMode::kPaused);
  }
  RequestId hand_in(std::string class_name) {
    return world_.submit(submission(std::move(class_name), ++numbers_));
  }
  void stop(StopMode mode) {
    const RequestId request = world_.stop_class("transaction_alert", mode);
    world_.run_for(Duration::millis(10));
    ASSERT_NE(world_.stop_answer(request), nullptr);
    EXPECT_EQ(world_.stop_answer(request)->result, StopResult::kDone);
  }

  World world_;
  uint64_t numbers_ = 0;
};

TEST_F(APausedClass, LetsTheOthersOfItsLanePassAndKeepsItsOwn) {
  std::vector<RequestId> paused;
  for (int i = 0; i < 300; ++i)  // above one slice, and all in front
    paused.push_back(hand_in("transaction_alert"));
  const RequestId other = hand_in("delivery_update");
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(world_.states(other), std::vector{BatchState::kSubmitted});
  EXPECT_EQ(world_.sent().size(), 1);
  EXPECT_EQ(world_.lane(Lane::kTransactional).pending_rows, 300);
  EXPECT_FALSE(world_.accepted(paused.front())->predicted_send_at);
  EXPECT_TRUE(world_.accepted(other)->predicted_send_at);
}

TEST_F(APausedClass, GoesOnInItsOldOrderAfterAResume) {
  std::vector<RequestId> paused;
  for (int i = 0; i < 200; ++i)
    paused.push_back(hand_in("transaction_alert"));
  world_.run_for(Duration::seconds(5));
  ASSERT_TRUE(world_.sent().empty());
  stop(StopMode::kNone);
  world_.run_for(Duration::seconds(10));
  ASSERT_EQ(world_.sent().size(), 200);
  for (size_t i = 1; i < world_.sent().size(); ++i)
    EXPECT_LT(raw(world_.sent()[i - 1].batch), raw(world_.sent()[i].batch));
  EXPECT_EQ(world_.lane(Lane::kTransactional).pending_rows, 0);
}

TEST_F(APausedClass, IsShedAtItsDeadlineAllTheSame) {
  Submission one = submission("transaction_alert", 1);
  one.deadline = world_.now().wall + Duration::seconds(20);
  const RequestId id = world_.submit(std::move(one));
  world_.run_for(Duration::seconds(19));
  EXPECT_EQ(world_.states(id), std::vector{BatchState::kPending});
  world_.run_for(Duration::seconds(3));
  EXPECT_EQ(world_.states(id), std::vector{BatchState::kShed});
  EXPECT_EQ(world_.last_reason(id), "deadline");
  EXPECT_EQ(world_.lane(Lane::kTransactional).pending_rows, 0);
  EXPECT_TRUE(world_.sent().empty());
}

TEST_F(APausedClass, CanBeCancelledWhileItWaits) {
  Submission one = submission("transaction_alert", 1);
  one.tag = "diwali";
  const RequestId id = world_.submit(std::move(one));
  world_.run_for(Duration::seconds(1));
  world_.cancel_tag("diwali");
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(world_.lane(Lane::kTransactional).pending_rows, 0);
  stop(StopMode::kNone);
  world_.run_for(Duration::seconds(10));
  EXPECT_EQ(world_.states(id), std::vector{BatchState::kCancelled});
  EXPECT_TRUE(world_.sent().empty());
}

TEST_F(APausedClass, HasNoLeases) {
  const RequestId paused = world_.acquire("transaction_alert", Units::of(1), Duration::seconds(60));
  const RequestId other = world_.acquire("delivery_update", Units::of(1));
  ASSERT_NE(world_.lease_answer(paused), nullptr);
  EXPECT_EQ(world_.lease_answer(paused)->result, AnswerLease::Result::kDenied);
  EXPECT_GE(world_.lease_answer(paused)->retry_after, Duration::seconds(1));
  ASSERT_NE(world_.lease_answer(other), nullptr);
  EXPECT_EQ(world_.lease_answer(other)->result, AnswerLease::Result::kGranted);
}

TEST_F(APausedClass, IsStillOneAfterARestart) {
  const RequestId id = hand_in("transaction_alert");
  world_.run_for(Duration::seconds(1));
  world_.restart();
  const RequestId other = hand_in("delivery_update");
  world_.run_for(Duration::seconds(60));
  EXPECT_EQ(world_.states(id), std::vector{BatchState::kPending});
  EXPECT_EQ(world_.states(other), std::vector{BatchState::kSubmitted});
  for (const ClassView& one : world_.view().classes) {
    const bool paused = one.name == "transaction_alert";
    EXPECT_EQ(one.stop.mode, paused ? StopMode::kPaused : StopMode::kNone) << one.name;
    EXPECT_EQ(one.stop.reason, paused ? "the test says so" : "");
  }
}

}  // namespace
}  // namespace weir::test
