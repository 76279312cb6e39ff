// SPDX-License-Identifier: Apache-2.0
//
// POST /v1/messages/{id}/cancel and POST /v1/cancel: what is handed over, the answers, each
// refusal.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/wrong_requests.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

AnswerCancel some_were(RequestId request) {
  AnswerCancel answer;
  answer.request = request;
  answer.result = CancelResult::kCancelled;
  answer.counts.found = 4;
  answer.counts.messages = 3;
  answer.counts.batches = 5;
  answer.counts.cost = Units::from_micro(1'050'000);
  answer.counts.left[index(BatchState::kClaimed)] = 1;
  answer.counts.left[index(BatchState::kUnknown)] = 2;
  return answer;
}

constexpr const char* kSome =
    R"({"cancelled_messages":3,"cancelled_batches":5,"cancelled_units":1.05,)"
    R"("too_late_batches":{"claimed":1,"submitted":0,"refused":0,"unknown":2}})";

TEST(ApiCancel, HandsOverWhatIsNamed) {
  ApiHost host;
  CancelTarget asked;
  host.on_cancel = [&](CancelRequested one) {
    asked = one.target;
    host.api().answer(some_were(one.request));
  };
  EXPECT_EQ(host.post("/v1/messages/m42/cancel", "{}").body, kSome);
  EXPECT_EQ(asked.message, MessageId{42});
  EXPECT_TRUE(asked.key.empty() && asked.tag.empty());
  EXPECT_EQ(host.post("/v1/cancel", R"({"tag":"diwali"})").body, kSome);
  EXPECT_FALSE(asked.message);
  EXPECT_EQ(asked.tag, "diwali");
  EXPECT_TRUE(asked.key.empty());
  EXPECT_EQ(host.post("/v1/cancel", R"({"key":"order 1"})").body, kSome);
  EXPECT_EQ(asked.key, "order 1");
  EXPECT_TRUE(asked.tag.empty());
}

TEST(ApiCancel, EachOtherResultHasItsCode) {
  ApiHost host;
  struct Case {
    CancelResult result;
    int status;
    const char* code;
    const char* detail;
  };
  const Case cases[] = {
      {CancelResult::kNone, 404, "not_found", ""},
      {CancelResult::kTooLate, 409, "not_pending", "its batches: 1 claimed, 2 unknown"},
      {CancelResult::kBusy, 503, "busy", ""},
      {CancelResult::kNotWritten, 503, "store_unavailable",
       "5 batches were cancelled and stay so"}};
  for (const Case& one : cases) {
    host.on_cancel = [&](const CancelRequested& asked) {
      AnswerCancel answer = some_were(asked.request);
      answer.result = one.result;
      host.api().answer(answer);
    };
    const RawResponse response = host.post("/v1/cancel", R"({"tag":"diwali"})");
    EXPECT_EQ(response.status, one.status);
    EXPECT_THAT(response.body, HasSubstr("\"code\":\"" + std::string(one.code) + "\""));
    EXPECT_THAT(response.body, HasSubstr(one.detail));
  }
}

TEST(ApiCancel, WhatIsWrongIsNamedAndNothingIsAsked) {
  ApiHost host;
  expect_each_is_named(
      {
          {"", 400, "malformed"},
          {"{}", 422, "names either a key or a tag"},
          {R"({"key":"a","tag":"b"})", 422, "names either a key or a tag"},
          {R"({"key":""})", 422, R"("pointer":"/key","detail":"must not be empty")"},
          {R"({"tag":""})", 422, R"("pointer":"/tag","detail":"must not be empty")"},
          {R"({"tag":1})", 422, R"("pointer":"/tag","detail":"must be a string)"},
          {R"({"tags":"a"})", 422, "did you mean tag"},
      },
      [&](const std::string& what) { return host.post("/v1/cancel", what); });
  EXPECT_EQ(host.post("/v1/messages/42/cancel", "{}").status, 404);
  EXPECT_EQ(host.ask("POST /v1/messages/m1/cancel HTTP/1.1\r\nHost: x\r\n\r\n").status, 415);
  EXPECT_EQ(host.ask("POST /v1/cancel HTTP/1.1\r\nHost: x\r\n\r\n").status, 415);
}

}  // namespace
}  // namespace weir::test
