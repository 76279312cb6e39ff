// SPDX-License-Identifier: Apache-2.0
//
// /v1/acquire and /v1/leases: what is handed over, each answer, and each refusal.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;
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
