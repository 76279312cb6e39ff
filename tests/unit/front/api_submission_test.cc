// SPDX-License-Identifier: Apache-2.0
//
// POST /v1/messages: what goes in, and each answer that can come out.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kOtp =
    R"({"class":"otp","to":"+919876543210","body":"Your code is 4711","key":"login-1"})";

Accept accepted(RequestId request) {
  Accept accept;
  accept.request = request;
  accept.message.id = MessageId{42};
  accept.message.class_name = "otp";
  accept.message.lane = Lane::kOtp;
  accept.message.recipients = 3;
  accept.message.units = 200;
  accept.message.segments = 2;
  accept.message.cost = Units::from_micro(2'100'000);
  accept.message.deadline = WallTime::from_unix_ms(1'896'114'645'000);
  accept.message.key = "login-1";
  accept.predicted_send_at = WallTime::from_unix_ms(1'896'114'600'120);
  accept.pressure = Pressure::kSlow;
  accept.suggested_delay = Duration::nanos(40'000'001);
  return accept;
}

TEST(ApiSubmission, GoldenAcceptance) {
  ApiHost host;
  host.on_submit = [&](RequestId request, Submission) {
    Accept accept = accepted(request);
    accept.rewritten = true;
    accept.duplicates = {1, 4};
    accept.invalid = {{"/to/2", "is too short"}};
    host.api().answer(std::move(accept));
  };
  const RawResponse response = host.post("/v1/messages", kOtp);
  EXPECT_EQ(response.status, 202);
  EXPECT_EQ(response.header("content-type"), "application/json");
  EXPECT_EQ(response.header("location"), "/v1/messages/m42");
  EXPECT_EQ(response.header("weir-pressure"), "slow");
  EXPECT_EQ(response.header("weir-suggested-delay-ms"), "41");
  EXPECT_EQ(response.header("connection"), "");
  EXPECT_EQ(response.body,
            R"({"id":"m42","key":"login-1","state":"pending","class":"otp","lane":"otp",)"
            R"("recipients":3,"encoding":"GSM7","units":200,"segments":2,"cost_units":2.1,)"
            R"("deadline":"2030-01-31T18:30:45.000Z",)"
            R"("predicted_send_at":"2030-01-31T18:30:00.120Z","pressure":"slow",)"
            R"("suggested_delay_ms":41,"replayed":false,"rewritten":true,"duplicates":[1,4],)"
            R"("invalid":[{"pointer":"/to/2","detail":"is too short"}]})");
  ASSERT_TRUE(host.submitted.has_value());
  EXPECT_EQ(host.submitted->class_name, "otp");
  EXPECT_THAT(host.submitted->to, ElementsAre("+919876543210"));
  EXPECT_EQ(host.submitted->body, "Your code is 4711");
  EXPECT_EQ(host.submitted->key, "login-1");
}

TEST(ApiSubmission, AReplayIsAnsweredAsAnAcceptanceThatSaysSo) {
  ApiHost host;
  host.on_submit = [&](RequestId request, Submission) {
    Accept accept = accepted(request);
    accept.replayed = true;
    host.api().answer(std::move(accept));
  };
  const RawResponse response = host.post("/v1/messages", kOtp);
  EXPECT_EQ(response.status, 202);
  EXPECT_THAT(response.body, HasSubstr("\"replayed\":true"));
  EXPECT_THAT(response.body, HasSubstr("\"id\":\"m42\""));
}

TEST(ApiSubmission, AGuardsRefusalNamesTheRecipientAndWhenItMayHaveTheNext) {
  ApiHost host;
  host.on_submit = [&](RequestId request, Submission) {
    Refusal no;
    no.code = RefusalCode::kRecipientCooldown;
    no.detail = "class otp sent to this recipient less than 30 s ago";
    no.fields = {{"/to/3", no.detail}};
    no.retry_after = Duration::nanos(17'000'000'001);
    host.api().answer(Refuse{request, no});
  };
  const RawResponse response = host.post("/v1/messages", kOtp);
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.header("retry-after"), "18");
  EXPECT_EQ(response.header("weir-pressure"), "");
  EXPECT_THAT(response.body, HasSubstr(R"("code":"recipient_cooldown")"));
  EXPECT_THAT(response.body, HasSubstr(R"("errors":[{"pointer":"/to/3","detail":"class otp sent)"));
  EXPECT_THAT(response.body, HasSubstr(R"("retry_after_ms":17001)"));
}

TEST(ApiSubmission, EachRefusalOfTheEngineHasItsStatusCodeAndRetryAfter) {
  ApiHost host;
  Refusal refusal;
  host.on_submit = [&](RequestId request, Submission) {
    host.api().answer(Refuse{request, refusal});
  };
  for (size_t i = 0; i < kRefusalCodes; ++i) {
    const auto code = static_cast<RefusalCode>(i);
    const std::string word(name(code));
    const bool later = http_status(code) == 503 || http_status(code) == 429;
    refusal = {code, "because", {}, {}};
    if (later) refusal.retry_after = Duration::millis(2'300);
    if (!later) refusal.fields = {{"/deadline", "is not in the future"}};
    const RawResponse response = host.post("/v1/messages", kOtp);
    SCOPED_TRACE(word);
    EXPECT_EQ(response.status, http_status(code));
    EXPECT_EQ(response.header("content-type"), "application/problem+json");
    EXPECT_EQ(response.header("retry-after"), later ? "3" : "");
    EXPECT_EQ(response.header("location"), "");
    EXPECT_THAT(response.body, HasSubstr("\"type\":\"/problems/" + word + "\""));
    EXPECT_THAT(response.body, HasSubstr("\"code\":\"" + word + "\""));
    EXPECT_THAT(response.body, HasSubstr("\"detail\":\"because\""));
    EXPECT_THAT(response.body, HasSubstr(later ? R"("retry_after_ms":2300})"
                                               : R"("errors":[{"pointer":"/deadline",)"
                                                 R"("detail":"is not in the future"}]})"));
  }
}

TEST(ApiSubmission, AllWrongFieldsAreNamedAndNothingIsSubmitted) {
  ApiHost host;
  const RawResponse response = host.post(
      "/v1/messages", R"({"clas":"otp","to":["+919876543210",7],"body":"","priority":11})");
  EXPECT_EQ(response.status, 422);
  EXPECT_EQ(response.body,
            R"({"type":"/problems/invalid","title":"The request is not valid","status":422,)"
            R"("detail":"5 fields are wrong","code":"invalid","errors":[)"
            R"({"pointer":"/clas","detail":"is not a field of this request; did you mean class?"},)"
            R"({"pointer":"/to/1","detail":"must be a string, and is a number"},)"
            R"({"pointer":"/priority","detail":"must be from 0 to 9"},)"
            R"({"pointer":"/class","detail":"is missing; it must be a string"},)"
            R"({"pointer":"/body","detail":"must not be empty"}]})");
}

TEST(ApiSubmission, WhatIsNoJsonIsMalformedWithItsOffset) {
  ApiHost host;
  const RawResponse response = host.post("/v1/messages", "{\"class\":\"otp\xff\"}");
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(response.body, HasSubstr("\"code\":\"malformed\""));
  EXPECT_THAT(response.body, HasSubstr("at byte 13"));
  // The connection stays: the request was read to its end.
  EXPECT_EQ(response.header("connection"), "");
}

TEST(ApiSubmission, TheIdempotencyKeyHeaderIsTheKey) {
  ApiHost host;
  host.on_submit = [&](RequestId request, Submission) { host.api().answer(accepted(request)); };
  const std::string keyless = R"({"class":"otp","to":"1","body":"b"})";
  EXPECT_EQ(host.post("/v1/messages", keyless, "Idempotency-Key: \"h-1\"\r\n").status, 202);
  EXPECT_EQ(host.submitted->key, "h-1");
  const RawResponse both = host.post("/v1/messages", kOtp, "Idempotency-Key: other\r\n");
  EXPECT_EQ(both.status, 422);
  EXPECT_THAT(both.body, HasSubstr("\"pointer\":\"/key\""));
}

TEST(ApiSubmission, OnlyJsonInUtf8IsTaken) {
  ApiHost host;
  host.on_submit = [&](RequestId request, Submission) { host.api().answer(accepted(request)); };
  struct Row {
    const char* type;
    int status;
  };
  const Row rows[] = {
      {"Content-Type: application/json\r\n", 202},
      {"Content-Type: Application/JSON\r\n", 202},
      {"Content-Type: application/json;charset=UTF-8\r\n", 202},
      {"Content-Type: application/json ; charset=\"utf-8\"\r\n", 202},
      {"", 415},
      {"Content-Type: text/plain\r\n", 415},
      {"Content-Type: application/x-www-form-urlencoded\r\n", 415},
      {"Content-Type: application/json; charset=latin1\r\n", 415},
      {"Content-Type: application/jsonp\r\n", 415},
      {"Content-Type: application/ndjson\r\n", 415},
  };
  for (const Row& row : rows) {
    const std::string body = kOtp;
    const RawResponse response =
        host.ask(std::string("POST /v1/messages HTTP/1.1\r\nHost: x\r\n") + row.type +
                 "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    EXPECT_EQ(response.status, row.status) << row.type;
  }
}

TEST(ApiSubmission, AChunkedSubmissionIsTaken) {
  ApiHost host;
  host.on_submit = [&](RequestId request, Submission) { host.api().answer(accepted(request)); };
  const RawResponse response = host.ask(
      "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n14\r\n{\"class\":\"otp\",\"to\":\r\n"
      "11\r\n\"1\",\"body\":\"two\"}\r\n0\r\n\r\n");
  EXPECT_EQ(response.status, 202);
  EXPECT_EQ(host.submitted->body, "two");
}

TEST(ApiSubmission, AHundredThousandRecipientsPass) {
  ApiHost host;
  host.on_submit = [&](RequestId request, Submission) { host.api().answer(accepted(request)); };
  std::string json = R"({"class":"promotional","body":"Sale","to":["+919000000000")";
  for (int i = 1; i < 100'000; ++i)
    json += ",\"+919" + std::to_string(100'000'000 + i) + "\"";
  EXPECT_EQ(host.post("/v1/messages", json + "]}").status, 202);
  EXPECT_EQ(host.submitted->to.size(), 100'000u);
}

TEST(ApiSubmission, DeepNestingIsMalformedWhereverItStands) {
  ApiHost host;
  const std::string deep(1'000'000, '[');
  for (const std::string& json :
       {deep, "{\"to\":" + deep, "{\"x\":" + deep, std::string("{\"params\":{\"a\":") + deep}) {
    const RawResponse response = host.post("/v1/messages", json);
    EXPECT_EQ(response.status, 400);
    EXPECT_THAT(response.body, HasSubstr("\"code\":\"malformed\""));
  }
}

// Each connection waits for its own answer; the engine may give them in any order.
TEST(ApiSubmission, AnswersFindTheirClients) {
  std::vector<std::pair<RequestId, std::string>> waiting;
  std::promise<void> both;
  ApiHost host;  // ends first: its thread uses the others
  host.on_submit = [&](RequestId request, Submission submission) {
    waiting.emplace_back(request, submission.key);
    if (waiting.size() == 2) both.set_value();
  };
  RawClient first = host.connect();
  RawClient second = host.connect();
  first.send(ApiHost::post_text("/v1/messages", R"({"class":"c","to":"1","body":"b","key":"1"})"));
  second.send(ApiHost::post_text("/v1/messages", R"({"class":"c","to":"1","body":"b","key":"2"})"));
  both.get_future().wait();
  host.run([&] {
    for (size_t i = waiting.size(); i-- > 0;) {
      Accept accept = accepted(waiting[i].first);
      accept.message.key = waiting[i].second;
      host.api().answer(std::move(accept));
    }
  });
  EXPECT_THAT(first.read_response()->body, HasSubstr("\"key\":\"1\""));
  EXPECT_THAT(second.read_response()->body, HasSubstr("\"key\":\"2\""));
}

// Clients that leave without waiting do not pile up behind the store.
TEST(ApiSubmission, RequestsThatWaitForTheirAnswerAreBounded) {
  ApiOptions options;
  options.http.connections = 4;
  ApiHost host(options);
  std::vector<RequestId> waiting;
  std::atomic<size_t> count = 0;
  host.on_submit = [&](RequestId request, Submission) {
    waiting.push_back(request);
    count = waiting.size();
  };
  for (size_t i = 1; i <= 8; ++i) {
    RawClient client = host.connect();
    client.send(ApiHost::post_text("/v1/messages", kOtp));
    while (count < i)
      std::this_thread::yield();
    client.reset();
  }
  const RawResponse refused = host.post("/v1/messages", kOtp);
  EXPECT_EQ(refused.status, 503);
  EXPECT_THAT(refused.body, HasSubstr("\"code\":\"busy\""));
  host.run([&] {
    for (const RequestId request : waiting)
      host.api().answer(accepted(request));
    waiting.clear();
  });
  host.on_submit = [&](RequestId request, Submission) { host.api().answer(accepted(request)); };
  EXPECT_EQ(host.post("/v1/messages", kOtp).status, 202);
}

TEST(ApiSubmission, WhoWaitsWhenAcceptingStopsIsAnsweredOnce) {
  RequestId waits{};
  std::promise<void> asked;
  ApiHost host;
  host.on_submit = [&](RequestId request, Submission) {
    waits = request;
    asked.set_value();
  };
  RawClient client = host.connect();
  client.send(ApiHost::post_text("/v1/messages", kOtp));
  asked.get_future().wait();
  host.run([&] {
    host.api().stop_accepting();
    host.api().answer(accepted(waits));
    host.api().answer(accepted(waits));
  });
  EXPECT_EQ(client.read_response()->status, 202);
}

}  // namespace
}  // namespace weir::test
