// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/guards.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

TEST(CodesAreCapped, OneRecipientGetsSoManyInAnyHour) {
  GuardOptions guard = wide_guard();
  guard.max_per_recipient_per_hour = 3;
  World world(guarded_options(guard));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
    world.run_for(Duration::seconds(600));
  }
  const RequestId over = world.submit(otp(1));
  const Refusal* no = world.refused(over);
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kRecipientCap);
  EXPECT_EQ(http_status(no->code), 503);
  // Three times 600 s and a commit are over since the first.
  ASSERT_TRUE(no->retry_after);
  EXPECT_EQ(*no->retry_after, Duration::millis(1'799'997));
  world.run_for(*no->retry_after - Duration::nanos(1));
  EXPECT_NE(world.refused(world.submit(otp(1))), nullptr);
  world.run_for(Duration::nanos(1));
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
  // The second left its hour 600 s after the first.
  world.run_for(Duration::seconds(31));
  no = refusal_of(world, otp(1));
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kRecipientCap);
}

TEST(CodesAreCapped, ABlockOfNumbersGetsSoManyInAnyHour) {
  GuardOptions guard = wide_guard();
  guard.max_per_prefix_per_hour = 5;
  guard.prefix_digits = 8;  // of 910000000001: one block of ten thousand
  World world(guarded_options(guard));
  EXPECT_EQ(refusal_of(world, otp(1, 3)), nullptr);
  const Refusal* no = refusal_of(world, otp(100, 3));
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kPrefixCap);
  EXPECT_EQ(http_status(no->code), 503);
  EXPECT_EQ(no->fields.at(0).pointer, "/to/2") << "the third is one too many";
  EXPECT_THAT(no->detail, HasSubstr("first 8 digits"));
  EXPECT_EQ(refusal_of(world, otp(100, 2)), nullptr);
  EXPECT_NE(refusal_of(world, otp(200)), nullptr);
  EXPECT_EQ(refusal_of(world, otp(10'001)), nullptr) << "of another block";
  world.run_for(Duration::seconds(3600));
  EXPECT_EQ(refusal_of(world, otp(200, 5)), nullptr);
}

TEST(CodesAreCapped, TheClassHasSoManyRecipientsInAnyHour) {
  GuardOptions guard = wide_guard();
  guard.max_per_hour = 10;
  World world(guarded_options(guard));
  EXPECT_EQ(refusal_of(world, otp(1, 4)), nullptr);
  world.run_for(Duration::seconds(60));
  EXPECT_EQ(refusal_of(world, otp(11, 6)), nullptr);
  const RequestId over = world.submit(otp(21));
  ASSERT_NE(world.refused(over), nullptr);
  EXPECT_EQ(world.refused(over)->code, RefusalCode::kClassCap);
  EXPECT_EQ(http_status(RefusalCode::kClassCap), 503);
  EXPECT_EQ(*world.refused(over)->retry_after, Duration::millis(3'539'998));
  // Five need one of the second message to leave, too.
  const RequestId five = world.submit(otp(21, 5));
  EXPECT_EQ(*world.refused(five)->retry_after, Duration::millis(3'599'999));
  EXPECT_EQ(refusal_of(world, submission("transaction_alert", 21)), nullptr);
  world.run_for(*world.refused(over)->retry_after);
  EXPECT_EQ(refusal_of(world, otp(31, 4)), nullptr);
  EXPECT_NE(refusal_of(world, otp(41)), nullptr);
}

TEST(CodesAreCapped, WhatCanNeverFitIsSaidSo) {
  GuardOptions guard = wide_guard();
  guard.max_per_hour = 10;
  guard.max_per_prefix_per_hour = 4;
  World world(guarded_options(guard));
  const Refusal* no = refusal_of(world, otp(1, 11));
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kCostExceedsBucket);
  EXPECT_THAT(no->detail, HasSubstr("classes.otp.guard.max_per_hour"));
  EXPECT_EQ(no->fields.at(0).pointer, "/to");
  EXPECT_FALSE(no->retry_after);
  no = refusal_of(world, otp(1, 5));
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kCostExceedsBucket);
  EXPECT_EQ(no->fields.at(0).pointer, "/to/4");
}

TEST(CodesAreCapped, WhatWasShedOrRefusedCountsOn) {
  GuardOptions guard = wide_guard();
  guard.max_per_recipient_per_hour = 2;
  World world(guarded_options(guard));
  world.gateway = [](const Payload&) { return refused_reply("188"); };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
    world.run_for(Duration::seconds(60));
  }
  const Refusal* no = refusal_of(world, otp(1));
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kRecipientCap);
}

TEST(CodesAreCapped, WhatAGuardKeepsOutIsNoDemandOfItsLane) {
  GuardOptions guard = wide_guard();
  guard.max_per_hour = 1;
  World world(guarded_options(guard));
  EXPECT_EQ(refusal_of(world, otp(1)), nullptr);
  for (uint64_t i = 2; i < 50; ++i)
    EXPECT_NE(refusal_of(world, otp(i)), nullptr);
  EXPECT_EQ(world.view().totals[index(Lane::kOtp)].offered, Units::of(1));
  EXPECT_EQ(world.view().refusals[static_cast<size_t>(RefusalCode::kClassCap)], 48);
}

}  // namespace
}  // namespace weir::test
