// SPDX-License-Identifier: Apache-2.0

#include "shim/front/problem.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Problem, ALaneThatSaysNoSaysItsPressureAndBothNumbers) {
  Refusal late;
  late.code = RefusalCode::kDeadlineUnreachable;
  late.retry_after = Duration::millis(1500);
  late.pressure = Pressure::kShed;
  late.predicted_wait = Duration::nanos(46'000'000'001);
  late.time_left = Duration::seconds(45);
  const HttpResponse response = problem_response(problem_of(std::move(late)));
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.headers, testing::Contains(std::pair("Weir-Pressure", "shed")));
  EXPECT_THAT(response.body,
              HasSubstr(R"("retry_after_ms":1500,"pressure":"shed","predicted_wait_ms":46001,)"
                        R"("time_left_ms":45000})"));
}

TEST(Problem, KnowsEveryRefusalOfTheEngineByNameAndStatus) {
  for (size_t i = 0; i < kRefusalCodes; ++i) {
    const auto code = static_cast<RefusalCode>(i);
    Refusal refusal;
    refusal.code = code;
    EXPECT_EQ(problem_response(problem_of(refusal)).status, http_status(code)) << name(code);
  }
}

// The documents list exactly the codes that there are.
TEST(Problem, EveryCodeIsExplainedInTheDocuments) {
  const std::string manual = text_of("shim/front/API.md");
  const std::string openapi = text_of("shim/front/openapi.yaml");
  size_t headings = 0;
  for (size_t at = manual.find("\n#### "); at != manual.npos; at = manual.find("\n#### ", at + 1)) {
    ++headings;
  }
  EXPECT_EQ(headings, problem_kinds().size());
  for (const ProblemKind& kind : problem_kinds()) {
    const std::string code(kind.code);
    EXPECT_THAT(manual, HasSubstr("\n#### " + code + "\n"));
    EXPECT_THAT(manual, HasSubstr("\n" + std::to_string(kind.status) + ". "));
    EXPECT_THAT(openapi, HasSubstr(code));
  }
}

TEST(Problem, GoldenAnswerWithFields) {
  const HttpResponse response = problem_response(
      {"invalid", "2 fields are wrong", {{"/class", "is missing"}, {"/to", "is empty"}}, {}});
  EXPECT_EQ(response.status, 422);
  EXPECT_EQ(response.content_type, "application/problem+json");
  EXPECT_TRUE(response.headers.empty());
  EXPECT_EQ(response.body,
            R"({"type":"/problems/invalid","title":"The request is not valid","status":422,)"
            R"("detail":"2 fields are wrong","code":"invalid","errors":[)"
            R"({"pointer":"/class","detail":"is missing"},)"
            R"({"pointer":"/to","detail":"is empty"}]})");
}

TEST(Problem, RetryAfterIsWholeSecondsRoundedUpAndExactInTheBody) {
  struct Row {
    std::optional<Duration> wait;
    const char* header;
    const char* body;
  };
  const Row rows[] = {
      {std::nullopt, "1", "\"retry_after_ms\":1000}"},
      {Duration::nanos(0), "1", "\"retry_after_ms\":0}"},
      {Duration::millis(1), "1", "\"retry_after_ms\":1}"},
      {Duration::nanos(1'000'001), "1", "\"retry_after_ms\":2}"},
      {Duration::millis(1000), "1", "\"retry_after_ms\":1000}"},
      {Duration::millis(1001), "2", "\"retry_after_ms\":1001}"},
      {Duration::millis(59'001), "60", "\"retry_after_ms\":59001}"},
  };
  for (const Row& row : rows) {
    const HttpResponse response = problem_response({"lane_full", "full", {}, row.wait});
    ASSERT_EQ(response.headers.size(), 1u);
    EXPECT_EQ(response.headers[0].first, "Retry-After");
    EXPECT_EQ(response.headers[0].second, row.header);
    EXPECT_THAT(response.body, HasSubstr(row.body));
  }
}

}  // namespace
}  // namespace weir
