// SPDX-License-Identifier: Apache-2.0
//
// POST /v1/cost.

#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

TEST(ApiCost, GoldenPlainBody) {
  ApiHost host;
  const RawResponse response = host.post("/v1/cost", R"({"body":"Hello"})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body,
            R"({"encoding":"GSM7","units":5,"segments":1,"remaining":155,"fit":"whole",)"
            R"("needed_segments":1,"recipients":1,"cost_units":1,"causes":[],"causes_total":0,)"
            R"("summary":"","rewrite":null,"duplicates":[],"invalid":[]})");
}

TEST(ApiCost, ABodyThatLeftGsm7IsExplainedAndRewritten) {
  ApiHost host;
  host.engine.weight = Units::from_micro(350'000);
  const RawResponse response =
      host.post("/v1/cost", "{\"body\":\"Don\xe2\x80\x99t miss out\",\"recipients\":10}");
  ASSERT_EQ(response.status, 200);
  const boost::json::value json = boost::json::parse(response.body);
  EXPECT_EQ(json.at("encoding"), "UCS2");
  EXPECT_EQ(json.at("units"), 14);
  EXPECT_EQ(json.at("remaining"), 56);
  EXPECT_EQ(json.at("recipients"), 10);
  EXPECT_THAT(response.body, HasSubstr("\"cost_units\":3.5,"));
  EXPECT_EQ(json.at("causes_total"), 1);
  const boost::json::value& cause = json.at("causes").at(0);
  EXPECT_EQ(cause.at("index"), 3);
  EXPECT_EQ(cause.at("byte_offset"), 3);
  EXPECT_EQ(cause.at("char"), "\xe2\x80\x99");
  EXPECT_EQ(cause.at("code_point"), "U+2019");
  EXPECT_EQ(cause.at("name"), "curly apostrophe");
  const boost::json::value& rewrite = json.at("rewrite");
  EXPECT_EQ(rewrite.at("text"), "Don't miss out");
  EXPECT_EQ(rewrite.at("replaced"), 1);
  EXPECT_EQ(rewrite.at("encoding"), "GSM7");
  EXPECT_EQ(rewrite.at("remaining"), 146);
  EXPECT_FALSE(json.at("summary").as_string().empty());
}

TEST(ApiCost, RecipientsAreCountedAsASubmissionWouldCountThem) {
  ApiHost host;
  const RawResponse response = host.post(
      "/v1/cost", R"({"body":"Hi","to":["+919876543210","+91 98765 43210","12","+14155550123"]})");
  ASSERT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr(R"("recipients":2,"cost_units":2,)"));
  EXPECT_THAT(response.body, HasSubstr(R"("duplicates":[1],"invalid":[{"pointer":"/to/2",)"));
}

TEST(ApiCost, ABodyOfTooManySegmentsIsPricedAndSaysSo) {
  ApiHost host;
  const RawResponse response =
      host.post("/v1/cost", R"({"body":")" + std::string(153 * 300, 'a') + R"("})");
  ASSERT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr(R"("fit":"too_long","needed_segments":300,)"));
}

TEST(ApiCost, WrongQuestionsAreNamed) {
  ApiHost host;
  struct Row {
    std::string json;
    const char* pointer;
  };
  const Row rows[] = {
      {R"({})", "/body"},
      {R"({"body":7})", "/body"},
      {R"({"body":"x","recipients":-1})", "/recipients"},
      {R"({"body":"x","recipients":1.5})", "/recipients"},
      {R"({"body":"x","recipients":100000001})", "/recipients"},
      {R"({"body":"x","recipients":1,"to":"1"})", "/recipients"},
      {R"({"body":"x","class":"otp"})", "/class"},
  };
  for (const Row& row : rows) {
    const RawResponse response = host.post("/v1/cost", row.json);
    EXPECT_EQ(response.status, 422) << row.json;
    EXPECT_THAT(response.body,
                HasSubstr(std::string("\"errors\":[{\"pointer\":\"") + row.pointer + "\""))
        << row.json;
  }
  EXPECT_EQ(host.post("/v1/cost", "[").status, 400);
}

// A price that no integer holds is refused instead of computed.
TEST(ApiCost, APriceBeyondAnyIsRefused) {
  ApiHost host;
  host.engine.counting.past_max = PastMax::kReject;
  host.engine.weight = Units::of(1'000'000);
  const RawResponse response = host.post(
      "/v1/cost", R"({"body":")" + std::string(200, 'a') + R"(","recipients":100000000})");
  EXPECT_EQ(response.status, 422);
  EXPECT_THAT(response.body, HasSubstr("beyond any price"));
}

TEST(ApiCost, AnEmptyBodyHasAPriceToo) {
  ApiHost host;
  const RawResponse response = host.post("/v1/cost", R"({"body":"","recipients":0})");
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr(R"("units":0,"segments":1,)"));
  EXPECT_THAT(response.body, HasSubstr(R"("recipients":0,"cost_units":0,)"));
}

}  // namespace
}  // namespace weir::test
