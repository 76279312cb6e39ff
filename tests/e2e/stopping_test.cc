// SPDX-License-Identifier: Apache-2.0
//
// What a person stops, with the real binary: a campaign that is taken back while it runs, and a
// lane that is paused while it sends.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/types.h"

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

// Looks until that many are: the store tells its numbers with its next report, and the last outcome
// may be on its way to disk when the lane is empty.
void wait_for_batches(Rig& rig, const std::string& state, uint64_t batches) {
  for (int looks = 0; looks < 10'000; ++looks) {
    if (batches_of(rig, "promotional", state) == batches) return;
  }
  ADD_FAILURE() << "there are never " << batches << " batches " << state;
}

// Nothing of the lane is claimed, neither in memory nor on disk.
void wait_until_nothing_is_claimed(Rig& rig) {
  const auto in_flight = [&rig] {
    const json::value lanes = json::parse(rig.call("GET", "/v1/lanes").body);
    return lanes.at("lanes").at(index(Lane::kPromotional)).at("in_flight_batches").as_int64();
  };
  for (int looks = 0; looks < 10'000 && in_flight() > 0; ++looks) {
  }
  wait_for_batches(rig, "claimed", 0);
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
  wait_for_batches(rig, "cancelled", static_cast<uint64_t>(cancelled));
  EXPECT_EQ(batches_of(rig, "promotional", "pending"), 0U);

  ASSERT_EQ(rig.command({"list", "--state", "cancelled", "--limit", "1"}, &output), 0);
  EXPECT_THAT(output, testing::ContainsRegex("cancelled +promotional .* diwali +cancelled"));
  EXPECT_EQ(rig.command({"cancel", "--tag", "diwali"}, &output), 1);
  EXPECT_THAT(output, HasSubstr("not_pending"));
  rig.kill_and_restart();
  wait_for_batches(rig, "cancelled", static_cast<uint64_t>(cancelled));
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

TEST(Stopping, APauseSurvivesKill9AndAResumeGoesOn) {
  Rig rig(slow());
  rig.start_weir();
  hand_in(rig, "diwali", 100);
  rig.wait_for_a_call();
  std::string output;
  ASSERT_EQ(rig.command({"pause", "--lane", "promotional", "--reason", "the text is wrong"}), 0);
  // What was claimed when the pause came, and nothing else.
  wait_until_nothing_is_claimed(rig);
  const uint32_t calls = rig.calls();
  const uint64_t waits = batches_of(rig, "promotional", "pending");
  ASSERT_GT(waits, 0U);
  rig.kill_and_restart();
  EXPECT_EQ(rig.command({"status"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("lane promotional is paused since "));
  EXPECT_THAT(output, HasSubstr(": the text is wrong\n"));
  EXPECT_THAT(rig.call("GET", "/metrics").body,
              HasSubstr("weir_lane_stop{lane=\"promotional\"} 1\n"));
  // Lanes above it are served, so time has passed for this one as well.
  for (uint64_t i = 0; i < 3; ++i) {
    const std::string otp = rig.send("otp", i).value();
    EXPECT_EQ(rig.settled(otp), "submitted");
  }
  EXPECT_EQ(rig.calls(), calls + 3);
  EXPECT_EQ(batches_of(rig, "promotional", "pending"), waits);
  ASSERT_EQ(rig.command({"resume", "--lane", "promotional"}), 0);
  rig.wait_until_idle();
  wait_for_batches(rig, "submitted", 100);
  EXPECT_EQ(rig.calls(), 103U);
  EXPECT_EQ(rig.command({"status"}, &output), 0);
  EXPECT_THAT(output, testing::Not(HasSubstr("paused")));
}

TEST(Stopping, ADrainedClassTakesNothingNewAndSaysWhy) {
  Rig rig;
  rig.start_weir();
  ASSERT_EQ(rig.command({"drain", "--class", "promotional", "--reason", "moving house"}), 0);
  const ApiReply refused =
      rig.call("POST", "/v1/messages", json::serialize(campaign_message("t", 1)));
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.body, HasSubstr("\"code\":\"class_draining\""));
  EXPECT_THAT(refused.body, HasSubstr("moving house"));
  EXPECT_TRUE(rig.send("otp", 1));
  ASSERT_EQ(rig.command({"resume", "--class", "promotional"}), 0);
  EXPECT_TRUE(rig.send("promotional", 1));
}

TEST(Stopping, StopsExitCodesTellAScriptWhatToDo) {
  Rig rig;
  rig.start_weir();
  EXPECT_EQ(rig.command({"pause", "--lane", "bulk", "--reason", "x"}), 3);
  EXPECT_EQ(rig.command({"pause", "--class", "nothing", "--reason", "x"}), 3);
  EXPECT_EQ(rig.command({"pause", "--lane", "otp"}), 2);
  EXPECT_EQ(rig.command({"pause", "--lane", "otp", "--reason", ""}), 2);
  EXPECT_EQ(rig.command({"drain", "--reason", "x"}), 2);
  EXPECT_EQ(rig.command({"drain", "--lane", "otp", "--class", "otp", "--reason", "x"}), 2);
  EXPECT_EQ(rig.command({"resume", "--lane", "otp"}), 0);
  EXPECT_EQ(rig.command({"resume"}), 2);
}

}  // namespace
}  // namespace weir::test
