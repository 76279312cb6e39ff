// SPDX-License-Identifier: Apache-2.0
//
// The real binary is killed, stopped, run twice; its disk stops taking writes. What it promised
// holds.
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

TEST(Kill, EveryAcceptedMessageOfTwoThousandIsAccountedForAndNoneIsSentTwice) {
  RigOptions options;
  options.rate = "1500";
  options.gateway = {"--ceiling", "1000000", "--latency", "20ms"};
  Rig rig(options);
  rig.start_weir();
  std::map<std::string, std::string> body_of;
  for (uint64_t i = 0; i < 2000; ++i) {
    const std::string body = "message " + std::to_string(i);
    const auto id = rig.send("delivery_update", i, body);
    ASSERT_TRUE(id) << i;
    body_of[*id] = body;
    // In the middle: some are sent, some under way, some wait.
    if (i == 1000) {
      rig.kill_and_restart();
    }
  }
  rig.kill_and_restart();
  rig.wait_until_idle();

  std::map<std::string, int> taken;
  const json::object ledger = rig.ledger();
  for (const json::value& call : ledger.at("calls").as_array()) {
    taken[call.at("body").as_string().c_str()] += 1;
  }
  size_t unknown = 0;
  for (const auto& [id, body] : body_of) {
    const std::string state = rig.state(id);
    ASSERT_TRUE(state == "submitted" || state == "unknown") << id << ' ' << state;
    unknown += state == "unknown" ? 1 : 0;
    if (state == "submitted") {
      EXPECT_EQ(taken[body], 1) << id;
    }
    EXPECT_LE(taken[body], 1) << id;
  }
  EXPECT_LE(unknown, 2 * 64);  // at most the slots at each kill
  EXPECT_EQ(ledger.at("sent_twice").to_number<int>(), 0);
}

TEST(Kill, TerminateFinishesWhatIsInFlightAndLeavesTheRest) {
  RigOptions options;
  options.rate = "100";
  options.gateway = {"--ceiling", "1000000", "--latency", "300ms"};
  Rig rig(options);
  rig.start_weir();
  std::vector<std::string> ids;
  for (uint64_t i = 0; i < 200; ++i)
    ids.push_back(rig.send("delivery_update", i).value());
  rig.wait_for_a_call();
  rig.weir().signal(SIGTERM);
  EXPECT_EQ(rig.weir().wait(), 0) << rig.weir().output();
  rig.start_weir();
  size_t unknown = 0;
  for (const std::string& id : ids)
    unknown += rig.state(id) == "unknown" ? 1 : 0;
  EXPECT_EQ(unknown, 0);
  rig.wait_until_idle();
  for (const std::string& id : ids)
    EXPECT_EQ(rig.state(id), "submitted");
  EXPECT_EQ(rig.ledger().at("sent_twice").to_number<int>(), 0);
}

TEST(Kill, ASecondTerminateLeavesAtOnceAndLosesNothing) {
  RigOptions options;
  options.gateway = {"--ceiling", "1000000", "--latency", "5ms", "--script", "stall"};
  Rig rig(options);
  rig.start_weir();
  const std::string id = rig.send("delivery_update", 1).value();
  rig.wait_for_a_call();
  rig.weir().signal(SIGTERM);
  ASSERT_FALSE(rig.weir().wait_for_line("stopping").empty());
  rig.weir().signal(SIGTERM);
  EXPECT_EQ(rig.weir().wait(), 0);
  EXPECT_THAT(rig.weir().output(), HasSubstr("second signal"));
  rig.start_weir();
  EXPECT_EQ(rig.state(id), "unknown");
}

TEST(Kill, TerminateEndsInItsTimeAlsoWhenTheGatewayIsSilentAndTheDiskIsFull) {
  RigOptions options;
  options.gateway = {"--ceiling", "1000000", "--latency", "5ms", "--script", "stall"};
  options.total_timeout = "2s";
  options.drain_timeout = "1s";
  Rig rig(options);
  rig.start_weir();
  const std::string id = rig.send("delivery_update", 1).value();
  rig.wait_for_a_call();
  const rlimit none = {.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
  ASSERT_EQ(prlimit(rig.weir().pid(), RLIMIT_FSIZE, &none, nullptr), 0);
  rig.weir().signal(SIGTERM);
  EXPECT_EQ(rig.weir().wait(), 0);
  rig.start_weir();
  EXPECT_EQ(rig.state(id), "unknown");
}

TEST(Kill, ASecondWeirOnTheSameFileRefusesToStart) {
  Rig rig;
  rig.start_weir();
  auto second = rig.launch_weir();
  EXPECT_EQ(second->wait(), 1);
  EXPECT_FALSE(second->wait_for_line("another").empty()) << second->output();
}

// A real limit on the size of the database's files: writes fail, and work again when it is lifted.
TEST(Kill, ADiskThatTakesNothingStopsIntakeAndRecovers) {
  RigOptions options;
  options.rate = "50";
  Rig rig(options);
  rig.start_weir();
  const std::string kept = rig.send("delivery_update", 1).value();
  rlimit before{};
  const rlimit none = {.rlim_cur = 1, .rlim_max = RLIM_INFINITY};
  ASSERT_EQ(prlimit(rig.weir().pid(), RLIMIT_FSIZE, &none, &before), 0);
  const ApiReply refused = rig.call(
      "POST", "/v1/messages", R"({"class":"delivery_update","to":"+919876543210","body":"x"})");
  EXPECT_EQ(refused.status, 503) << refused.body;
  EXPECT_THAT(refused.body, HasSubstr("store_unavailable"));
  rig.wait_for_readyz(503);
  EXPECT_EQ(rig.call("GET", "/healthz").status, 200);
  ASSERT_EQ(prlimit(rig.weir().pid(), RLIMIT_FSIZE, &before, nullptr), 0);
  rig.wait_for_readyz(200);
  const auto after = rig.send("delivery_update", 2);
  ASSERT_TRUE(after);
  EXPECT_EQ(rig.settled(*after), "submitted");
  EXPECT_EQ(rig.settled(kept), "submitted");
  EXPECT_EQ(rig.ledger().at("sent_twice").to_number<int>(), 0);
}

}  // namespace
}  // namespace weir::test
