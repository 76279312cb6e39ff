// SPDX-License-Identifier: Apache-2.0
//
// Keys on the wire: who is let in where, and what the engine is told of who asks.

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kMessage = R"({"class":"otp","to":"+919876543210","body":"x"})";
const std::string kShop = "Authorization: Bearer shop-0123456789abcdef\r\n";
const std::string kAdmin = "Authorization: Bearer admin-0123456789abcdef\r\n";
const std::string kWrong = "Authorization: Bearer wrong-0123456789abcdef\r\n";

ApiOptions with_keys(bool require_key) {
  ApiOptions options;
  options.keys = {"shop-0123456789abcdef", "admin-0123456789abcdef"};
  options.require_key = require_key;
  return options;
}

EngineOptions two_producers() {
  EngineOptions engine;
  engine.producers.resize(2);
  engine.producers[0].name = "shop";
  engine.producers[1].name = "admin";
  engine.producers[1].admin = true;
  return engine;
}

class KeyedHost : public ApiHost {
 public:
  explicit KeyedHost(bool require_key) : ApiHost(with_keys(require_key), two_producers()) {}

  RawResponse get_as(const std::string& path, const std::string& field) {
    return ask("GET " + path + " HTTP/1.1\r\nHost: x\r\n" + field + "\r\n");
  }
};

TEST(ApiProducers, WithoutAKeyOrWithAWrongOneItIs401AndSaysHow) {
  KeyedHost host(true);
  for (const std::string& field : {std::string(), kWrong}) {
    const RawResponse no = host.post("/v1/messages", kMessage, field);
    EXPECT_EQ(no.status, 401);
    EXPECT_EQ(no.header("www-authenticate"), "Bearer");
    EXPECT_THAT(no.body, HasSubstr(R"("code":"unauthorized")"));
    EXPECT_THAT(no.body, Not(HasSubstr("0123456789")));
    EXPECT_EQ(host.get_as("/v1/lanes", field).status, 401);
    EXPECT_EQ(host.get_as("/metrics", field).status, 401);
    EXPECT_EQ(host.get_as("/openapi.yaml", field).status, 401);
    EXPECT_EQ(host.get_as("/healthz", field).status, 200);
    EXPECT_NE(host.get_as("/readyz", field).status, 401);
  }
}

TEST(ApiProducers, OnLoopbackNoKeyIsAnOperatorAndAWrongOneIsNobody) {
  KeyedHost host(false);
  EXPECT_EQ(host.get_as("/v1/lanes", "").status, 200);
  EXPECT_EQ(host.get_as("/v1/lanes", kWrong).status, 401);
}

TEST(ApiProducers, AreForProducersOrForOperators) {
  KeyedHost host(true);
  for (const char* path : {"/v1/pressure", "/metrics", "/openapi.yaml"})
    EXPECT_EQ(host.get_as(path, kShop).status, 200) << path;
  EXPECT_EQ(host.post("/v1/cost", R"({"body":"x"})", kShop).status, 200);
  for (const char* path : {"/v1/lanes", "/v1/messages", "/v1/templates", "/v1/templates/x",
                           "/v1/rate/history", "/v1/shadow", "/v1/db", "/v1/quarantine"}) {
    const RawResponse no = host.get_as(path, kShop);
    EXPECT_EQ(no.status, 403) << path;
    EXPECT_THAT(no.body, HasSubstr(R"("code":"not_allowed")")) << path;
  }
  for (const char* path : {"/v1/messages/m1/resolve", "/v1/db/backup", "/v1/db/check",
                           "/v1/db/compact", "/v1/quarantine/release"}) {
    EXPECT_EQ(host.post(path, "{}", kShop).status, 403) << path;
  }
  EXPECT_EQ(host.get_as("/v1/lanes", kAdmin).status, 200);
  EXPECT_EQ(host.get_as("/v1/templates", kAdmin).status, 200);
}

TEST(ApiProducers, TheEngineIsToldWhoHandsIn) {
  KeyedHost host(false);
  host.on_submit = [&](RequestId request, const Submission& submission) {
    Refusal over;
    over.code = RefusalCode::kOverQuota;
    over.retry_after = Duration::millis(1'001);
    if (submission.producer == kNoProducer) over.code = RefusalCode::kClassNotAllowed;
    host.api().answer(Refuse{request, over});
  };
  const RawResponse over = host.post("/v1/messages", kMessage, kShop);
  EXPECT_EQ(host.submitted->producer, ProducerId{0});
  EXPECT_EQ(over.status, 429);
  EXPECT_EQ(over.header("retry-after"), "2");
  EXPECT_THAT(over.body, HasSubstr(R"("retry_after_ms":1001)"));
  host.post("/v1/messages", kMessage, kAdmin);
  EXPECT_EQ(host.submitted->producer, ProducerId{1});
  const RawResponse no = host.post("/v1/messages", kMessage);
  EXPECT_EQ(host.submitted->producer, kNoProducer);
  EXPECT_EQ(no.status, 403);
  EXPECT_EQ(no.header("retry-after"), "");
}

TEST(ApiProducers, TheEngineIsToldWhoAsksForUnitsAndGivesThemBack) {
  KeyedHost host(false);
  ProducerId asked = kNoProducer;
  host.on_acquire = [&](const AcquireRequested& one) {
    asked = one.producer;
    AnswerLease yes;
    yes.request = one.request;
    yes.result = AnswerLease::Result::kGranted;
    yes.lease = LeaseId{17};
    host.api().answer(yes);
  };
  host.on_refund = [&](RefundRequested one) {
    asked = one.producer;
    AnswerLease none;
    none.request = one.request;
    none.result = AnswerLease::Result::kUnknownLease;
    host.api().answer(none);
  };
  host.post("/v1/acquire", R"({"class":"otp","cost_units":1})", kShop);
  EXPECT_EQ(asked, ProducerId{0});
  asked = kNoProducer;
  host.post("/v1/leases/l17/refund", "{}", kShop);
  EXPECT_EQ(asked, ProducerId{0});
  host.post("/v1/leases/l17/refund", "{}", kAdmin);
  EXPECT_EQ(asked, kNoProducer) << "an operator gives back anybody's";
}

}  // namespace
}  // namespace weir::test
