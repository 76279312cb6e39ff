// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

class ACancelledCampaign : public testing::Test {
 protected:
  // With full buckets.
  void SetUp() override { world_.run_for(Duration::seconds(10)); }
  RequestId hand_in(std::string tag, std::string class_name = "promotional") {
    Submission one = submission(std::move(class_name), ++numbers_);
    one.tag = std::move(tag);
    return world_.submit(std::move(one));
  }
  void hand_in_many(const std::string& tag, int messages) {
    for (int i = 0; i < messages; ++i)
      ids_.push_back(hand_in(tag));
  }
  size_t in_state(BatchState state) const {
    size_t found = 0;
    for (RequestId id : ids_)
      found += world_.states(id) == std::vector{state};
    return found;
  }
  const AnswerCancel& answer(RequestId request) {
    const AnswerCancel* found = world_.cancel_answer(request);
    EXPECT_NE(found, nullptr);
    static const AnswerCancel kNone;
    return found == nullptr ? kNone : *found;
  }

  World world_;
  uint64_t numbers_ = 0;
  std::vector<RequestId> ids_;
};

TEST_F(ACancelledCampaign, SendsNothingMoreEvenOfWhatIsInMemory) {
  hand_in_many("diwali", 400);
  world_.run_for(Duration::seconds(1));
  const size_t under_way = world_.lane(Lane::kPromotional).in_flight;
  const size_t sent = world_.sent().size();
  ASSERT_GT(under_way, 0);
  const RequestId cancel = world_.cancel_tag("diwali");
  world_.run_for(Duration::seconds(600));
  // Those whose claim was on its way to disk, and nothing else.
  EXPECT_LE(world_.sent().size(), sent + under_way);
  EXPECT_EQ(world_.rows_in(BatchState::kPending), 0);
  EXPECT_EQ(in_state(BatchState::kSubmitted), world_.sent().size());
  EXPECT_EQ(in_state(BatchState::kCancelled), 400 - world_.sent().size());
  EXPECT_EQ(answer(cancel).result, CancelResult::kCancelled);
  EXPECT_EQ(answer(cancel).counts.batches, in_state(BatchState::kCancelled));
  EXPECT_EQ(answer(cancel).counts.messages, in_state(BatchState::kCancelled));
  EXPECT_EQ(answer(cancel).counts.cost,
            Units::of(static_cast<int64_t>(in_state(BatchState::kCancelled))));
}

TEST_F(ACancelledCampaign, LeavesTheDepthOfItsLaneAndItsTokens) {
  hand_in_many("diwali", 400);
  world_.run_for(Duration::millis(10));
  world_.cancel_tag("diwali");
  world_.run_for(Duration::seconds(2));
  EXPECT_EQ(world_.lane(Lane::kPromotional).pending_rows, 0);
  EXPECT_EQ(world_.lane(Lane::kPromotional).pending_units, Units());
  EXPECT_FALSE(world_.lane(Lane::kPromotional).oldest_age);
  EXPECT_EQ(world_.lane(Lane::kPromotional).in_flight, 0);
  const size_t sent = world_.sent().size();
  const RequestId next = hand_in("");
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(world_.states(next), std::vector{BatchState::kSubmitted});
  EXPECT_EQ(world_.sent().size(), sent + 1);
  for (const std::string& note : world_.notes())
    EXPECT_EQ(note.find("not pending on disk"), note.npos) << note;
}

TEST_F(ACancelledCampaign, LeavesTheOthersOfItsLaneAlone) {
  hand_in_many("diwali", 200);
  const RequestId other = hand_in("holi");
  const RequestId none = hand_in("");
  const RequestId cancel = world_.cancel_tag("diwali");
  const RequestId later = hand_in("diwali");  // after the cancel
  world_.run_for(Duration::seconds(60));
  EXPECT_EQ(answer(cancel).counts.found, 200);
  for (RequestId one : {other, none, later})
    EXPECT_EQ(world_.states(one), std::vector{BatchState::kSubmitted});
}

TEST_F(ACancelledCampaign, HoldsForWhatWasOnItsWayToDisk) {
  world_.commit_time = Duration::millis(500);
  hand_in_many("diwali", 20);
  const RequestId cancel = world_.cancel_tag("diwali");
  world_.run_for(Duration::seconds(60));
  EXPECT_EQ(in_state(BatchState::kCancelled), 20);
  EXPECT_EQ(answer(cancel).counts.batches, 20);
  EXPECT_TRUE(world_.sent().empty());
}

TEST_F(ACancelledCampaign, IsNotTriedAgainWhenItsCallSubmittedNothing) {
  world_.gateway = [](const Payload&) { return throttled_reply(); };
  hand_in_many("diwali", 4);
  world_.run_for(Duration::millis(50));
  ASSERT_EQ(world_.rows_in(BatchState::kClaimed), 4);
  const RequestId cancel = world_.cancel_tag("diwali");
  world_.run_for(Duration::millis(50));
  EXPECT_EQ(answer(cancel).result, CancelResult::kTooLate);
  EXPECT_EQ(answer(cancel).counts.left[index(BatchState::kClaimed)], 4);
  world_.run_for(Duration::seconds(600));
  EXPECT_EQ(world_.sent().size(), 4);
  EXPECT_EQ(in_state(BatchState::kCancelled), 4);
}

// The reply is heard between the store's look at the row and its answer.
TEST_F(ACancelledCampaign, IsNotTriedAgainWhenTheReplyComesAmidTheCancel) {
  world_.gateway = [](const Payload&) { return throttled_reply(); };
  for (int offset = 180; offset < 206; ++offset) {
    World fresh;
    fresh.commit_time = Duration::millis(3);
    fresh.gateway = world_.gateway;
    fresh.run_for(Duration::seconds(10));
    Submission one = submission("promotional", 1);
    one.tag = "diwali";
    const RequestId id = fresh.submit(std::move(one));
    fresh.run_for(Duration::millis(offset));
    fresh.cancel_tag("diwali");
    fresh.run_for(Duration::seconds(600));
    EXPECT_EQ(fresh.states(id), std::vector{BatchState::kCancelled}) << offset;
    EXPECT_EQ(fresh.sent().size(), 1) << offset;
  }
}

TEST_F(ACancelledCampaign, IsFoundByIdAndByKeyToo) {
  Submission keyed = submission("promotional", 1);
  keyed.key = "order-1";
  keyed.not_before = world_.now().wall + Duration::seconds(100);
  Submission other = submission("promotional", 2);
  other.not_before = keyed.not_before;
  const RequestId first = world_.submit(keyed);
  const RequestId second = world_.submit(other);
  world_.run_for(Duration::seconds(1));
  const RequestId by_key = world_.cancel({.message = {}, .key = "order-1", .tag = {}});
  const RequestId by_id =
      world_.cancel({.message = world_.accepted(second)->message.id, .key = {}, .tag = {}});
  world_.run_for(Duration::seconds(200));
  EXPECT_EQ(answer(by_key).result, CancelResult::kCancelled);
  EXPECT_EQ(answer(by_id).result, CancelResult::kCancelled);
  EXPECT_EQ(world_.states(first), std::vector{BatchState::kCancelled});
  EXPECT_EQ(world_.states(second), std::vector{BatchState::kCancelled});
  EXPECT_TRUE(world_.sent().empty());
}

TEST_F(ACancelledCampaign, ThatNobodyKnowsIsSaidToBeNone) {
  hand_in_many("diwali", 1);
  world_.run_for(Duration::seconds(10));
  const RequestId unknown = world_.cancel_tag("holi");
  const RequestId late = world_.cancel_tag("diwali");
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(answer(unknown).result, CancelResult::kNone);
  EXPECT_EQ(answer(late).result, CancelResult::kTooLate);
  EXPECT_EQ(answer(late).counts.left[index(BatchState::kSubmitted)], 1);
}

TEST_F(ACancelledCampaign, IsFinishedByASecondCommandAfterACrash) {
  world_.cancel_slice = 3;
  hand_in_many("diwali", 200);
  world_.run_for(Duration::millis(5));
  const RequestId first = world_.cancel_tag("diwali");
  world_.run_for(Duration::millis(20));
  ASSERT_EQ(world_.cancel_answer(first), nullptr);
  ASSERT_GT(world_.rows_in(BatchState::kCancelled), 0);
  ASSERT_GT(world_.rows_in(BatchState::kPending), 0);
  world_.restart();
  const size_t sent = world_.sent().size();
  const RequestId second = world_.cancel_tag("diwali");
  world_.run_for(Duration::seconds(600));
  EXPECT_EQ(answer(second).result, CancelResult::kCancelled);
  EXPECT_EQ(world_.sent().size(), sent);
  EXPECT_EQ(world_.rows_in(BatchState::kPending), 0);
}

TEST_F(ACancelledCampaign, IsNotSaidToBeOneWhileTheDiskTakesNothing) {
  hand_in_many("diwali", 200);
  world_.run_for(Duration::millis(5));
  world_.disk_works = false;
  const RequestId cancel = world_.cancel_tag("diwali");
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(answer(cancel).result, CancelResult::kNotWritten);
  EXPECT_EQ(answer(cancel).counts.batches, 0);
  world_.disk_works = true;
  EXPECT_TRUE(world_.run_until_idle(Duration::seconds(600)));
  EXPECT_EQ(in_state(BatchState::kSubmitted), 200);
}

TEST_F(ACancelledCampaign, DoesNotHoldAnOtpUp) {
  world_.cancel_slice = 1;
  hand_in_many("diwali", 1000);
  world_.run_for(Duration::seconds(1));
  world_.cancel_tag("diwali");
  for (int i = 0; i < 10; ++i) {
    const RequestId otp = hand_in("", "otp");
    const size_t before = world_.sent_in(Lane::kOtp).size();
    world_.run_for(Duration::millis(5));
    EXPECT_EQ(world_.sent_in(Lane::kOtp).size(), before + 1);
    world_.run_for(Duration::millis(300));
    EXPECT_EQ(world_.states(otp), std::vector{BatchState::kSubmitted});
  }
}

TEST_F(ACancelledCampaign, MoreThanAFewAtOnceAreTurnedAway) {
  hand_in_many("diwali", 1);
  std::vector<RequestId> asked;
  for (int i = 0; i < 9; ++i)
    asked.push_back(world_.cancel_tag("holi"));
  EXPECT_EQ(answer(asked.back()).result, CancelResult::kBusy);
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(answer(asked.front()).result, CancelResult::kNone);
  const RequestId again = world_.cancel_tag("holi");
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(answer(again).result, CancelResult::kNone);
}

}  // namespace
}  // namespace weir::test
