// SPDX-License-Identifier: Apache-2.0
//
// Shadow mode and sizing with the real binary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

TEST(Shadow, HoldsNothingBackAndTellsWhatTheLimitsWouldHaveDone) {
  RigOptions options;
  options.rate = "10";
  options.capacity = "10s";
  options.more = "lanes:\n  transactional: {shadow: true}\n";
  Rig rig(options);
  rig.start_weir();
  std::string text;
  EXPECT_EQ(rig.command({"size"}, &text), 75) << "nothing was offered yet";
  // Ten minutes' worth of the lane's limit; with it in force the last would not be settled in time.
  for (uint64_t i = 0; i < 20; ++i) {
    const std::string list = [&] {
      std::string all;
      for (uint64_t to = 0; to < 200; ++to)
        all += (to == 0 ? "\"+" : ",\"+") + std::to_string(910'000'000'000 + 1000 * i + to) + "\"";
      return all;
    }();
    const ApiReply reply =
        rig.call("POST", "/v1/messages",
                 R"({"class":"delivery_update","body":"hello","to":[)" + list + "]}");
    ASSERT_EQ(reply.status, 202) << reply.body;
  }
  rig.wait_until_idle();

  const ApiReply answer = rig.call("GET", "/v1/shadow");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json::value found = json::parse(answer.body);
  const json::object& lane = found.at("lanes").as_array().at(1).as_object();
  EXPECT_TRUE(lane.at("shadow").as_bool());
  EXPECT_EQ(lane.at("offered_units").to_number<int>(), 4000);
  EXPECT_GT(lane.at("limits").at("waiting_units").to_number<double>(), 3000);

  EXPECT_EQ(rig.command({"shadow", "report"}, &text), 0);
  EXPECT_THAT(text, HasSubstr("Lane transactional is in shadow"));
  EXPECT_THAT(text, HasSubstr("more would still wait"));
  EXPECT_EQ(rig.command({"shadow", "report", "--json"}, &text), 0);
  EXPECT_EQ(json::parse(text).at("lanes").as_array().size(), 3);
  EXPECT_EQ(rig.command({"size"}, &text), 0);
  EXPECT_THAT(text, HasSubstr("rate_units_per_s: "));
  EXPECT_THAT(text, HasSubstr("# rate: lane transactional came at"));
  EXPECT_EQ(rig.command({"size", "--json", "--per-second"}, &text), 0);
  EXPECT_EQ(json::parse(text).at("capacity_ms").to_number<int>(), 1000);
  EXPECT_EQ(rig.command({"size", "--factor", "0.5"}), 2);
}

}  // namespace
}  // namespace weir::test
