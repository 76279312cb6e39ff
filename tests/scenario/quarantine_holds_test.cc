// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

class QuarantineHolds : public testing::Test {
 protected:
  // Two wait in a file that the next start takes for a copy.
  void SetUp() override {
    waiting_ = world_.submit(submission("delivery_update", 1));
    late_ = world_.submit(submission("transaction_alert", 2));
    world_.run_for(world_.commit_time);
    ASSERT_NE(world_.accepted(late_), nullptr);
    ASSERT_TRUE(world_.sent().empty());
    world_.quarantine_at_restart("it was copied here");
    world_.restart();
  }

  World world_;
  RequestId waiting_{};
  RequestId late_{};
};

TEST_F(QuarantineHolds, NothingIsSentAndNothingIsToldAsNotSent) {
  const RequestId otp = world_.submit(submission("otp", 3));
  world_.run_for(Duration::seconds(3600));
  EXPECT_EQ(world_.view().quarantine, "it was copied here");
  EXPECT_NE(world_.accepted(otp), nullptr);
  EXPECT_TRUE(world_.sent().empty());
  // Its deadline has passed; but it may have been sent before the copy was put here.
  EXPECT_EQ(world_.states(late_), std::vector{BatchState::kPending});
}

TEST_F(QuarantineHolds, ItLastsOverARestartAndEndsByAPersonsWord) {
  world_.run_for(Duration::seconds(3600));
  world_.restart();
  world_.run_for(Duration::seconds(60));
  EXPECT_TRUE(world_.sent().empty());

  const RequestId release = world_.release_quarantine();
  EXPECT_TRUE(world_.run_until_idle(Duration::seconds(10)));
  ASSERT_NE(world_.release_answer(release), nullptr);
  EXPECT_EQ(world_.release_answer(release)->result, AnswerRelease::Result::kReleased);
  EXPECT_EQ(world_.states(waiting_), std::vector{BatchState::kSubmitted});
  EXPECT_EQ(world_.states(late_), std::vector{BatchState::kShed});
  EXPECT_EQ(world_.sent().size(), 1);
}

TEST_F(QuarantineHolds, AReleaseThatCannotBeWrittenReleasesNothing) {
  world_.disk_works = false;
  const RequestId failed = world_.release_quarantine();
  world_.run_for(Duration::seconds(60));
  ASSERT_NE(world_.release_answer(failed), nullptr);
  EXPECT_EQ(world_.release_answer(failed)->result, AnswerRelease::Result::kFailed);
  EXPECT_TRUE(world_.sent().empty());
  EXPECT_NE(world_.view().quarantine, "");
}

TEST(Quarantine, ThereIsNothingToReleaseWithoutOne) {
  World world;
  const RequestId release = world.release_quarantine();
  ASSERT_NE(world.release_answer(release), nullptr);
  EXPECT_EQ(world.release_answer(release)->result, AnswerRelease::Result::kNotQuarantined);
}

}  // namespace
}  // namespace weir::test
