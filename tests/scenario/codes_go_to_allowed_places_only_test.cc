// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/guards.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

GuardOptions india_and_germany() {
  GuardOptions guard = wide_guard();
  guard.allowed_prefixes = {"91", "49"};
  return guard;
}

TEST(AllowedPlaces, OthersAreRefusedForGoodWithTheFieldAndTheFix) {
  World world(guarded_options(india_and_germany()));
  Submission one = otp(1, 2);
  one.to.push_back("+4915123456789");
  one.to.push_back("+881 612 345 678");  // a satellite's
  one.to.push_back("+37012345678");
  const Refusal* no = refusal_of(world, one);
  ASSERT_NE(no, nullptr);
  EXPECT_EQ(no->code, RefusalCode::kDestinationNotAllowed);
  EXPECT_EQ(http_status(no->code), 422);
  EXPECT_FALSE(no->retry_after);
  ASSERT_EQ(no->fields.size(), 1);
  EXPECT_EQ(no->fields[0].pointer, "/to/3");
  EXPECT_THAT(no->fields[0].detail, HasSubstr("+91, +49"));
  EXPECT_THAT(no->fields[0].detail, HasSubstr("classes.otp.guard.allowed_prefixes"));
  one.to.resize(3);
  EXPECT_EQ(refusal_of(world, one), nullptr);
}

TEST(AllowedPlaces, AreOfTheClassAlone) {
  World world(guarded_options(india_and_germany()));
  Submission alert = submission("transaction_alert", 1);
  alert.to = {"+37012345678"};
  EXPECT_EQ(refusal_of(world, alert), nullptr);
}

TEST(AllowedPlaces, NoneMeansEverywhere) {
  World world(guarded_options(wide_guard()));
  Submission one = otp(1);
  one.to = {"+881612345678"};
  EXPECT_EQ(refusal_of(world, one), nullptr);
}

}  // namespace
}  // namespace weir::test
