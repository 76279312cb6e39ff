// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

Submission keyed(const char* class_name, const char* key, const char* body = "hello") {
  Submission one = submission(class_name, 1);
  one.key = key;
  one.body = body;
  return one;
}

TEST(SameKey, SameContentAnswersTheFirstResultAndSendsOnce) {
  World world;
  world.run_for(Duration::seconds(5));
  const RequestId first = world.submit(keyed("delivery_update", "order-1"));
  const RequestId at_once = world.submit(keyed("delivery_update", "order-1"));
  world.run_for(Duration::seconds(10));
  const RequestId later = world.submit(keyed("delivery_update", "order-1"));
  world.run_for(Duration::seconds(10));
  ASSERT_NE(world.accepted(first), nullptr);
  for (RequestId again : {at_once, later}) {
    ASSERT_NE(world.accepted(again), nullptr);
    EXPECT_TRUE(world.accepted(again)->replayed);
    EXPECT_EQ(world.accepted(again)->message.id, world.accepted(first)->message.id);
  }
  EXPECT_EQ(world.sent().size(), 1);
  EXPECT_EQ(world.lane(Lane::kTransactional).pending_rows, 0);
}

TEST(SameKey, OtherContentIsRefused) {
  World world;
  world.submit(keyed("delivery_update", "order-1"));
  const RequestId other = world.submit(keyed("delivery_update", "order-1", "something else"));
  world.run_for(Duration::seconds(5));
  ASSERT_NE(world.refused(other), nullptr);
  EXPECT_EQ(world.refused(other)->code, RefusalCode::kKeyReused);
  EXPECT_EQ(world.sent().size(), 1);
}

TEST(SameKey, ARepeatedDirectOtpGivesBackWhatItTook) {
  World world;
  world.run_for(Duration::seconds(5));
  world.submit(keyed("otp", "login-1"));
  world.run_for(Duration::seconds(5));
  const RequestId again = world.submit(keyed("otp", "login-1"));
  world.run_for(Duration::seconds(5));
  ASSERT_NE(world.accepted(again), nullptr);
  EXPECT_TRUE(world.accepted(again)->replayed);
  EXPECT_EQ(world.sent().size(), 1);
  EXPECT_EQ(world.lane(Lane::kOtp).in_flight, 0);
  EXPECT_EQ(world.lane(Lane::kOtp).level, world.lane(Lane::kOtp).capacity);
}

}  // namespace
}  // namespace weir::test
