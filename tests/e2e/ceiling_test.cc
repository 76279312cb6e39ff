// SPDX-License-Identifier: Apache-2.0
//
// The ceiling with the real binary: a throttle is heard (T52), written down, read back and kept.
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

RigOptions aimd_rig() {
  RigOptions options;
  options.rate = "200";
  options.ceiling = {"control: aimd", "floor_units_per_s: 50", "cap_units_per_s: 400"};
  options.gateway = {"--ceiling", "1000000", "--latency", "5ms", "--script", "throttle,ok*1000000"};
  return options;
}

double rate_metric(Rig& rig) {
  const std::string text = rig.call("GET", "/metrics").body;
  const size_t at = text.find("\nweir_ceiling_units_per_second ");
  EXPECT_NE(at, std::string::npos);
  return std::stod(text.substr(text.find(' ', at)));
}

TEST(Ceiling, T52AThrottleLowersTheRateIsWrittenDownAndKept) {
  Rig rig(aimd_rig());
  rig.start_gateway();
  rig.start_weir();
  EXPECT_EQ(rate_metric(rig), 200);
  const auto id = rig.send("transaction_alert", 919'876'543'210);
  ASSERT_TRUE(id);
  EXPECT_EQ(rig.settled(*id), "submitted");  // after its backoff
  const double cut = rate_metric(rig);
  EXPECT_LT(cut, 200);

  std::string text;
  EXPECT_EQ(rig.command({"rate", "history"}, &text), 0);
  EXPECT_THAT(text, HasSubstr("throttle"));
  EXPECT_THAT(text, HasSubstr("start"));
  EXPECT_EQ(rig.command({"rate", "history", "--limit", "1", "--json"}, &text), 0);
  const json::value newest = json::parse(text);
  EXPECT_TRUE(newest.at("more").as_bool());
  EXPECT_EQ(newest.at("changes").as_array().at(0).at("cuts").to_number<int>(), 1);
  EXPECT_EQ(rig.command({"rate", "history", "--since", "yesterday"}), 2);

  rig.kill_and_restart();
  EXPECT_EQ(rate_metric(rig), cut);
}

TEST(Ceiling, AnOrderlyStopKeepsTheLevels) {
  RigOptions options;
  options.rate = "1";  // so that nothing to speak of flows in meanwhile
  options.capacity = "1000s";
  Rig rig(options);
  rig.start_gateway();
  rig.start_weir();
  auto level = [&] {
    const json::value lanes = json::parse(rig.call("GET", "/v1/lanes").body);
    return lanes.at("lanes").as_array().at(0).at("level_units").to_number<double>();
  };
  double before = 0;
  while (before < 0.5)  // 1.25 s of refill: a start from empty would show
    before = level();
  rig.weir().signal(SIGTERM);
  rig.weir().wait();
  rig.start_weir();
  EXPECT_GE(level(), before);
}

}  // namespace
}  // namespace weir::test
