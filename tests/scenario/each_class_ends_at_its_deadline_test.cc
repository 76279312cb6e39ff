// SPDX-License-Identifier: Apache-2.0
//
// The six classes as they are shipped, a row each: the lane, when what cannot be sent is given up,
// and that nothing of it leaves afterwards. The gateway is away all the time.
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

struct Row {
  const char* class_name;
  Lane lane;
  Duration deadline;  // after it was accepted
};

constexpr Duration kMinute = Duration::seconds(60);

// What the event and the session end at is in submit().
const Row kRows[] = {
    {"otp", Lane::kOtp, Duration::seconds(45)},
    {"transaction_alert", Lane::kTransactional, kMinute * 10},
    {"appointment_reminder", Lane::kTransactional, kMinute * 90},
    {"delivery_update", Lane::kTransactional, kMinute * 360},
    {"promotional", Lane::kPromotional, kMinute * 1440},
    {"whatsapp_session", Lane::kTransactional, kMinute * 20},
};

RequestId submit(World& world, const Row& row) {
  Submission one = submission(row.class_name, 1);
  const std::string name = row.class_name;
  if (name == "appointment_reminder") one.event_at = world.now().wall + row.deadline;
  if (name == "whatsapp_session") one.session_expires_at = world.now().wall + row.deadline;
  return world.submit(std::move(one));
}

class EachClass : public testing::TestWithParam<Row> {};

TEST_P(EachClass, EndsAtItsDeadlineHoweverOftenItWasTried) {
  const Row& row = GetParam();
  World world;
  world.gateway = [](const Payload&) { return unreachable_reply(); };
  world.run_for(Duration::seconds(5));
  const RequestId request = submit(world, row);
  world.run_for(row.deadline);
  ASSERT_NE(world.accepted(request), nullptr);
  EXPECT_EQ(world.accepted(request)->message.lane, row.lane);
  world.run_for(Duration::seconds(1));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kShed});
  const size_t tried = world.sent().size();
  EXPECT_GT(tried, 5);
  world.gateway = [](const Payload&) { return accepted_reply(); };
  world.run_for(kMinute);
  EXPECT_EQ(world.sent().size(), tried) << "it was sent past its deadline";
}

TEST_P(EachClass, GoesWhenTheGatewayComesBackInTime) {
  World world;
  world.gateway = [](const Payload&) { return unreachable_reply(); };
  world.run_for(Duration::seconds(5));
  const RequestId request = submit(world, GetParam());
  world.run_for(Duration::seconds(10));
  world.gateway = [](const Payload&) { return accepted_reply(); };
  world.run_for(Duration::seconds(31));
  EXPECT_EQ(world.states(request), std::vector{BatchState::kSubmitted});
}

INSTANTIATE_TEST_SUITE_P(AsShipped, EachClass, testing::ValuesIn(kRows),
                         [](const auto& one) { return std::string(one.param.class_name); });

TEST(EachClassAsShipped, IsInTheTable) {
  const std::vector<ClassOptions> shipped = default_classes();
  ASSERT_EQ(shipped.size(), std::size(kRows));
  for (size_t i = 0; i < shipped.size(); ++i) {
    EXPECT_EQ(shipped[i].name, kRows[i].class_name);
    EXPECT_EQ(shipped[i].policy, shipped[i].name == "otp" ? Policy::kShed : Policy::kBuffer);
    EXPECT_EQ(shipped[i].window.has_value(), shipped[i].name == "promotional");
  }
}

}  // namespace
}  // namespace weir::test
