// SPDX-License-Identifier: Apache-2.0
//
// POST /v1/lanes/{id}/pause and its like: what is handed over, the answers, each refusal.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/wrong_requests.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kReason = R"({"reason":"the text is wrong"})";

void answer_as_done(ApiHost& host, StopRequested& asked) {
  host.on_stop = [&](StopRequested one) {
    asked = one;
    one.order.stop.since = WallTime::from_unix_ms(1'896'114'600'000);
    host.api().answer(AnswerStop{one.request, StopResult::kDone, one.order});
  };
}

TEST(ApiStop, HandsOverWhatIsToBeStopped) {
  ApiHost host;
  StopRequested asked;
  answer_as_done(host, asked);
  EXPECT_EQ(host.post("/v1/lanes/promotional/pause", kReason).body,
            R"({"lane":"promotional","stop":{"mode":"paused","reason":"the text is wrong",)"
            R"("since":"2030-01-31T18:30:00.000Z"}})");
  EXPECT_EQ(asked.order.lane, Lane::kPromotional);
  EXPECT_TRUE(asked.order.class_name.empty());
  EXPECT_EQ(host.post("/v1/classes/reminder/drain", kReason).body,
            R"({"class":"reminder","stop":{"mode":"draining","reason":"the text is wrong",)"
            R"("since":"2030-01-31T18:30:00.000Z"}})");
  EXPECT_FALSE(asked.order.lane);
  EXPECT_EQ(asked.order.class_name, "reminder");
  EXPECT_EQ(asked.order.stop.mode, StopMode::kDraining);
}

TEST(ApiStop, AResumeNeedsNoReason) {
  ApiHost host;
  StopRequested asked;
  answer_as_done(host, asked);
  EXPECT_EQ(host.post("/v1/lanes/otp/resume", "").body, R"({"lane":"otp","stop":null})");
  EXPECT_EQ(asked.order.stop.mode, StopMode::kNone);
  EXPECT_EQ(host.post("/v1/classes/otp/resume", "{}").body, R"({"class":"otp","stop":null})");
}

TEST(ApiStop, EachOtherResultHasItsCode) {
  ApiHost host;
  StopResult result = StopResult::kNone;
  host.on_stop = [&](StopRequested one) {
    host.api().answer(AnswerStop{one.request, result, one.order});
  };
  EXPECT_EQ(host.post("/v1/classes/nothing/pause", kReason).status, 404);
  result = StopResult::kNotWritten;
  const RawResponse failed = host.post("/v1/lanes/otp/pause", kReason);
  EXPECT_EQ(failed.status, 503);
  EXPECT_THAT(failed.body, HasSubstr("store_unavailable"));
}

TEST(ApiStop, WhatIsWrongIsNamedAndNothingIsAsked) {
  ApiHost host;
  expect_each_is_named(
      {
          {"", 400, "malformed"},
          {"{}", 422, R"("pointer":"/reason","detail":"is missing)"},
          {R"({"reason":""})", 422, R"("pointer":"/reason","detail":"must not be empty")"},
          {R"({"reason":1})", 422, R"("pointer":"/reason","detail":"must be a string)"},
          {R"({"reason":"a\nb"})", 422, "without control characters"},
          {R"({"reason":")" + std::string(201, 'x') + "\"}", 422, "is up to 200 bytes"},
          {R"({"why":"x"})", 422, "/why"},
      },
      [&](const std::string& what) { return host.post("/v1/lanes/otp/pause", what); });
  EXPECT_EQ(host.post("/v1/lanes/bulk/pause", kReason).status, 404);
  EXPECT_EQ(host.post("/v1/lanes//pause", kReason).status, 404);
  EXPECT_EQ(host.post("/v1/lanes/otp/stop", kReason).status, 404);
  EXPECT_EQ(host.post("/v1/lanes/otp", kReason).status, 404);
  EXPECT_EQ(host.ask("POST /v1/lanes/otp/pause HTTP/1.1\r\nHost: x\r\n\r\n").status, 415);
  EXPECT_EQ(host.ask("POST /v1/lanes/otp/resume HTTP/1.1\r\nHost: x\r\n\r\n").status, 415);
}

}  // namespace
}  // namespace weir::test
