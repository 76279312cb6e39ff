// SPDX-License-Identifier: Apache-2.0
//
// A message of a session that ends while it stands in line is given up at that instant, and so is a
// reminder whose event begins; who stands behind moves up.
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

// Slow calls hold every slot of the lane for 200 s.
void fill_the_slots(World& world) {
  world.latency = Duration::seconds(200);
  for (uint64_t i = 0; i < test_options().lanes[index(Lane::kTransactional)].slots; ++i)
    world.submit(submission("delivery_update", 100 + i));
  world.run_for(Duration::seconds(5));
}

TEST(SessionExpires, WhileItWaitsInLineAndIsShedForItsDeadline) {
  World world;
  fill_the_slots(world);
  Submission session = submission("whatsapp_session", 1);
  session.session_expires_at = world.now().wall + Duration::seconds(100);
  Submission reminder = submission("appointment_reminder", 2);
  reminder.event_at = world.now().wall + Duration::seconds(101);
  const RequestId expires = world.submit(session);
  const RequestId past = world.submit(reminder);
  const RequestId behind = world.submit(submission("delivery_update", 3));
  world.run_for(Duration::millis(99'999));
  EXPECT_EQ(world.rows_in(BatchState::kShed), 0);
  world.latency = Duration::millis(5);
  world.run_for(Duration::seconds(200));
  for (RequestId one : {expires, past}) {
    EXPECT_EQ(world.states(one), std::vector{BatchState::kShed});
    EXPECT_EQ(world.last_reason(one), "deadline");
  }
  EXPECT_EQ(world.states(behind), std::vector{BatchState::kSubmitted});
}

TEST(SessionExpires, AndIsRefusedAtTheDoorWhenItHas) {
  World world;
  Submission session = submission("whatsapp_session", 1);
  session.session_expires_at = world.now().wall;
  const RequestId over = world.submit(session);
  Submission reminder = submission("appointment_reminder", 2);
  reminder.event_at = world.now().wall + Duration::millis(-1);
  const RequestId past = world.submit(reminder);
  world.run_for(Duration::millis(10));
  for (RequestId one : {over, past}) {
    ASSERT_NE(world.refused(one), nullptr);
    EXPECT_EQ(world.refused(one)->code, RefusalCode::kDeadlinePassed);
  }
}

}  // namespace
}  // namespace weir::test
