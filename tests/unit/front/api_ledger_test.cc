// SPDX-License-Identifier: Apache-2.0
//
// GET /v1/messages and POST /v1/messages/{id}/resolve: what is handed over, the answers, each
// refusal.
#include <optional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/wrong_requests.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

Listed one_of_two(RequestId request) {
  Listed listed;
  listed.request = request;
  listed.failed = false;
  MessageSummary one;
  one.message.id = MessageId{42};
  one.message.class_name = "otp";
  one.message.lane = Lane::kOtp;
  one.message.units = 20;
  one.message.segments = 1;
  one.message.recipients = 3;
  one.message.cost = Units::from_micro(1'050'000);
  one.message.created = WallTime::from_unix_ms(1'896'114'600'000);
  one.message.deadline = WallTime::from_unix_ms(1'896'118'200'000);
  one.message.key = "k";
  one.message.tag = "diwali";
  one.message.test = true;
  one.states[index(BatchState::kUnknown)] = {1, 3};
  one.reason = "no_answer";
  listed.messages.push_back(std::move(one));
  listed.next = MessageId{41};
  return listed;
}

TEST(ApiList, GoldenPage) {
  ApiHost host;
  ListMessages asked;
  host.on_list = [&](ListMessages query) {
    asked = query;
    host.api().answer(one_of_two(query.request));
  };
  const RawResponse response = host.get("/v1/messages");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(
      response.body,
      R"({"messages":[{"id":"m42","key":"k","state":"unknown","class":"otp","lane":"otp",)"
      R"("recipients":3,"encoding":"GSM7","units":20,"segments":1,"cost_units":1.05,"priority":5,)"
      R"("tag":"diwali","test":true,"created_at":"2030-01-31T18:30:00.000Z",)"
      R"("deadline":"2030-01-31T19:30:00.000Z","not_before":null,"states":{)"
      R"("pending":{"batches":0,"recipients":0},"claimed":{"batches":0,"recipients":0},)"
      R"("submitted":{"batches":0,"recipients":0},"refused":{"batches":0,"recipients":0},)"
      R"("unknown":{"batches":1,"recipients":3},"shed":{"batches":0,"recipients":0},)"
      R"("cancelled":{"batches":0,"recipients":0}},"reason":"no_answer"}],"next_cursor":"m41"})");
  EXPECT_FALSE(asked.state);
  EXPECT_TRUE(asked.class_name.empty() && asked.key.empty() && asked.tag.empty());
  EXPECT_FALSE(asked.before);
  EXPECT_EQ(asked.limit, 50u);
}

TEST(ApiList, TheQueryIsHandedOver) {
  ApiHost host;
  ListMessages asked;
  host.on_list = [&](ListMessages query) {
    asked = query;
    Listed last;
    last.request = query.request;
    last.failed = false;
    host.api().answer(std::move(last));
  };
  const RawResponse response = host.get(
      "/v1/messages?state=unknown&class=otp&key=a%20b%2Bc+d&tag=diwali&cursor=m42&limit=500");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"messages":[],"next_cursor":null})");
  EXPECT_EQ(asked.state, BatchState::kUnknown);
  EXPECT_EQ(asked.class_name, "otp");
  EXPECT_EQ(asked.key, "a b+c+d");
  EXPECT_EQ(asked.tag, "diwali");
  EXPECT_EQ(asked.before, MessageId{42});
  EXPECT_EQ(asked.limit, 500u);
  for (size_t i = 0; i < kBatchStates; ++i) {
    EXPECT_EQ(host.get("/v1/messages?state=" + std::string(kBatchStateNames[i])).status, 200);
    EXPECT_EQ(asked.state, static_cast<BatchState>(i));
  }
}

TEST(ApiList, WhatIsWrongIsNamed) {
  ApiHost host;  // a look-up would fail the test
  const auto ask = [&](const std::string& what) { return host.get("/v1/messages?" + what); };
  expect_each_is_named(
      {
          {"limit=0", 422,
           R"({"pointer":"/limit","detail":"must be a whole number from 1 to 500"})"},
          {"limit=501", 422, "/limit"},
          {"limit=-1", 422, "/limit"},
          {"limit=5x", 422, "/limit"},
          {"state=done", 422, R"({"pointer":"/state","detail":"is one of pending, claimed, )"},
          {"state=mixed", 422, "/state"},
          {"state=", 422, R"({"pointer":"/state","detail":"must not be empty)"},
          {"class=", 422, R"("pointer":"/class")"},
          {"class=nothing", 422,
           R"({"pointer":"/class","detail":"there is no class of this name"})"},
          {"key=", 422, R"("pointer":"/key")"},
          {"tag=", 422, R"("pointer":"/tag")"},
          {"cursor=42", 422, R"({"pointer":"/cursor","detail":"is the next_cursor)"},
          {"cursor=m0", 422, "/cursor"},
          {"cursor=m99999999999999999999", 422, "/cursor"},
          {"state=done&limit=0", 422, R"("pointer":"/limit")"},
          {"state=done&limit=0", 422, R"("pointer":"/state")"},
          {"status=pending", 422, "is not a field of this query; it has state, class, key, tag, "},
          {"tag=a&tag=b", 422, "is given twice"},
          {"tag=%zz", 400, "malformed"},
      },
      ask);
}

TEST(ApiList, AStoreThatCannotReadIs503) {
  ApiHost host;
  host.on_list = [&](const ListMessages& query) {
    Listed failed;
    failed.request = query.request;
    host.api().answer(std::move(failed));
  };
  const RawResponse response = host.get("/v1/messages");
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.body, HasSubstr("store_unavailable"));
}

constexpr const char* kSubmittedText = R"({"outcome":"submitted","evidence":"ticket 4711"})";

TEST(ApiResolve, HandsOverWhatThePersonSays) {
  ApiHost host;
  ResolveRequested asked;
  host.on_resolve = [&](ResolveRequested one) {
    asked = one;
    host.api().answer(AnswerResolve{one.request, ResolveResult::kResolved, 2});
  };
  const RawResponse all = host.post("/v1/messages/m42/resolve", kSubmittedText);
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(all.body, R"({"resolved_batches":2})");
  EXPECT_EQ(asked.message, MessageId{42});
  EXPECT_EQ(asked.to, BatchState::kSubmitted);
  EXPECT_EQ(asked.evidence, "ticket 4711");
  EXPECT_FALSE(asked.batch);

  const RawResponse one = host.post(
      "/v1/messages/m7/resolve", R"({"outcome":"not_submitted","evidence":"जाँच","batch":"b17"})");
  EXPECT_EQ(one.body, R"({"resolved_batches":2})");
  EXPECT_EQ(asked.message, MessageId{7});
  EXPECT_EQ(asked.to, BatchState::kRefused);
  EXPECT_EQ(asked.evidence, "जाँच");
  EXPECT_EQ(asked.batch, BatchId{17});
}

TEST(ApiResolve, TwoAtOnceAreToldApart) {
  ApiHost host;
  std::optional<RequestId> first;
  host.on_resolve = [&](const ResolveRequested& one) {
    if (!first) {
      first = one.request;
      return;
    }
    host.api().answer(AnswerResolve{one.request, ResolveResult::kResolved, 1});
    host.api().answer(AnswerResolve{*first, ResolveResult::kResolved, 2});
  };
  RawClient waits = host.connect();
  waits.send(ApiHost::post_text("/v1/messages/m1/resolve", kSubmittedText));
  for (bool there = false; !there;)
    host.run([&] { there = first.has_value(); });
  EXPECT_EQ(
      host.post("/v1/messages/m2/resolve", R"({"outcome":"not_submitted","evidence":"x"})").body,
      R"({"resolved_batches":1})");
  EXPECT_EQ(waits.read_response()->body, R"({"resolved_batches":2})");
}

TEST(ApiResolve, EachOtherResultHasItsCode) {
  ApiHost host;
  struct Case {
    ResolveResult result;
    int status;
    const char* code;
  };
  const Case cases[] = {{ResolveResult::kNoMessage, 404, "not_found"},
                        {ResolveResult::kNotUnknown, 409, "not_unknown"},
                        {ResolveResult::kNotWritten, 503, "store_unavailable"}};
  for (const Case& one : cases) {
    host.on_resolve = [&](const ResolveRequested& asked) {
      host.api().answer(AnswerResolve{asked.request, one.result, 0});
    };
    const RawResponse response = host.post("/v1/messages/m42/resolve", kSubmittedText);
    EXPECT_EQ(response.status, one.status);
    EXPECT_THAT(response.body, HasSubstr("\"code\":\"" + std::string(one.code) + "\""));
  }
}

TEST(ApiResolve, WhatIsWrongIsNamedAndNothingIsAsked) {
  ApiHost host;
  const std::string head = R"({"outcome":"submitted","evidence":)";
  const auto ask = [&](const std::string& what) {
    return host.post("/v1/messages/m42/resolve", what);
  };
  expect_each_is_named(
      {
          {"", 400, "malformed"},
          {"{}", 422, R"("pointer":"/outcome","detail":"is missing)"},
          {"{}", 422, R"("pointer":"/evidence","detail":"is missing)"},
          {R"({"outcome":"refused","evidence":"x"})", 422, "is submitted or not_submitted"},
          {R"({"outcome":"","evidence":"x"})", 422,
           R"("pointer":"/outcome","detail":"must not be empty")"},
          {R"({"outcome":1,"evidence":"x"})", 422,
           R"("pointer":"/outcome","detail":"must be a string)"},
          {head + R"(""})", 422, R"("pointer":"/evidence","detail":"must not be empty")"},
          {head + "\"" + std::string(501, 'x') + "\"}", 422, "is up to 500 bytes"},
          {head + R"("a\nb"})", 422, "without control characters"},
          {head + R"("a\u0000"})", 422, "without control characters"},
          {head + R"("a\u007f"})", 422, "without control characters"},
          {head + R"("\u009b31m"})", 422, "without control characters"},
          {head + "\"a\xff\"}", 400, "malformed"},
          {head + R"("x","batch":"17"})", 422,
           R"("pointer":"/batch","detail":"is a batch id, like b17"})"},
          {head + R"("x","batch":""})", 422, R"("pointer":"/batch","detail":"is a batch id)"},
          {head + R"("x","batch":17})", 422, R"("pointer":"/batch","detail":"must be a string)"},
          {head + R"("x","batches":"b1"})", 422, "did you mean batch"},
      },
      ask);
  EXPECT_EQ(host.post("/v1/messages/42/resolve", kSubmittedText).status, 404);
  EXPECT_EQ(host.post("/v1/messages/m0/resolve", kSubmittedText).status, 404);
  EXPECT_EQ(host.ask("POST /v1/messages/m1/resolve HTTP/1.1\r\nHost: x\r\n\r\n").status, 415);
}

TEST(ApiResolve, EvidenceOfTheFullLengthIsTaken) {
  ApiHost host;
  host.on_resolve = [&](const ResolveRequested& asked) {
    host.api().answer(AnswerResolve{asked.request, ResolveResult::kResolved, 1});
  };
  const std::string body =
      R"({"outcome":"submitted","evidence":")" + std::string(500, 'x') + R"("})";
  EXPECT_EQ(host.post("/v1/messages/m42/resolve", body).status, 200);
}

}  // namespace
}  // namespace weir::test
