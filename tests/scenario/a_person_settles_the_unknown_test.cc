// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

class APersonSettlesTheUnknown : public testing::Test {
 protected:
  void SetUp() override {
    world_.gateway = [](const Payload&) { return silent_reply(); };
    message_ = world_.submit(submission("transaction_alert", 1));
    world_.run_for(Duration::seconds(60));
    ASSERT_EQ(world_.states(message_), std::vector{BatchState::kUnknown});
    ASSERT_EQ(world_.view().unknown_batches, 1);
  }
  ResolveResult resolve(BatchState to) {
    const RequestId request = world_.resolve(message_, to);
    world_.run_for(Duration::seconds(60));
    const AnswerResolve* answer = world_.resolve_answer(request);
    EXPECT_NE(answer, nullptr);
    return answer == nullptr ? ResolveResult::kNotWritten : answer->result;
  }

  World world_;
  RequestId message_{};
};

TEST_F(APersonSettlesTheUnknown, AsSentAndItIsNotSentAgain) {
  EXPECT_EQ(resolve(BatchState::kSubmitted), ResolveResult::kResolved);
  EXPECT_EQ(world_.states(message_), std::vector{BatchState::kSubmitted});
  EXPECT_EQ(world_.view().unknown_batches, 0);
  EXPECT_EQ(world_.sent().size(), 1);
}

TEST_F(APersonSettlesTheUnknown, OnceAndNotTwice) {
  EXPECT_EQ(resolve(BatchState::kRefused), ResolveResult::kResolved);
  EXPECT_EQ(resolve(BatchState::kSubmitted), ResolveResult::kNotUnknown);
  EXPECT_EQ(world_.states(message_), std::vector{BatchState::kRefused});
  EXPECT_EQ(world_.sent().size(), 1);
}

TEST_F(APersonSettlesTheUnknown, NotWhileTheDiskTakesNothing) {
  world_.disk_works = false;
  EXPECT_EQ(resolve(BatchState::kSubmitted), ResolveResult::kNotWritten);
  EXPECT_EQ(world_.states(message_), std::vector{BatchState::kUnknown});
  EXPECT_EQ(world_.view().unknown_batches, 1);
}

TEST_F(APersonSettlesTheUnknown, AndNobodyElseDoes) {
  world_.run_for(Duration::seconds(86'400));
  world_.restart();
  world_.run_for(Duration::seconds(86'400));
  EXPECT_EQ(world_.states(message_), std::vector{BatchState::kUnknown});
  EXPECT_EQ(world_.sent().size(), 1);
}

}  // namespace
}  // namespace weir::test
