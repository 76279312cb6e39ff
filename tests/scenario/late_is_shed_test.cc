// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

// T46.
TEST(LateIsShed, AnOtpThatTheQueueMakesLateIsRefusedAtTheDoorWithBothNumbers) {
  World world;
  for (int i = 0; i < 40; ++i) {
    world.submit(submission("otp", 1000 * static_cast<uint64_t>(i), 50));  // 2000 units at 40/s
  }
  const RequestId late = world.submit(submission("otp", 999'999));
  world.run_for(Duration::millis(10));
  const Refusal* refusal = world.refused(late);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->code, RefusalCode::kDeadlineUnreachable);
  EXPECT_NE(refusal->detail.find("45 s are left"), std::string::npos) << refusal->detail;
  ASSERT_TRUE(refusal->retry_after);
  EXPECT_GE(*refusal->retry_after, Duration::seconds(1));
}

TEST(LateIsShed, ABufferedMessageIsShedAtItsDeadlineAndSaysWhy) {
  World world;
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(200)); };
  const RequestId first = world.submit(submission("transaction_alert", 1));
  world.run_for(Duration::seconds(5));
  const RequestId second = world.submit(submission("transaction_alert", 2));
  world.run_for(Duration::seconds(700));
  EXPECT_EQ(world.states(first), std::vector{BatchState::kShed});
  EXPECT_EQ(world.states(second), std::vector{BatchState::kShed});
  EXPECT_EQ(world.last_reason(second), "deadline");
  const MonoTime last = world.sent().back().at;
  EXPECT_LE(last + Duration::seconds(95), world.now().mono) << "it was sent past its deadline";
}

TEST(LateIsShed, ADeadlineThatPassesWhileTheClaimIsWrittenKeepsTheCallFromLeaving) {
  World world;
  world.run_for(Duration::seconds(5));
  world.commit_time = Duration::seconds(30);  // a disk that hangs
  Submission urgent = submission("transaction_alert", 1);
  urgent.deadline = world.now().wall + Duration::seconds(45);
  const RequestId request = world.submit(urgent);
  world.run_for(Duration::seconds(200));
  EXPECT_TRUE(world.sent().empty());
  EXPECT_EQ(world.states(request), std::vector{BatchState::kShed});
}

// A million rows that are late at once are shed in slices; an OTP in the middle goes through.
TEST(LateIsShed, AStormOfExpiryDelaysNoOtp) {
  EngineOptions options = test_options();
  options.batch_max = 1;
  World world(options);
  for (int i = 0; i < 20; ++i) {
    Submission one = submission("promotional", 10'000 * static_cast<uint64_t>(i), 2000);
    one.deadline = world.now().wall + Duration::seconds(20);
    world.submit(one);
  }
  world.run_for(Duration::millis(19'999));
  const RequestId otp = world.submit(submission("otp", 1));
  const MonoTime asked = world.now().mono;
  world.run_for(Duration::millis(100));
  ASSERT_NE(world.accepted(otp), nullptr);
  ASSERT_EQ(world.sent_in(Lane::kOtp).size(), 1);
  EXPECT_LE(world.sent_in(Lane::kOtp)[0].at - asked, Duration::millis(10));
  EXPECT_TRUE(world.run_until_idle(Duration::seconds(60)));
  EXPECT_GT(world.rows_in(BatchState::kShed), 35'000);
}

TEST(LateIsShed, AScheduledMessageWaitsForItsTime) {
  World world;
  world.run_for(Duration::seconds(5));
  Submission scheduled = submission("delivery_update", 1);
  scheduled.not_before = world.now().wall + Duration::seconds(600);
  world.submit(scheduled);
  world.run_for(Duration::seconds(599));
  EXPECT_TRUE(world.sent().empty());
  EXPECT_FALSE(world.lane(Lane::kTransactional).oldest_age);
  world.run_for(Duration::seconds(3));
  EXPECT_EQ(world.sent().size(), 1);
}

}  // namespace
}  // namespace weir::test
