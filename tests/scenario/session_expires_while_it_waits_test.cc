// SPDX-License-Identifier: Apache-2.0
//
// A message of a session that ends while it stands in line is given up at that instant, and so is a
// reminder whose event begins; who stands behind moves up.
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

// The lane is stopped by a gateway that asked for a wait after the first call.
void stop_the_lane(World& world) {
  world.gateway = [](const Payload&) { return throttled_reply(Duration::seconds(120)); };
  world.run_for(Duration::seconds(5));
}

TEST(SessionExpires, WhileItWaitsInLineAndIsShedForItsDeadline) {
  World world;
  stop_the_lane(world);
  Submission session = submission("whatsapp_session", 1);
  session.session_expires_at = world.now().wall + Duration::seconds(100);
  Submission reminder = submission("appointment_reminder", 2);
  reminder.event_at = world.now().wall + Duration::seconds(101);
  const RequestId expires = world.submit(session);
  const RequestId past = world.submit(reminder);
  const RequestId behind = world.submit(submission("delivery_update", 3));
  world.run_for(Duration::millis(99'999));
  world.gateway = [](const Payload&) { return accepted_reply(); };
  EXPECT_EQ(world.rows_in(BatchState::kShed), 0);
  world.run_for(Duration::seconds(30));
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
