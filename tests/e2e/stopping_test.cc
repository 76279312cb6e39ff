// SPDX-License-Identifier: Apache-2.0
//
// What a person stops, with the real binary: a campaign that is taken back while it runs.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

// Thirty units a second: a campaign of hundreds is under way for as long as a test looks.
RigOptions slow() {
  RigOptions options;
  options.rate = "30";
  options.capacity = "1s";
  return options;
}

json::object campaign_message(const std::string& tag, uint64_t number) {
  return {{"class", "promotional"},
          {"to", "+91" + std::to_string(9'000'000'000 + number)},
          {"body", "hello"},
          {"tag", tag}};
}

// Of one recipient each.
void hand_in(Rig& rig, const std::string& tag, uint64_t messages) {
  for (uint64_t i = 0; i < messages; ++i) {
    const ApiReply reply =
        rig.call("POST", "/v1/messages", json::serialize(campaign_message(tag, i)));
    ASSERT_EQ(reply.status, 202) << reply.body;
  }
}

uint64_t batches_of(Rig& rig, const std::string& lane, const std::string& state) {
  const std::string metrics = rig.call("GET", "/metrics").body;
  const std::string line = "weir_store_batches{lane=\"" + lane + "\",state=\"" + state + "\"} ";
  const size_t at = metrics.find(line);
  EXPECT_NE(at, metrics.npos);
  return at == metrics.npos ? 0 : std::stoull(metrics.substr(at + line.size()));
}

TEST(Stopping, ACampaignThatIsCancelledAmidItsRunSendsNothingMore) {
  Rig rig(slow());
  rig.start_weir();
  hand_in(rig, "diwali", 300);
  const std::string other = rig.send("promotional", 7).value();
  rig.wait_for_a_call();
  std::string output;
  ASSERT_EQ(rig.command({"cancel", "--tag", "diwali", "--json"}, &output), 0) << output;
  const json::value done = json::parse(output);
  const int64_t cancelled = done.at("cancelled_batches").as_int64();
  EXPECT_GT(cancelled, 0);
  const int64_t under_way = done.at("too_late_batches").at("claimed").as_int64();
  const int64_t submitted = done.at("too_late_batches").at("submitted").as_int64();
  EXPECT_EQ(cancelled + under_way + submitted, 300);
  // The other message stands behind all of the campaign.
  EXPECT_EQ(rig.settled(other), "submitted");
  rig.wait_until_idle();
  EXPECT_EQ(rig.calls(), under_way + submitted + 1);
  EXPECT_EQ(batches_of(rig, "promotional", "pending"), 0U);
  EXPECT_EQ(batches_of(rig, "promotional", "cancelled"), static_cast<uint64_t>(cancelled));

  ASSERT_EQ(rig.command({"list", "--state", "cancelled", "--limit", "1"}, &output), 0);
  EXPECT_THAT(output, testing::ContainsRegex("cancelled +promotional .* diwali +cancelled"));
  EXPECT_EQ(rig.command({"cancel", "--tag", "diwali"}, &output), 1);
  EXPECT_THAT(output, HasSubstr("not_pending"));
  rig.kill_and_restart();
  EXPECT_EQ(batches_of(rig, "promotional", "cancelled"), static_cast<uint64_t>(cancelled));
  hand_in(rig, "diwali", 1);  // after the cancel, so not of it
  rig.wait_until_idle();
  EXPECT_EQ(rig.calls(), under_way + submitted + 2);
}

TEST(Stopping, CancelsExitCodesTellAScriptWhatToDo) {
  Rig rig(slow());
  rig.start_weir();
  EXPECT_EQ(rig.command({"cancel", "m999"}), 3);
  EXPECT_EQ(rig.command({"cancel", "999"}), 3);
  EXPECT_EQ(rig.command({"cancel", "--key", "order-1"}), 3);
  EXPECT_EQ(rig.command({"cancel", "--tag", "holi"}), 3);
  EXPECT_EQ(rig.command({"cancel", "--tag", ""}), 2);
  EXPECT_EQ(rig.command({"cancel"}), 2);
  EXPECT_EQ(rig.command({"cancel", "m1", "--tag", "x"}), 2);
  const std::string id = rig.send("promotional", 2).value();
  ASSERT_EQ(rig.settled(id), "submitted");
  EXPECT_EQ(rig.command({"cancel", id}), 1);
}

}  // namespace
}  // namespace weir::test
