// SPDX-License-Identifier: Apache-2.0

#include "shim/front/submission_json.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::variant<Submission, Problem> read(const std::string& json,
                                       std::vector<std::string> header_keys = {}) {
  HttpRequest request;
  request.body = json;
  for (std::string& key : header_keys) {
    request.headers.emplace_back("idempotency-key", std::move(key));
  }
  return read_submission(request, EngineOptions{});
}

Submission submission(const std::string& json, std::vector<std::string> header_keys = {}) {
  auto result = read(json, std::move(header_keys));
  if (auto* problem = std::get_if<Problem>(&result)) {
    ADD_FAILURE() << problem->detail;
    return {};
  }
  return std::get<Submission>(std::move(result));
}

std::vector<std::string> wrong_fields(const std::string& json,
                                      std::vector<std::string> header_keys = {}) {
  auto result = read(json, std::move(header_keys));
  std::vector<std::string> pointers;
  const auto* problem = std::get_if<Problem>(&result);
  if (problem == nullptr) return pointers;
  EXPECT_EQ(problem->code, "invalid");
  for (const FieldError& error : problem->errors)
    pointers.push_back(error.pointer);
  return pointers;
}

TEST(SubmissionJson, ReadsEveryField) {
  const Submission read = submission(R"({
    "class": "appointment_reminder", "to": ["+919876543210", "9876543211"], "body": "See you",
    "sender": "CLINIC", "key": "visit-7", "deadline": "2030-01-31T18:30:00Z",
    "event_at": "2030-01-31T19:00:00Z", "session_expires_at": "2030-02-01T00:00:00Z",
    "not_before": "2030-01-31T08:00:00Z", "priority": 0, "tag": "january", "test": true,
    "params": {"dltTemplateId": "1107", "x": ""}})");
  EXPECT_EQ(read.class_name, "appointment_reminder");
  EXPECT_THAT(read.to, ElementsAre("+919876543210", "9876543211"));
  EXPECT_EQ(read.body, "See you");
  EXPECT_EQ(read.sender, "CLINIC");
  EXPECT_EQ(read.key, "visit-7");
  EXPECT_EQ(read.deadline, WallTime::from_unix_ms(1'896'114'600'000));
  EXPECT_EQ(read.event_at, WallTime::from_unix_ms(1'896'116'400'000));
  EXPECT_EQ(read.session_expires_at, WallTime::from_unix_ms(1'896'134'400'000));
  EXPECT_EQ(read.not_before, WallTime::from_unix_ms(1'896'076'800'000));
  EXPECT_EQ(read.priority, 0);
  EXPECT_EQ(read.tag, "january");
  EXPECT_TRUE(read.test);
  EXPECT_THAT(read.params, ElementsAre(std::pair("dltTemplateId", "1107"), std::pair("x", "")));
}

TEST(SubmissionJson, LeavesDefaultsWhereNothingIsSaid) {
  const Submission read = submission(R"({"class":"otp","to":"+919876543210","body":"1"})");
  EXPECT_THAT(read.to, ElementsAre("+919876543210"));
  EXPECT_EQ(read.key, "");
  EXPECT_EQ(read.priority, kDefaultPriority);
  EXPECT_FALSE(read.deadline);
  EXPECT_FALSE(read.test);
}

TEST(SubmissionJson, NamesAllWrongFieldsAtOnce) {
  EXPECT_THAT(wrong_fields(R"({"clas":"otp","to":[],"body":"","priority":10,"deadline":"soon",
                               "test":"no","params":{"a":1},"to":"x"})"),
              ElementsAre("/clas", "/priority", "/deadline", "/test", "/params/a", "/to", "/class",
                          "/body"));
}

TEST(SubmissionJson, ClassToAndBodyMustBeThereAndFilled) {
  EXPECT_THAT(wrong_fields("{}"), UnorderedElementsAre("/class", "/to", "/body"));
  EXPECT_THAT(wrong_fields(R"({"class":"","to":"","body":""})"),
              UnorderedElementsAre("/class", "/to", "/body"));
  EXPECT_THAT(wrong_fields(R"({"class":"c","to":[],"body":"b"})"), ElementsAre("/to"));
}

TEST(SubmissionJson, ATemplateStandsForTheBodyAndMayForTheClass) {
  const Submission read =
      submission(R"({"template":"diwali","vars":{"name":"Asha","code":"4711"},"to":"1"})");
  EXPECT_EQ(read.template_id, "diwali");
  EXPECT_THAT(read.vars, ElementsAre(std::pair("name", "Asha"), std::pair("code", "4711")));
  EXPECT_EQ(read.class_name, "");
  EXPECT_EQ(read.body, "");
  EXPECT_THAT(wrong_fields(R"({"template":"diwali","vars":{"name":1},"to":"1"})"),
              ElementsAre("/vars/name"));
  EXPECT_THAT(wrong_fields(R"({"template":"","to":"1"})"), UnorderedElementsAre("/class", "/body"));
}

TEST(SubmissionJson, TheListOfRecipientsIsBoundedBeforeItIsKept) {
  std::string json = R"({"class":"promotional","body":"b","to":[""])";
  json.pop_back();
  for (uint32_t i = 0; i < EngineOptions{}.max_recipients; ++i)
    json += ",\"\"";
  EXPECT_THAT(wrong_fields(json + "]}"), ElementsAre("/to"));
}

constexpr const char* kKeyless = R"({"class":"otp","to":"1","body":"b"})";
constexpr const char* kKeyed = R"({"class":"otp","to":"1","body":"b","key":"k1"})";

TEST(SubmissionJson, TheKeyMayStandInTheHeader) {
  EXPECT_EQ(submission(kKeyless, {"k1"}).key, "k1");
  EXPECT_EQ(submission(kKeyless, {"\"k1\""}).key, "k1");
  EXPECT_EQ(submission(kKeyless, {R"("a \"b\" \\c")"}).key, R"(a "b" \c)");
  EXPECT_EQ(submission(kKeyed, {"k1"}).key, "k1");
  EXPECT_EQ(submission(kKeyed, {"\"k1\""}).key, "k1");
  EXPECT_EQ(submission(kKeyed).key, "k1");
}

TEST(SubmissionJson, TwoDifferentKeysOrAnUnreadableOneAreRefused) {
  EXPECT_THAT(wrong_fields(kKeyed, {"k2"}), ElementsAre("/key"));
  EXPECT_THAT(wrong_fields(kKeyless, {"k1", "k1"}), ElementsAre("/key"));
  for (const char* value : {"", "\"\"", "\"open", "\"a\"b", "\"a\\", "k\xc3\xa9y", "\ttab"}) {
    EXPECT_THAT(wrong_fields(kKeyless, {value}), ElementsAre("/key")) << value;
  }
}

TEST(SubmissionJson, WhatIsNoJsonIsMalformed) {
  const auto result = read("{\"class\":");
  ASSERT_TRUE(std::holds_alternative<Problem>(result));
  EXPECT_EQ(std::get<Problem>(result).code, "malformed");
  EXPECT_THAT(std::get<Problem>(result).detail, HasSubstr("at byte 9"));
}

}  // namespace
}  // namespace weir
