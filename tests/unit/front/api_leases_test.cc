// SPDX-License-Identifier: Apache-2.0
//
// /v1/acquire and /v1/leases: what is handed over, each answer, and each refusal.

#include <future>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Result = AnswerLease::Result;

constexpr const char* kAsk = R"({"class":"otp","cost_units":1.5,"max_wait_ms":250})";

// Answers every request with this, under the request's own number.
void answer_with(ApiHost& host, AnswerLease answer) {
  host.on_acquire = [&host, answer](const AcquireRequested& asked) {
    AnswerLease own = answer;
    own.request = asked.request;
    host.api().answer(own);
  };
  host.on_refund = [&host, answer](RefundRequested refund) {
    AnswerLease own = answer;
    own.request = refund.request;
    own.lease = refund.lease;
    host.api().answer(own);
  };
}

AnswerLease with(Result result) {
  AnswerLease answer;
  answer.result = result;
  return answer;
}

TEST(ApiLeases, GoldenGrantAndWhatIsHandedOver) {
  ApiHost host;
  AcquireRequested handed;
  host.on_acquire = [&](const AcquireRequested& asked) {
    handed = asked;
    AnswerLease yes = with(Result::kGranted);
    yes.request = asked.request;
    yes.lease = LeaseId{17};
    yes.class_name = asked.class_name;
    yes.bucket = asked.bucket;
    yes.cost = asked.cost;
    yes.waited = Duration::millis(120);
    host.api().answer(yes);
  };
  const RawResponse lane = host.post("/v1/acquire", kAsk);
  EXPECT_EQ(lane.status, 200);
  EXPECT_EQ(lane.body, R"({"lease":"l17","class":"otp","cost_units":1.5,"waited_ms":120})");
  EXPECT_EQ(handed.cost, Units::from_micro(1'500'000));
  EXPECT_EQ(handed.max_wait, Duration::millis(250));
  const RawResponse own = host.post("/v1/acquire", R"({"bucket":"crm","cost_units":3})");
  EXPECT_EQ(own.body, R"({"lease":"l17","bucket":"crm","cost_units":3,"waited_ms":120})");
  EXPECT_EQ(handed.bucket, "crm");
  EXPECT_EQ(handed.max_wait, Duration());
}

TEST(ApiLeases, ADenialSaysWhenToComeBack) {
  ApiHost host;
  AnswerLease no = with(Result::kDenied);
  no.retry_after = Duration::millis(1'001);
  answer_with(host, no);
  const RawResponse denied = host.post("/v1/acquire", kAsk);
  EXPECT_EQ(denied.status, 503);
  EXPECT_EQ(denied.header("retry-after"), "2");
  EXPECT_THAT(denied.body, HasSubstr("\"code\":\"ceiling_reached\""));
  EXPECT_THAT(denied.body, HasSubstr("\"retry_after_ms\":1001"));
}

TEST(ApiLeases, OtherRefusalsHaveTheirCodes) {
  ApiHost host;
  answer_with(host, with(Result::kNeverFits));
  const RawResponse never = host.post("/v1/acquire", kAsk);
  EXPECT_EQ(never.status, 422);
  EXPECT_THAT(never.body, HasSubstr("\"code\":\"cost_exceeds_bucket\""));
  EXPECT_THAT(never.body, HasSubstr("/cost_units"));
  answer_with(host, with(Result::kFull));
  const RawResponse full = host.post("/v1/acquire", kAsk);
  EXPECT_EQ(full.status, 503);
  EXPECT_THAT(full.body, HasSubstr("\"code\":\"busy\""));
}

TEST(ApiLeases, WrongFieldsAreNamedAndNothingIsAsked) {
  ApiHost host;
  host.engine.max_acquire_wait = Duration::seconds(60);
  struct Row {
    const char* json;
    const char* pointer;
  };
  const Row rows[] = {
      {R"({"cost_units":1})", "/class"},
      {R"({"class":"","cost_units":1})", "/class"},
      {R"({"class":"otp","bucket":"crm","cost_units":1})", "/bucket"},
      {R"({"class":"otp"})", "/cost_units"},
      {R"({"class":"otp","cost_units":0})", "/cost_units"},
      {R"({"class":"otp","cost_units":-1})", "/cost_units"},
      {R"({"class":"otp","cost_units":0.0000001})", "/cost_units"},
      {R"({"class":"otp","cost_units":1e2})", "/cost_units"},
      {R"({"class":"otp","cost_units":99999999999999999999})", "/cost_units"},
      {R"({"class":"otp","cost_units":"1"})", "/cost_units"},
      {R"({"class":"otp","cost_units":[1]})", "/cost_units"},
      {R"({"class":"otp","cost_units":null})", "/cost_units"},
      {R"({"class":"otp","cost_units":1,"max_wait_ms":-1})", "/max_wait_ms"},
      {R"({"class":"otp","cost_units":1,"max_wait_ms":60001})", "/max_wait_ms"},
      {R"({"class":"otp","cost_units":1,"max_wait_ms":0.5})", "/max_wait_ms"},
      {R"({"class":"otp","cost_units":1,"shadow":"yes"})", "/shadow"},
      {R"({"class":"otp","cost_units":1,"wait":1})", "/wait"},
  };
  for (const Row& row : rows) {
    const RawResponse response = host.post("/v1/acquire", row.json);
    EXPECT_EQ(response.status, 422) << row.json;
    EXPECT_THAT(response.body,
                HasSubstr(std::string("\"errors\":[{\"pointer\":\"") + row.pointer + "\""))
        << row.json;
  }
}

TEST(ApiLeases, AShadowIsHandedOverAndHearsWhatItWouldHaveWaited) {
  ApiHost host;
  bool shadow = false;
  host.on_acquire = [&](const AcquireRequested& asked) {
    shadow = asked.shadow;
    AnswerLease yes = with(Result::kGranted);
    yes.request = asked.request;
    yes.lease = LeaseId{17};
    yes.class_name = asked.class_name;
    yes.cost = asked.cost;
    if (asked.shadow) yes.would_wait = Duration::nanos(1'000'001);
    host.api().answer(yes);
  };
  const RawResponse rehearsed =
      host.post("/v1/acquire", R"({"class":"otp","cost_units":1,"shadow":true})");
  EXPECT_EQ(rehearsed.status, 200);
  EXPECT_TRUE(shadow);
  EXPECT_EQ(rehearsed.body,
            R"({"lease":"l17","class":"otp","cost_units":1,"waited_ms":0,"would_wait_ms":2})");
  EXPECT_THAT(host.post("/v1/acquire", kAsk).body, Not(HasSubstr("would_wait_ms")));
  EXPECT_FALSE(shadow);
}

// A request that waits for its units, and what the API makes of its client's end.
struct Deserted {
  std::promise<RequestId> asked;
  std::promise<RequestId> abandoned;
  std::promise<LeaseId> refunded;
  ApiHost host;  // ends first: its thread uses the others

  Deserted() {
    host.on_acquire = [this](const AcquireRequested& one) { asked.set_value(one.request); };
    host.on_abandon = [this](AcquireAbandoned gone) { abandoned.set_value(gone.request); };
    host.on_refund = [this](RefundRequested refund) { refunded.set_value(refund.lease); };
  }
  RequestId ask(RawClient& client) {
    EXPECT_TRUE(client.send(ApiHost::post_text("/v1/acquire", kAsk)));
    return asked.get_future().get();
  }
};

TEST(ApiLeases, AClientThatGoesWhileItWaitsWithdrawsItsRequest) {
  for (void (RawClient::*end)() : {&RawClient::close, &RawClient::reset, &RawClient::half_close}) {
    Deserted test;
    RawClient client = test.host.connect();
    const RequestId request = test.ask(client);
    (client.*end)();
    EXPECT_EQ(test.abandoned.get_future().get(), request);
  }
}

TEST(ApiLeases, AConnectionWhoseHalfWasClosedIsEndedWithoutAnAnswer) {
  Deserted test;
  RawClient client = test.host.connect();
  test.ask(client);
  client.half_close();
  EXPECT_EQ(client.wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(client.rest(), "");
}

// The engine had granted before it could hear that the client is gone.
TEST(ApiLeases, AGrantThatCannotBeDeliveredIsRefundedAndADenialIsNot) {
  Deserted test;
  RawClient client = test.host.connect();
  AnswerLease answer = with(Result::kGranted);
  answer.request = test.ask(client);
  answer.lease = LeaseId{17};
  client.close();
  test.abandoned.get_future().wait();
  AnswerLease denial = answer;
  denial.result = Result::kDenied;
  denial.lease = LeaseId{16};
  test.host.run([&] {
    test.host.api().answer(denial);
    test.host.api().answer(answer);
  });
  EXPECT_EQ(test.refunded.get_future().get(), LeaseId{17});
}

// Nobody's half-closed connection is an end for other requests.
TEST(ApiLeases, ALookUpIsStillAnsweredToAClientThatSaysNoMore) {
  std::promise<RequestId> asked;
  ApiHost host;  // ends first: its thread uses the other
  host.on_find = [&](RequestId request, MessageId) { asked.set_value(request); };
  RawClient client = host.connect();
  ASSERT_TRUE(client.send("GET /v1/messages/m1 HTTP/1.1\r\nHost: x\r\n\r\n"));
  const RequestId request = asked.get_future().get();
  client.half_close();
  // A second connection's answer shows that the loop has seen the first one's end.
  EXPECT_EQ(host.get("/healthz").status, 200);
  Found none;
  none.request = request;
  none.result = Found::Result::kNone;
  host.run([&] { host.api().answer(std::move(none)); });
  const auto response = client.read_response();
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 404);
}

TEST(ApiLeases, ARefundNamesTheLeaseAndWhatCameBack) {
  ApiHost host;
  AnswerLease back = with(Result::kRefunded);
  back.cost = Units::from_micro(350'000);
  answer_with(host, back);
  const RawResponse refunded = host.post("/v1/leases/l42/refund", "");
  EXPECT_EQ(refunded.status, 200);
  EXPECT_EQ(refunded.body, R"({"lease":"l42","refunded_units":0.35})");
  answer_with(host, with(Result::kUnknownLease));
  EXPECT_EQ(host.post("/v1/leases/l42/refund", "").status, 404);
}

TEST(ApiLeases, ARefundNeedsAnIdTheMethodAndTheType) {
  ApiHost host;
  for (const char* path :
       {"/v1/leases/42/refund", "/v1/leases/l0/refund", "/v1/leases/l042/refund",
        "/v1/leases/l99999999999999999999/refund", "/v1/leases//refund", "/v1/leases/refund",
        "/v1/leases/l1", "/v1/leases/l1/l2/refund", "/v1/leases/l1/refund/"}) {
    EXPECT_EQ(host.post(path, "").status, 404) << path;
  }
  EXPECT_EQ(host.get("/v1/leases/l42/refund").status, 405);
  const RawResponse untyped =
      host.ask("POST /v1/leases/l42/refund HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(untyped.status, 415);
}

}  // namespace
}  // namespace weir::test
