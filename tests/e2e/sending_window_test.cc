// SPDX-License-Identifier: Apache-2.0
//
// Sending windows with the real binary: a class whose window is closed is accepted and waits, while
// another of its lane goes out.
#include <ctime>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

// The hour of the day in UTC that is this many hours from now, on the day that it is then.
struct Hour {
  explicit Hour(int from_now) {
    const std::time_t then = std::time(nullptr) + std::time_t{from_now} * 3600;
    std::tm utc{};
    gmtime_r(&then, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%H:00", &utc);
    clock = text;
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:00:00.000Z", &utc);
    stamp = text;
  }
  std::string clock;
  std::string stamp;
};

std::string news(const std::string& open, const std::string& close, const std::string& at_close) {
  return "  news: {lane: promotional, policy: buffer, deadline: {after: 48h}, window: {open: '" +
         open + "', close: '" + close + "', zone: UTC, at_close: " + at_close + "}}\n";
}

TEST(SendingWindow, AClosedClassIsAcceptedAndWaitsWhileAnotherGoesOut) {
  const Hour opens(11);  // hours away from both ends
  const Hour closes(14);
  RigOptions options;
  options.classes += news(opens.clock, closes.clock, "shed");
  Rig rig(options);
  rig.start_weir();
  const ApiReply reply =
      rig.call("POST", "/v1/messages", R"({"class":"news","to":"+919876500001","body":"A sale"})");
  ASSERT_EQ(reply.status, 202) << reply.body;
  const json::value accepted = json::parse(reply.body);
  EXPECT_EQ(accepted.at("predicted_send_at").as_string(), opens.stamp);
  EXPECT_EQ(accepted.at("deadline").as_string(), closes.stamp);

  const auto other = rig.send("promotional", 2);
  ASSERT_TRUE(other);
  EXPECT_EQ(rig.settled(*other), "submitted");
  EXPECT_EQ(rig.state(std::string(accepted.at("id").as_string())), "pending");
  EXPECT_EQ(rig.calls(), 1u);

  const json::value lanes = json::parse(rig.call("GET", "/v1/lanes").body);
  const json::value& window = lanes.at("windows").as_array().at(0);
  EXPECT_EQ(window.at("class").as_string(), "news");
  EXPECT_FALSE(window.at("open").as_bool());
  EXPECT_EQ(window.at("opens_at").as_string(), opens.stamp);

  std::string said;
  EXPECT_EQ(run_to_end({weir_binary(), "check", rig.config()}, &said), 0);
  EXPECT_THAT(said, AllOf(HasSubstr(opens.clock + " to " + closes.clock + " UTC, then shed"),
                          HasSubstr("opens " + opens.stamp.substr(0, 10) + " " + opens.clock)));

  // It is found again after a crash, and waits again.
  rig.kill_and_restart();
  const auto third = rig.send("promotional", 3);
  ASSERT_TRUE(third);
  EXPECT_EQ(rig.settled(*third), "submitted");
  EXPECT_EQ(rig.calls(), 2u);
}

TEST(SendingWindow, AnOpenClassGoesOutAtOnce) {
  const Hour opened(-11);
  const Hour closes(11);
  RigOptions options;
  options.classes += news(opened.clock, closes.clock, "carry_over");
  Rig rig(options);
  rig.start_weir();
  const auto id = rig.send("news", 1);
  ASSERT_TRUE(id);
  EXPECT_EQ(rig.settled(*id), "submitted");
}

TEST(SendingWindow, ADeadlineBeforeTheOpeningIsRefused) {
  RigOptions options;
  const std::string deadline = Hour(6).stamp;
  options.classes += news(Hour(11).clock, Hour(14).clock, "carry_over");
  Rig rig(options);
  rig.start_weir();
  const ApiReply reply = rig.call(
      "POST", "/v1/messages",
      R"({"class":"news","to":"+919876500001","body":"A sale","deadline":")" + deadline + "\"}");
  EXPECT_EQ(reply.status, 422);
  EXPECT_THAT(reply.body, AllOf(HasSubstr("\"code\":\"outside_window\""), HasSubstr("/deadline")));
}

}  // namespace
}  // namespace weir::test
