// SPDX-License-Identifier: Apache-2.0
//
// Shadow and sizing with the real binary: a lane in shadow is not held back, and both verbs tell
// what the running weir has recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// One unit a second: what goes at once goes without tokens.
RigOptions in_shadow() {
  RigOptions options;
  options.rate = "1";
  options.capacity = "60s";
  options.more = "lanes:\n  transactional:\n    shadow: true\n";
  return options;
}

json::value lane(Rig& rig, size_t which) {
  const json::value answer = json::parse(rig.call("GET", "/v1/shadow").body);
  return answer.at("lanes").as_array().at(which);
}

TEST(Shadow, ALaneInShadowIsSentAtOnceAndTheReportSaysWhatWouldHaveBeen) {
  Rig rig(in_shadow());
  rig.start_weir();
  for (uint64_t i = 0; i < 50; ++i)
    ASSERT_TRUE(rig.send("transaction_alert", i));
  rig.wait_until_idle();  // in earnest: the best part of a minute
  EXPECT_EQ(rig.ledger().at("calls").as_array().size(), 50u);

  const json::value found = lane(rig, 1);
  EXPECT_TRUE(found.at("shadow").as_bool());
  EXPECT_EQ(found.at("offered_units").to_number<int>(), 50);
  EXPECT_GT(found.at("peak_1s_units_per_s").to_number<double>(), 0);
  const json::value& limits = found.at("limits");
  EXPECT_EQ(
      limits.at("decided_units").to_number<int>() + limits.at("waiting_units").to_number<int>(),
      50);
  EXPECT_GT(limits.at("waiting_units").to_number<int>(), 0);
  EXPECT_FALSE(lane(rig, 0).at("shadow").as_bool());
  EXPECT_TRUE(lane(rig, 0).at("limits").is_null());
  EXPECT_THAT(rig.call("GET", "/metrics").body,
              HasSubstr("weir_shadow_waited_units_total{lane=\"transactional\"}"));

  std::string said;
  EXPECT_EQ(rig.command({"shadow", "report"}, &said), 0);
  EXPECT_THAT(said, AllOf(HasSubstr("Lane transactional is in shadow."),
                          HasSubstr("more would still wait.")));
  EXPECT_EQ(rig.command({"shadow", "report", "--json"}, &said), 0);
  EXPECT_EQ(json::parse(said).at("lanes").as_array().size(), 3u);
  EXPECT_THAT(rig.weir().output(), HasSubstr("lane transactional is in shadow"));
  EXPECT_EQ(run_to_end({weir_binary(), "check", rig.config()}, &said), 0);
  EXPECT_THAT(said, HasSubstr("note: lane transactional is in shadow"));
}

TEST(Shadow, SizeProposesLinesThatTheConfigurationTakes) {
  Rig rig;
  rig.start_weir();
  std::string said;
  EXPECT_EQ(rig.command({"size"}, &said), 75);
  EXPECT_THAT(said, HasSubstr("let it run"));
  for (uint64_t i = 0; i < 20; ++i)
    ASSERT_TRUE(rig.send("otp", i));
  rig.wait_until_idle();
  EXPECT_EQ(rig.command({"size", "--factor", "3"}, &said), 0);
  EXPECT_THAT(
      said, AllOf(ContainsRegex("# rate: lane otp came at [0-9.]+ units/s .its busiest 10 s.; x 3"),
                  HasSubstr("# otp reserve: "), HasSubstr("# Mind: Only "),
                  HasSubstr("rate_units_per_s: "), HasSubstr("capacity: ")));
  EXPECT_EQ(rig.command({"size", "--per-second", "--json"}, &said), 0);
  const json::value found = json::parse(said);
  EXPECT_TRUE(found.at("per_second").as_bool());
  EXPECT_LE(found.at("capacity_ms").to_number<int>(), 2'000);
  EXPECT_GT(found.at("reserves").at("otp").to_number<double>(), 0);
  EXPECT_EQ(rig.command({"size", "--factor", "0.5"}), 2);
  EXPECT_EQ(rig.command({"shadow"}), 2);
}

TEST(Shadow, WithoutARunningWeirBothSayWhereTheyLooked) {
  Rig rig;
  std::string said;
  EXPECT_EQ(rig.command({"shadow", "report"}, &said), 69);
  EXPECT_THAT(said, HasSubstr("no weir answers at"));
  EXPECT_EQ(rig.command({"size"}, &said), 69);
}

}  // namespace
}  // namespace weir::test
