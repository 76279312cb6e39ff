// SPDX-License-Identifier: Apache-2.0
//
// The guard of a class with the real binary: a second code is refused, also after a kill.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

// The cooldown is as long as it can be, so that no slow machine outlasts it.
RigOptions guarded() {
  RigOptions options;
  options.classes = R"(classes:
  otp:
    lane: otp
    policy: shed
    deadline: {after: 45s}
    guard: {resend_cooldown: 1h, max_per_hour: 3, allowed_prefixes: ["+91"]}
)";
  return options;
}

std::string code(const std::string& to, const std::string& key = "") {
  return R"({"class":"otp","body":"Your code is 1234","to":")" + to + R"(","key":")" + key + "\"}";
}

TEST(Guard, ASecondCodeIsRefusedAndStillIsWhenWeirWasKilled) {
  Rig rig(guarded());
  rig.start_weir();
  const std::string number = "+919876543210";
  const ApiReply first = rig.call("POST", "/v1/messages", code(number, "login-1"));
  ASSERT_EQ(first.status, 202) << first.body;
  const std::string id = json::parse(first.body).at("id").as_string().c_str();
  EXPECT_EQ(rig.settled(id), "submitted");
  int64_t wait = 3'600'000;
  for (int life = 0; life < 3; ++life) {
    const ApiReply again = rig.call("POST", "/v1/messages", code(number));
    ASSERT_EQ(again.status, 503) << again.body;
    const json::value no = json::parse(again.body);
    EXPECT_EQ(no.at("code").as_string(), "recipient_cooldown");
    EXPECT_EQ(no.at("errors").at(0).at("pointer").as_string(), "/to");
    const auto left = no.at("retry_after_ms").to_number<int64_t>();
    EXPECT_GT(left, 0);
    EXPECT_LE(left, wait) << "a start made it longer";
    wait = left;
    // Who lost the first answer hears it now.
    const ApiReply lost = rig.call("POST", "/v1/messages", code(number, "login-1"));
    EXPECT_EQ(lost.status, 202) << lost.body;
    EXPECT_EQ(json::parse(lost.body).at("id").as_string(), id);
    rig.kill_and_restart();
  }
  EXPECT_EQ(rig.calls(), 1U);
  EXPECT_EQ(rig.call("POST", "/v1/messages", code("+919876543211")).status, 202);
  EXPECT_EQ(rig.call("POST", "/v1/messages", code("+919876543212")).status, 202);
  const ApiReply full = rig.call("POST", "/v1/messages", code("+919876543213"));
  EXPECT_EQ(full.status, 503);
  EXPECT_THAT(full.body, HasSubstr("class_cap"));
}

TEST(Guard, AnotherCountryIsRefusedForGoodAndCounted) {
  Rig rig(guarded());
  rig.start_weir();
  const ApiReply no = rig.call("POST", "/v1/messages", code("+881612345678"));
  EXPECT_EQ(no.status, 422);
  EXPECT_THAT(no.body, HasSubstr("destination_not_allowed"));
  EXPECT_THAT(no.body, HasSubstr(R"("pointer":"/to")"));
  EXPECT_THAT(rig.call("GET", "/metrics").body,
              HasSubstr("weir_refused_total{code=\"destination_not_allowed\"} 1\n"));
}

}  // namespace
}  // namespace weir::test
