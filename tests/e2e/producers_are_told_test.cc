// SPDX-License-Identifier: Apache-2.0
//
// What a producer hears besides yes and no: the outcome, the pressure, and why it is too late.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"
#include "tests/support/raw_client.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

RawClient client_of(const Rig& rig) {
  return RawClient::unix_socket(rig.folder() + "/weir.sock");
}

std::string post(const std::string& json, const std::string& field = "") {
  return "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + field +
         "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json;
}

std::string otp(int number) {
  return R"({"class":"otp","to":"+9198765)" + std::to_string(10'000 + number) +
         R"(","body":"Your code is 4711"})";
}

// With an OTP lane of 4 to 8 units/s.
RigOptions slow_account() {
  RigOptions options;
  options.rate = "20";
  options.capacity = "10s";
  return options;
}

TEST(ProducersAreTold, TheOutcomeInTheSameAnswerIfTheyWaitForIt) {
  RigOptions options;
  options.gateway = {"--ceiling", "1000000", "--latency", "50ms", "--script", "ok,content"};
  Rig rig(options);
  rig.start_weir();
  for (const char* state : {"submitted", "refused"}) {
    const auto answer = client_of(rig).ask(post(otp(1), "Prefer: wait=30\r\n"));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200) << answer->body;
    EXPECT_EQ(answer->header("preference-applied"), "wait=30");
    EXPECT_THAT(answer->body, HasSubstr(R"("state":")" + std::string(state)));
  }
  EXPECT_EQ(rig.calls(), 2);
}

TEST(ProducersAreTold, ThatAnOtpWouldBeLateWithBothNumbersAndWhenToComeBack) {
  Rig rig(slow_account());
  rig.start_weir();
  std::optional<RawResponse> refused;
  RawClient client = client_of(rig);
  for (int number = 0; number < 1000 && !refused; ++number) {
    const auto answer = client.ask(post(otp(number)));
    ASSERT_TRUE(answer);
    if (answer->status != 202) refused = answer;
  }
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_THAT(refused->header("retry-after"), MatchesRegex("[1-9][0-9]*"));
  EXPECT_EQ(refused->header("weir-pressure"), "shed");
  const auto body = boost::json::parse(refused->body).as_object();
  EXPECT_EQ(body.at("code").as_string(), "deadline_unreachable");
  EXPECT_GT(body.at("predicted_wait_ms").as_int64(), body.at("time_left_ms").as_int64());
}

TEST(ProducersAreTold, EachChangeOfThePressureIfTheyListen) {
  Rig rig(slow_account());
  rig.start_weir();
  RawClient listener = client_of(rig);
  ASSERT_TRUE(
      listener.send("GET /v1/pressure HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n"));
  ASSERT_TRUE(listener.read_until(R"("lane":"otp","pressure":"clear")"));
  RawClient client = client_of(rig);
  for (int number = 0; number < 1000; ++number) {
    const auto answer = client.ask(post(otp(number)));
    ASSERT_TRUE(answer);
    if (answer->status != 202) break;
  }
  EXPECT_TRUE(listener.read_until(R"("lane":"otp","pressure":"shed")"));
}

}  // namespace
}  // namespace weir::test
