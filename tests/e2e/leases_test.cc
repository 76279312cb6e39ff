// SPDX-License-Identifier: Apache-2.0
//
// Leases with the real binary: taken and given back over HTTP, and by the command in a script.
#include <csignal>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// A bucket so slow that nothing comes in while the test runs: its 10 units need 1000 s.
RigOptions slow() {
  RigOptions options;
  options.more = "buckets:\n  crm: {rate_units_per_s: 0.01, capacity: 1000s}\n";
  return options;
}

// The first grant waits for a unit of the ceiling of 2000 a second, which is there at once.
constexpr const char* kOne = R"({"class":"otp","cost_units":1,"max_wait_ms":20000})";

TEST(Leases, AreTakenAndGivenBackOnceOverHttp) {
  Rig rig;
  rig.start_weir();
  const ApiReply granted = rig.call("POST", "/v1/acquire", kOne);
  ASSERT_EQ(granted.status, 200) << granted.body;
  const json::value lease = json::parse(granted.body);
  EXPECT_EQ(lease.at("class").as_string(), "otp");
  const std::string refund =
      "/v1/leases/" + std::string(lease.at("lease").as_string().c_str()) + "/refund";
  const ApiReply back = rig.call("POST", refund);
  EXPECT_EQ(back.status, 200) << back.body;
  EXPECT_EQ(json::parse(back.body).at("refunded_units").to_number<int>(), 1);
  EXPECT_EQ(rig.call("POST", refund).status, 404);
  const json::value lanes = json::parse(rig.call("GET", "/v1/lanes").body);
  EXPECT_EQ(lanes.at("lanes").as_array().at(0).at("totals").at("admitted_units").to_number<int>(),
            1);
}

TEST(Leases, AreDeniedWithTheTimeToComeBack) {
  Rig rig(slow());
  rig.start_weir();
  const ApiReply denied = rig.call("POST", "/v1/acquire", R"({"bucket":"crm","cost_units":5})");
  EXPECT_EQ(denied.status, 503);
  const json::value problem = json::parse(denied.body);
  EXPECT_EQ(problem.at("code").as_string(), "ceiling_reached");
  EXPECT_GT(problem.at("retry_after_ms").to_number<int64_t>(), 1'000);
  EXPECT_LE(problem.at("retry_after_ms").to_number<int64_t>(), 500'001);
  EXPECT_EQ(rig.call("POST", "/v1/acquire", R"({"bucket":"crm","cost_units":11})").status, 422);
  const ApiReply unknown = rig.call("POST", "/v1/acquire", R"({"bucket":"cmr","cost_units":1})");
  EXPECT_EQ(unknown.status, 422);
  EXPECT_THAT(unknown.body, HasSubstr("/bucket"));
}

// As a person would write it: take, send, and give back when sending failed before it began.
TEST(Leases, PaceAScript) {
  Rig rig(slow());
  rig.start_weir();
  const std::string script =
      "set -e; lease=$(\"$0\" acquire otp 0.5 --wait 20s --socket \"$1\"); echo \"took $lease\";"
      "\"$0\" acquire --refund \"$lease\" --socket \"$1\"; "
      "\"$0\" acquire --refund \"$lease\" --socket \"$1\" 2>/dev/null || echo \"again: $?\"";
  std::string output;
  EXPECT_EQ(
      run_to_end({"/bin/sh", "-c", script, weir_binary(), rig.folder() + "/weir.sock"}, &output), 0)
      << output;
  EXPECT_THAT(output, MatchesRegex("took l[0-9]+\nagain: 3\n"));
}

TEST(Leases, TheCommandsExitCodesTellAScriptWhatToDo) {
  Rig rig(slow());
  rig.start_weir();
  std::string output;
  EXPECT_EQ(rig.command({"acquire", "otp", "1", "--wait", "20s", "--json"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("\"waited_ms\":"));
  EXPECT_EQ(rig.command({"acquire", "5", "--bucket", "crm"}, &output), 75);
  EXPECT_THAT(output, HasSubstr("ceiling_reached"));
  EXPECT_EQ(rig.command({"acquire", "11", "--bucket", "crm"}), 2);
  EXPECT_EQ(rig.command({"acquire", "nothing", "1"}), 2);
  EXPECT_EQ(rig.command({"acquire", "otp", "much"}), 2);
  EXPECT_EQ(rig.command({"acquire", "otp"}), 2);
  EXPECT_EQ(rig.command({"acquire", "otp", "1", "--bucket", "crm"}), 2);
  EXPECT_EQ(rig.command({"acquire", "otp", "1", "--wait", "soon"}), 2);
  EXPECT_EQ(rig.command({"acquire", "otp", "1", "--refund", "l1"}), 2);
  EXPECT_EQ(rig.command({"acquire", "--refund", "no/lease"}), 3);
  EXPECT_EQ(run_to_end({weir_binary(), "acquire", "otp", "1", "--socket", "/nowhere/weir.sock"}),
            69);
}

TEST(Leases, AShadowIsLetThroughAndSaysWhatItWouldHaveWaited) {
  Rig rig(slow());
  rig.start_weir();
  std::string output;
  EXPECT_EQ(rig.command({"acquire", "5", "--bucket", "crm", "--shadow"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("it would have waited "));
  EXPECT_EQ(rig.command({"acquire", "5", "--bucket", "crm", "--shadow", "--json"}, &output), 0);
  const int64_t wait = json::parse(output).at("would_wait_ms").to_number<int64_t>();
  EXPECT_GT(wait, 1'000);
  EXPECT_LE(wait, 500'001);
}

// 0.5 units come in 50 s; the one who waits for them is killed long before.
TEST(Leases, OneThatIsKilledWhileItWaitsLeavesTheLine) {
  Rig rig(slow());
  rig.start_weir();
  const auto shows = [&rig](const std::string& line) {
    return rig.call("GET", "/metrics").body.find(line + "\n") != std::string::npos;
  };
  {
    Process waiting({weir_binary(), "acquire", "0.5", "--bucket", "crm", "--wait", "60s",
                     "--socket", rig.folder() + "/weir.sock"});
    while (!shows("weir_lease_waiters{bucket=\"crm\"} 1")) {
    }
    waiting.signal(SIGKILL);
    EXPECT_EQ(waiting.wait(), -SIGKILL);
  }
  while (!shows("weir_lease_waiters{bucket=\"crm\"} 0")) {
  }
  EXPECT_TRUE(shows("weir_lease_granted_units_total{bucket=\"crm\"} 0"));
  EXPECT_TRUE(shows("weir_lease_denied_total{bucket=\"crm\"} 0"));
}

TEST(Leases, AreInTheMetricsOfTheirLaneOrBucket) {
  Rig rig(slow());
  rig.start_weir();
  ASSERT_EQ(rig.call("POST", "/v1/acquire", kOne).status, 200);
  ASSERT_EQ(rig.call("POST", "/v1/acquire", R"({"bucket":"crm","cost_units":5})").status, 503);
  const std::string metrics = rig.call("GET", "/metrics").body;
  EXPECT_THAT(metrics, HasSubstr("weir_lease_granted_units_total{lane=\"otp\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("weir_lease_denied_total{bucket=\"crm\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("weir_lease_waiting_units{lane=\"promotional\"} 0\n"));
  EXPECT_THAT(metrics, HasSubstr("weir_private_bucket_capacity_units{bucket=\"crm\"} 10\n"));
  EXPECT_THAT(metrics, HasSubstr("weir_private_bucket_rate_units_per_second{bucket=\"crm\"} 0.01"));
  EXPECT_THAT(metrics, HasSubstr("weir_private_bucket_level_units{bucket=\"crm\"} "));
}

}  // namespace
}  // namespace weir::test
