// SPDX-License-Identifier: Apache-2.0
//
// The answer of GET /v1/shadow, written by the one side and read by the other.
#include "tools/weir/shadow_reply.h"

#include <gtest/gtest.h>

#include "shim/front/shadow_json.h"

namespace weir {
namespace {

ShadowReport report() {
  ShadowReport report;
  report.since = WallTime::from_unix_ms(1'896'114'600'000);
  report.recorded = Duration::seconds(7'200);
  report.rate_per_s = Units::of(100);
  report.capacity = Duration::seconds(10);
  report.dearest_recipient = Units::from_micro(3'500'000);
  report.account = {Units::of(900), 90, 50, 30, 80};
  ShadowReport::PerLane& lane = report.lanes[index(Lane::kTransactional)];
  lane = {true, 0.3, 0.8, {Units::of(400), 60, 20.5, 10, 55}, {}};
  lane.would.passed = Units::of(200);
  lane.would.waited = Units::of(100);
  lane.would.shed = Units::of(60);
  lane.would.refused = Units::of(40);
  lane.would.in_line = Units::of(1);
  lane.would.wait_p50 = Duration::millis(250);
  lane.would.wait_p99 = Duration::millis(12'500);
  return report;
}

TEST(ShadowReply, IsReadAsItWasWritten) {
  const auto read = read_shadow(shadow_json(report(), report().since));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->since, report().since);
  EXPECT_EQ(read->recorded, report().recorded);
  EXPECT_EQ(read->rate_per_s, report().rate_per_s);
  EXPECT_EQ(read->capacity, report().capacity);
  EXPECT_EQ(read->dearest_recipient, report().dearest_recipient);
  EXPECT_EQ(read->account.offered, Units::of(900));
  const ShadowReport::PerLane& lane = read->lanes[index(Lane::kTransactional)];
  EXPECT_TRUE(lane.shadow);
  EXPECT_EQ(lane.limit, 0.8);
  EXPECT_EQ(lane.load.peak_10s_per_s, 20.5);
  EXPECT_EQ(lane.would.passed, Units::of(200));
  EXPECT_EQ(lane.would.decided(), Units::of(400));
  EXPECT_EQ(lane.would.in_line, Units::of(1));
  EXPECT_EQ(lane.would.wait_p99, Duration::millis(12'500));
  EXPECT_FALSE(read->lanes[index(Lane::kOtp)].shadow);
}

TEST(ShadowReply, AnythingElseIsNone) {
  EXPECT_FALSE(read_shadow(""));
  EXPECT_FALSE(read_shadow("[]"));
  EXPECT_FALSE(read_shadow(R"({"since":"2030-01-31T18:30:00Z"})"));
}

}  // namespace
}  // namespace weir
