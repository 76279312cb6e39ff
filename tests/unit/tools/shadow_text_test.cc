// SPDX-License-Identifier: Apache-2.0
//
// What weir shadow report prints, and that the API's answer is read back whole.
#include "tools/weir/shadow_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shim/front/shadow_json.h"
#include "tools/weir/shadow_reply.h"

namespace weir {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

ShadowReport report() {
  ShadowReport report;
  report.since = WallTime::from_unix_ms(1'896'114'540'000);
  report.recorded = Duration::seconds(7'260);
  report.rate_per_s = Units::from_micro(12'500'000);
  report.capacity = Duration::seconds(10);
  report.dearest_recipient = Units::of(10);
  report.account = {Units::of(1'200), 60, 6.5, 1.25, 58};
  ShadowReport::PerLane& lane = report.lanes[index(Lane::kTransactional)];
  lane.shadow = true;
  lane.reserve = 0.3;
  lane.limit = 0.8;
  lane.load = {Units::of(1'010), 40, 4.5, 1, 39};
  lane.would.passed = Units::of(600);
  lane.would.waited = Units::of(300);
  lane.would.shed = Units::of(75);
  lane.would.refused = Units::of(25);
  lane.would.in_line = Units::of(10);
  lane.would.wait_p50 = Duration::millis(450);
  lane.would.wait_p99 = Duration::millis(12'340);
  return report;
}

TEST(ShadowText, SaysInSentencesWhatTheLimitsWouldHaveDone) {
  const std::string text = shadow_text(report());
  EXPECT_THAT(text,
              HasSubstr("since 2030-01-31T18:29:00.000Z (2 h), at a ceiling of 12.5 units/s"));
  EXPECT_THAT(text, HasSubstr("Lane transactional is in shadow. Had its limits held, then of 1000 "
                              "units:"));
  EXPECT_THAT(text, HasSubstr("600 units (60.0%) would have gone at once;"));
  EXPECT_THAT(text, HasSubstr("300 units (30.0%) would have waited: half of them up to 450 ms, 99 "
                              "of 100 up to 12.3 s;"));
  EXPECT_THAT(text, HasSubstr("75 units (7.5%) would have been shed"));
  EXPECT_THAT(text, HasSubstr("25 units (2.5%) would have been refused at the door"));
  EXPECT_THAT(text, HasSubstr("10 units more would still wait."));
  EXPECT_THAT(text, ContainsRegex("transactional +yes +1010 +40.0 +4.5 +1.0 +30.0% +12.3 s +7.5% "
                                  "+2.5%"));
  EXPECT_THAT(text, ContainsRegex("otp +no +0 .* - +- +- +-"));
}

TEST(ShadowText, WithoutALaneInShadowItSaysHowToPutOneThere) {
  ShadowReport none = report();
  none.lanes[index(Lane::kTransactional)].shadow = false;
  EXPECT_THAT(shadow_text(none), HasSubstr("No lane is in shadow"));
  EXPECT_THAT(shadow_text(none), Not(HasSubstr("Had its limits held")));
}

TEST(ShadowText, BeforeAnythingWasDecidedItSaysSo) {
  ShadowReport fresh = report();
  fresh.lanes[index(Lane::kTransactional)].would = {};
  EXPECT_THAT(shadow_text(fresh), HasSubstr("Nothing was decided upon yet."));
}

TEST(ShadowText, SpansAreForAPerson) {
  EXPECT_EQ(span_text(Duration::seconds(119)), "119 s");
  EXPECT_EQ(span_text(Duration::seconds(120)), "2 min");
  EXPECT_EQ(span_text(Duration::seconds(7'200)), "2 h");
  EXPECT_EQ(span_text(Duration::seconds(200'000)), "2 days");
}

TEST(ShadowReply, ReadsBackWhatTheFrontWrites) {
  const ShadowReport before = report();
  const auto after = read_shadow(shadow_json(before, before.since));
  ASSERT_TRUE(after);
  EXPECT_EQ(shadow_text(*after), shadow_text(before));
  EXPECT_EQ(shadow_json(*after, after->since), shadow_json(before, before.since));
}

TEST(ShadowReply, WhatIsNoSuchAnswerIsNotRead) {
  for (const char* body : {"", "{}", "[]", "{\"since\":1}", "<html>"})
    EXPECT_FALSE(read_shadow(body)) << body;
}

}  // namespace
}  // namespace weir
