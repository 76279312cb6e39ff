// SPDX-License-Identifier: Apache-2.0
//
// Bad input against the real binary: a clear answer that names the field, and nothing stored.
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

struct BadInput {
  const char* what;
  std::string body;
  int status;
  const char* says;
};

TEST(Refusals, NameTheFieldAndStoreNothing) {
  Rig rig;
  rig.start_weir();
  const std::string many_segments(153 * 11, 'a');
  const BadInput cases[] = {
      {"not JSON", R"({"class": "otp")", 400, "malformed"},
      {"unknown class", R"({"class":"otpp","to":"+919876543210","body":"x"})", 422, "/class"},
      {"no recipient", R"({"class":"otp","to":[],"body":"x"})", 422, "/to"},
      {"no number", R"({"class":"otp","to":"nobody","body":"x"})", 422, "/to"},
      {"empty body", R"({"class":"otp","to":"+919876543210","body":""})", 422, "/body"},
      {"no body", R"({"class":"otp","to":"+919876543210"})", 422, "/body"},
      {"invalid UTF-8", "{\"class\":\"otp\",\"to\":\"+919876543210\",\"body\":\"\xff\"}", 400,
       "malformed"},
      {"deadline in the past",
       R"({"class":"otp","to":"+919876543210","body":"x","deadline":"2020-01-01T00:00:00Z"})", 422,
       "/deadline"},
      {"deadline that is none",
       R"({"class":"otp","to":"+919876543210","body":"x","deadline":"tomorrow"})", 422,
       "/deadline"},
      {"too many segments",
       R"({"class":"otp","to":"+919876543210","body":")" + many_segments + "\"}", 422, "segments"},
      {"mistyped field", R"({"clas":"otp","to":"+919876543210","body":"x"})", 422, "class"},
      {"no event", R"({"class":"appointment_reminder","to":"+919876543210","body":"x"})", 422,
       "/event_at"},
  };
  for (const BadInput& one : cases) {
    const ApiReply reply = rig.call("POST", "/v1/messages", one.body);
    EXPECT_EQ(reply.status, one.status) << one.what << ": " << reply.body;
    EXPECT_THAT(reply.body, HasSubstr(one.says)) << one.what;
  }
  EXPECT_EQ(rig.call("GET", "/v1/messages/m1").status, 404);
  EXPECT_EQ(rig.call("POST", "/v1/messages", std::string(9 * 1024 * 1024, ' ')).status, 413);
}

TEST(Refusals, TheSameKeyAnswersTheFirstResultAndOtherContentIsRefused) {
  Rig rig;
  rig.start_weir();
  const std::string first = R"({"class":"otp","to":"+919876543210","body":"a","key":"k1"})";
  const ApiReply accepted = rig.call("POST", "/v1/messages", first);
  ASSERT_EQ(accepted.status, 202) << accepted.body;
  const ApiReply again = rig.call("POST", "/v1/messages", first);
  EXPECT_EQ(again.status, 202);
  const auto parsed = boost::json::parse(again.body).as_object();
  EXPECT_TRUE(parsed.at("replayed").as_bool());
  EXPECT_EQ(parsed.at("id"), boost::json::parse(accepted.body).at("id"));
  const ApiReply other = rig.call("POST", "/v1/messages",
                                  R"({"class":"otp","to":"+919876543210","body":"b","key":"k1"})");
  EXPECT_EQ(other.status, 422);
  EXPECT_THAT(other.body, HasSubstr("key_reused"));
  rig.wait_until_idle();
  EXPECT_EQ(rig.calls(), 1);
}

TEST(Refusals, CheckPrintsThePolicyAndAMistypedKeyWithItsPlaceAndTheNearName) {
  std::string output;
  EXPECT_EQ(run_to_end({weir_binary(), "check", std::string(WEIR_SOURCE_DIR) + "/conf/weir.yaml"},
                       &output),
            0)
      << output;
  for (const char* word :
       {"otp", "transactional", "promotional", "units/s", "appointment_reminder"}) {
    EXPECT_THAT(output, HasSubstr(word));
  }
  Rig rig;
  std::ofstream(rig.config(), std::ios::app) << "drain_timout: 5s\n";
  EXPECT_EQ(run_to_end({weir_binary(), "check", rig.config()}, &output), 2);
  EXPECT_THAT(output, HasSubstr("drain_timout"));
  EXPECT_THAT(output, HasSubstr("drain_timeout"));
  EXPECT_THAT(output, ::testing::ContainsRegex("weir.yaml:[0-9]+:[0-9]+"));
}

TEST(Refusals, TheCommandSaysWhenNoWeirAnswers) {
  std::string output;
  EXPECT_EQ(run_to_end({weir_binary(), "status", "--socket", "/nonexistent/weir.sock"}, &output),
            69);
  EXPECT_THAT(output, HasSubstr("/nonexistent/weir.sock"));
}

TEST(Refusals, MetricsShowTheFourNumbersForEveryLane) {
  Rig rig;
  rig.start_weir();
  ASSERT_TRUE(rig.send("otp", 1));
  const std::string metrics = rig.call("GET", "/metrics").body;
  for (const char* lane : {"otp", "transactional", "promotional"}) {
    for (const char* metric : {"weir_offered_units_per_second", "weir_admitted_units_per_second",
                               "weir_queue_units", "weir_queue_oldest_age_seconds"}) {
      EXPECT_THAT(metrics, HasSubstr(std::string(metric) + "{lane=\"" + lane + "\"}"));
    }
  }
}

}  // namespace
}  // namespace weir::test
