// SPDX-License-Identifier: Apache-2.0
//
// /v1/templates: saved, read, listed, removed, and each refusal.

#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RawResponse put(ApiHost& host, const std::string& path, const std::string& json) {
  return host.ask("PUT " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
                  "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json);
}

Template sample() {
  Template one;
  one.id = "welcome";
  one.body = "Hi {{name}}";
  one.class_name = "promotional";
  one.sender = "SHOP";
  one.params = {{"dltTemplateId", "1007"}};
  one.max_chars = {{"name", 10}};
  one.max_segments = 2;
  return one;
}

constexpr const char* kSample =
    R"({"id":"welcome","body":"Hi {{name}}","class":"promotional","sender":"SHOP",)"
    R"("params":{"dltTemplateId":"1007"},"variables":[{"name":"name","max_chars":10}],)"
    R"("max_segments":2,"smart":false,"cost":{)"
    R"("shortest":{"encoding":"GSM7","units":3,"segments":1,"remaining":157,"cost_units":1},)"
    R"("longest_gsm7":{"encoding":"GSM7","units":13,"segments":1,"remaining":147,"cost_units":1},)"
    R"("longest_ucs2":{"encoding":"UCS2","units":13,"segments":1,"remaining":57,"cost_units":1}}})";

TEST(ApiTemplates, GoldenTemplate) {
  ApiHost host;
  host.templates.emplace("welcome", sample());
  const RawResponse response = host.get("/v1/templates/welcome");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, kSample);
  EXPECT_EQ(host.get("/v1/templates").body, std::string("{\"templates\":[") + kSample + "]}");
}

TEST(ApiTemplates, SavingHandsOverEveryFieldAndAnswersAsReading) {
  ApiHost host;
  Template saved;
  host.on_put_template = [&](RequestId request, Template one) {
    saved = one;
    host.api().answer(AnswerTemplate{request, AnswerTemplate::Result::kStored, std::move(one)});
  };
  const RawResponse response =
      put(host, "/v1/templates/welcome",
          R"({"body":"Hi {{name}}","class":"promotional","sender":"SHOP","max_segments":2,)"
          R"("params":{"dltTemplateId":"1007"},"max_chars":{"name":10}})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, kSample);
  EXPECT_EQ(saved.id, "welcome");
  EXPECT_THAT(saved.max_chars, ElementsAre(std::pair("name", 10)));
}

TEST(ApiTemplates, WrongFieldsAreNamedAndNothingIsSaved) {
  ApiHost host;
  struct Row {
    const char* json;
    const char* pointer;
  };
  const Row rows[] = {
      {R"({})", "/body"},
      {R"({"body":"x","max_chars":{"a":0}})", "/max_chars/a"},
      {R"({"body":"x","max_chars":{"a":1001}})", "/max_chars/a"},
      {R"({"body":"x","max_chars":{"a":"5"}})", "/max_chars/a"},
      {R"({"body":"x","max_chars":{"a":5,"a":6}})", "/max_chars/a"},
      {R"({"body":"x","max_chars":[5]})", "/max_chars"},
      {R"({"body":"x","max_chars":5})", "/max_chars"},
      {R"({"body":"x","max_segments":-1})", "/max_segments"},
      {R"({"body":"x","smart":1})", "/smart"},
      {R"({"body":"x","id":"y"})", "/id"},
  };
  for (const Row& row : rows) {
    const RawResponse response = put(host, "/v1/templates/a", row.json);
    EXPECT_EQ(response.status, 422) << row.json;
    EXPECT_THAT(response.body,
                HasSubstr(std::string("\"errors\":[{\"pointer\":\"") + row.pointer + "\""))
        << row.json;
  }
}

TEST(ApiTemplates, RemovingAnswersWithoutABodyAndTheConnectionGoesOn) {
  ApiHost host;
  host.on_drop_template = [&](RequestId request, std::string id) {
    EXPECT_EQ(id, "welcome");
    host.api().answer(AnswerTemplate{request, AnswerTemplate::Result::kRemoved, {}});
  };
  RawClient client = host.connect();
  const auto removed = client.ask("DELETE /v1/templates/welcome HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(removed.has_value());
  EXPECT_EQ(removed->status, 204);
  EXPECT_EQ(removed->header("content-length"), "");
  EXPECT_EQ(client.ask("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")->status, 200);
}

TEST(ApiTemplates, WhatIsNotThereIs404AndADiskThatFailsIs503) {
  ApiHost host;
  EXPECT_EQ(host.get("/v1/templates/none").status, 404);
  AnswerTemplate::Result result = AnswerTemplate::Result::kNone;
  host.on_drop_template = [&](RequestId request, const std::string&) {
    host.api().answer(AnswerTemplate{request, result, {}});
  };
  const std::string remove = "DELETE /v1/templates/none HTTP/1.1\r\nHost: x\r\n\r\n";
  EXPECT_EQ(host.ask(remove).status, 404);
  result = AnswerTemplate::Result::kFailed;
  const RawResponse failed = host.ask(remove);
  EXPECT_EQ(failed.status, 503);
  EXPECT_EQ(failed.header("retry-after"), "1");
  EXPECT_THAT(failed.body, HasSubstr("store_unavailable"));
}

}  // namespace
}  // namespace weir::test
