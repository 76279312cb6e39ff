// SPDX-License-Identifier: Apache-2.0
//
// list, show and resolve with the real binary: what became of messages, and what a person says of
// those that nobody knows.
#include <csignal>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// The gateway takes every call and never answers: each becomes unknown.
RigOptions silent() {
  RigOptions options;
  options.gateway = {"--ceiling", "1000000", "--latency", "5ms", "--script", "stall"};
  options.total_timeout = "1s";
  return options;
}

json::array listed(Rig& rig, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "list");
  arguments.push_back("--json");
  std::string output;
  EXPECT_EQ(rig.command(arguments, &output), 0) << output;
  return json::parse(output).as_array();
}

TEST(Ledger, MessagesAreListedNewestFirstAndByWhatIsAskedFor) {
  Rig rig;
  rig.start_weir();
  for (uint64_t i = 0; i < 7; ++i)
    ASSERT_TRUE(rig.send("delivery_update", i));
  ASSERT_EQ(rig.command({"send", "--class", "otp", "--to", "+919876543210", "code", "--key", "k",
                         "--tag", "t"}),
            0);
  rig.wait_until_idle();
  const json::array all = listed(rig, {});
  ASSERT_EQ(all.size(), 8u);
  EXPECT_EQ(all.front().at("id").as_string(), "m8");
  EXPECT_EQ(all.back().at("id").as_string(), "m1");
  EXPECT_EQ(listed(rig, {"--limit", "3"}).size(), 3u);
  EXPECT_EQ(listed(rig, {"--class", "otp"}).size(), 1u);
  EXPECT_EQ(listed(rig, {"--key", "k"}).size(), 1u);
  EXPECT_EQ(listed(rig, {"--tag", "t"}).size(), 1u);
  EXPECT_EQ(listed(rig, {"--tag", "nothing"}).size(), 0u);
  EXPECT_EQ(listed(rig, {"--state", "submitted"}).size(), 8u);
  EXPECT_EQ(listed(rig, {"--state", "unknown"}).size(), 0u);
  std::string table;
  EXPECT_EQ(rig.command({"list", "--limit", "1"}, &table), 0);
  EXPECT_THAT(table, ContainsRegex("m8 +submitted +otp +1 "));
  EXPECT_THAT(table, HasSubstr("there may be older ones"));
  EXPECT_EQ(rig.command({"list", "--state", "done"}), 2);
}

TEST(Ledger, PagesOfTheApiJoinWithoutAGap) {
  Rig rig;
  rig.start_weir();
  for (uint64_t i = 0; i < 7; ++i)
    ASSERT_TRUE(rig.send("delivery_update", i));
  std::string ids;
  std::string path = "/v1/messages?limit=3";
  for (bool more = true; more;) {
    const ApiReply reply = rig.call("GET", path);
    ASSERT_EQ(reply.status, 200) << reply.body;
    const json::value page = json::parse(reply.body);
    for (const json::value& one : page.at("messages").as_array())
      ids += std::string(one.at("id").as_string().c_str()) + " ";
    more = !page.at("next_cursor").is_null();
    if (more) {
      path =
          "/v1/messages?limit=3&cursor=" + std::string(page.at("next_cursor").as_string().c_str());
    }
  }
  EXPECT_EQ(ids, "m7 m6 m5 m4 m3 m2 m1 ");
}

TEST(Ledger, APersonSettlesWhatIsUnknownOnceAndItIsKept) {
  Rig rig(silent());
  rig.start_weir();
  const std::string first = rig.send("delivery_update", 1).value();
  const std::string second = rig.send("delivery_update", 2).value();
  ASSERT_EQ(rig.settled(first), "unknown");
  ASSERT_EQ(rig.settled(second), "unknown");
  std::string output;
  EXPECT_EQ(rig.command({"resolve", first, "--submitted", "--evidence", "ticket 4711"}, &output), 0)
      << output;
  EXPECT_THAT(output, HasSubstr(first + ": 1 batch known to be submitted now"));
  EXPECT_EQ(rig.state(first), "submitted");
  EXPECT_EQ(rig.command({"show", first}, &output), 0);
  EXPECT_THAT(output, HasSubstr("evidence=ticket 4711"));
  // Once.
  EXPECT_EQ(rig.command({"resolve", first, "--not-submitted", "--evidence", "x"}, &output), 1);
  EXPECT_THAT(output, HasSubstr("not_unknown"));
  EXPECT_EQ(rig.state(first), "submitted");

  const std::string batch(rig.message(second).at("batches").at(0).at("id").as_string().c_str());
  EXPECT_EQ(
      rig.command({"resolve", second, "--not-submitted", "--evidence", "x", "--batch", "b999"}), 1);
  EXPECT_EQ(
      rig.command({"resolve", second, "--not-submitted", "--evidence", "x", "--batch", batch}), 0);
  EXPECT_EQ(rig.state(second), "refused");
  const std::string metrics = rig.call("GET", "/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("weir_unknown_batches 0\n"));
  EXPECT_THAT(metrics,
              HasSubstr("weir_store_batches{lane=\"transactional\",state=\"unknown\"} 0\n"));

  rig.kill_and_restart();
  EXPECT_EQ(rig.state(first), "submitted");
  EXPECT_EQ(rig.state(second), "refused");
  EXPECT_EQ(rig.calls(), 2);  // and nothing was sent again
}

// The gateway has the call when weir dies.
TEST(Ledger, WhatWasUnderWayWhenWeirWasKilledIsListedAsUnknownAndNotSentAgain) {
  Rig rig(silent());
  rig.start_weir();
  const std::string id = rig.send("delivery_update", 1).value();
  rig.wait_for_a_call();
  rig.kill_and_restart();
  const json::array unknown = listed(rig, {"--state", "unknown"});
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(unknown.at(0).at("id").as_string(), id);
  EXPECT_EQ(rig.command({"resolve", id, "--not-submitted", "--evidence", "their report"}), 0);
  EXPECT_EQ(listed(rig, {"--state", "unknown"}).size(), 0u);
  EXPECT_EQ(rig.state(id), "refused");
  EXPECT_EQ(rig.calls(), 1);
}

TEST(Ledger, ResolvesExitCodesTellAScriptWhatToDo) {
  Rig rig;
  rig.start_weir();
  const std::string id = rig.send("delivery_update", 1).value();
  ASSERT_EQ(rig.settled(id), "submitted");
  EXPECT_EQ(rig.command({"resolve", id, "--submitted", "--evidence", "x"}), 1);
  EXPECT_EQ(rig.command({"resolve", "m999", "--submitted", "--evidence", "x"}), 3);
  EXPECT_EQ(rig.command({"resolve", "999", "--submitted", "--evidence", "x"}), 3);
  EXPECT_EQ(rig.command({"resolve", id, "--evidence", "x"}), 2);
  EXPECT_EQ(rig.command({"resolve", id, "--submitted", "--not-submitted", "--evidence", "x"}), 2);
  EXPECT_EQ(rig.command({"resolve", id, "--submitted"}), 2);
  EXPECT_EQ(rig.command({"resolve", id, "--submitted", "--evidence", ""}), 2);
  EXPECT_EQ(rig.command({"resolve", id, "--submitted", "--evidence", "x", "--batch", ""}), 2);
  EXPECT_EQ(run_to_end({weir_binary(), "resolve", id, "--submitted", "--evidence", "x", "--socket",
                        "/nowhere/weir.sock"}),
            69);
}

}  // namespace
}  // namespace weir::test
