// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/guards.h"

namespace weir::test {
namespace {

class RecipientWaits : public testing::Test {
 protected:
  RecipientWaits() { world_.run_for(Duration::seconds(5)); }

  const Refusal* refusal(Submission one) { return refusal_of(world_, std::move(one)); }

  World world_{guarded_options(wide_guard())};
};

TEST_F(RecipientWaits, ASecondCodeIsRefusedWithTheInstantAtWhichItGoes) {
  EXPECT_EQ(refusal(otp(1)), nullptr);
  world_.run_for(Duration::seconds(12));
  const Refusal* no = refusal(otp(1));
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kRecipientCooldown);
  EXPECT_EQ(http_status(no->code), 503);
  ASSERT_EQ(no->fields.size(), 1);
  EXPECT_EQ(no->fields[0].pointer, "/to");
  // The first one came 12 s and its commit ago; asking has taken another commit.
  ASSERT_TRUE(no->retry_after);
  EXPECT_EQ(*no->retry_after, Duration::millis(17'999));
  world_.run_for(*no->retry_after - world_.commit_time - Duration::nanos(1));
  const RequestId early = world_.submit(otp(1));
  ASSERT_NE(world_.refused(early), nullptr);
  EXPECT_EQ(*world_.refused(early)->retry_after, Duration::nanos(1));
  world_.run_for(Duration::nanos(1));
  EXPECT_EQ(refusal(otp(1)), nullptr);
  EXPECT_EQ(world_.view().refusals[static_cast<size_t>(RefusalCode::kRecipientCooldown)], 2);
}

TEST_F(RecipientWaits, OthersAndOtherClassesDoNot) {
  EXPECT_EQ(refusal(otp(1)), nullptr);
  EXPECT_EQ(refusal(otp(2)), nullptr);
  EXPECT_EQ(refusal(submission("transaction_alert", 1)), nullptr);
  EXPECT_EQ(refusal(submission("transaction_alert", 1)), nullptr);
}

TEST_F(RecipientWaits, AMessageIsRefusedWholeAndNamesTheFirstAtFault) {
  EXPECT_EQ(refusal(otp(12)), nullptr);
  Submission many = otp(10, 4);
  many.to.insert(many.to.begin(), {"no number", many.to[0]});  // both dropped: wrong, and twice
  const Refusal* no = refusal(many);
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kRecipientCooldown);
  EXPECT_EQ(no->fields.at(0).pointer, "/to/4");
  EXPECT_EQ(refusal(otp(10)), nullptr) << "what was refused counts nothing";
}

TEST_F(RecipientWaits, TheSameRecipientTwiceInOneMessageIsOne) {
  Submission twice = otp(1);
  twice.to.push_back(twice.to[0]);
  EXPECT_EQ(refusal(twice), nullptr);
}

TEST_F(RecipientWaits, ARepetitionUnderItsKeyIsAnsweredWithTheFirstMessageAtAnyTime) {
  const RequestId first = world_.submit(otp(1, 1, "login-1"));
  const RequestId before_its_commit = world_.submit(otp(1, 1, "login-1"));
  world_.run_for(Duration::seconds(1));
  const RequestId soon = world_.submit(otp(1, 1, "login-1"));
  world_.run_for(Duration::seconds(29));
  const RequestId after_the_cooldown = world_.submit(otp(1, 1, "login-1"));
  world_.run_for(Duration::seconds(1));
  for (RequestId again : {before_its_commit, soon, after_the_cooldown}) {
    ASSERT_NE(world_.accepted(again), nullptr);
    EXPECT_TRUE(world_.accepted(again)->replayed);
    EXPECT_EQ(world_.accepted(again)->message.id, world_.accepted(first)->message.id);
  }
  EXPECT_EQ(refusal(otp(1)), nullptr) << "repetitions count nothing";
  EXPECT_EQ(world_.sent().size(), 2);
}

TEST_F(RecipientWaits, AnotherKeyIsNoRepetition) {
  EXPECT_EQ(refusal(otp(1, 1, "login-1")), nullptr);
  const Refusal* no = refusal(otp(1, 1, "login-2"));
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kRecipientCooldown);
}

TEST_F(RecipientWaits, WhatTheDiskDidNotTakeCountsNothing) {
  world_.disk_works = false;
  const Refusal* failed = refusal(otp(1));
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->code, RefusalCode::kStoreUnavailable);
  world_.disk_works = true;
  EXPECT_EQ(refusal(otp(1)), nullptr);
}

TEST_F(RecipientWaits, NotForACodeThatTheGatewayRefused) {
  world_.gateway = [](const Payload&) { return refused_reply("188"); };
  EXPECT_EQ(refusal(otp(1)), nullptr);
  EXPECT_NE(refusal(otp(1)), nullptr) << "while nobody knows what becomes of it";
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(refusal(otp(1)), nullptr);
}

TEST_F(RecipientWaits, NotForACodeThatWasShed) {
  world_.gateway = [](const Payload&) { return unreachable_reply(); };
  Submission brief = otp(1);
  brief.deadline = world_.now().wall + Duration::seconds(3);
  EXPECT_EQ(refusal(brief), nullptr);
  world_.run_for(Duration::seconds(4));
  EXPECT_EQ(refusal(otp(1)), nullptr);
}

TEST_F(RecipientWaits, NotForACodeThatAPersonTookBack) {
  world_.stop_class("otp", StopMode::kPaused);
  world_.run_for(Duration::seconds(1));
  Submission tagged = otp(1);
  tagged.tag = "wrong text";
  EXPECT_EQ(refusal(tagged), nullptr);
  world_.cancel_tag("wrong text");
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(refusal(otp(1)), nullptr);
}

TEST_F(RecipientWaits, ForACodeOfWhichNobodyKnows) {
  world_.gateway = [](const Payload&) { return silent_reply(); };
  EXPECT_EQ(refusal(otp(1)), nullptr);
  world_.run_for(Duration::seconds(20));
  EXPECT_NE(refusal(otp(1)), nullptr);
}

TEST_F(RecipientWaits, AWallClockThatIsSetChangesNothing) {
  EXPECT_EQ(refusal(otp(1)), nullptr);
  for (int64_t hours : {-5, 5}) {
    world_.wall_step = Duration::seconds(hours * 3600);
    const Refusal* no = refusal(otp(1));
    ASSERT_NE(no, nullptr);
    EXPECT_GT(*no->retry_after, Duration::seconds(29));
    EXPECT_LE(*no->retry_after, Duration::seconds(30));
  }
}

TEST(NoGuard, NobodyWaits) {
  World world;
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
}

}  // namespace
}  // namespace weir::test
