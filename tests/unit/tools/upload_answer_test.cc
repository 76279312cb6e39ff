// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/upload_answer.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/weir/commands.h"
#include "tools/weir/send_summary.h"

namespace weir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kRefusal =
    R"({"line":7,"key":"k","code":"invalid","detail":"1 field is wrong",)"
    R"("errors":[{"pointer":"/to/0","detail":"has 3 digits"}]})"
    "\n";

std::string refusal(int line, const std::string& code) {
  return R"({"line":)" + std::to_string(line) + R"(,"key":"k","code":")" + code +
         R"(","detail":"d","errors":[]})" + "\n";
}

std::string summary(const std::string& stopped_by = "null") {
  return R"({"complete":)" + std::string(stopped_by == "null" ? "true" : "false") +
         R"(,"stopped_by":)" + stopped_by +
         R"(,"lines":9,"accepted":4,"replayed":2,"refused":1,"recipients":6,"cost_units":6.5})"
         "\n";
}

int code_for(const std::string& text) {
  UploadAnswer answer(nullptr);
  answer.feed(text);
  answer.end();
  return exit_code_of(answer);
}

TEST(UploadAnswer, CountsAndKeepsTheFirstAndWritesAll) {
  std::ostringstream all;
  UploadAnswer answer(&all);
  answer.refuse({2, "malformed", "the row has 1 field"});
  for (int line = 10; line < 30; ++line)
    answer.feed(refusal(line, "invalid"));
  answer.feed(summary());
  answer.end();
  EXPECT_EQ(answer.refused(), 21U);
  EXPECT_EQ(answer.shown().size(), UploadAnswer::kMostShown);
  ASSERT_TRUE(answer.summary());
  const std::string written = all.str();
  EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), 21);
  EXPECT_THAT(written, HasSubstr(R"({"line":2,"key":"","code":"malformed",)"));
  const std::string text = summary_text({"diwali", 9, Duration::millis(1500)}, answer);
  EXPECT_THAT(text, HasSubstr("accepted     4\n"));
  EXPECT_THAT(text, HasSubstr("replayed     2  duplicates"));
  EXPECT_THAT(text, HasSubstr("refused      21\n"));
  EXPECT_THAT(text, HasSubstr("cost_units   6.5"));
  EXPECT_THAT(text, HasSubstr("  line 2  malformed: the row has 1 field\n"));
  EXPECT_THAT(text, HasSubstr("and 16 more; --refused FILE"));
}

TEST(UploadAnswer, TheSameHoweverItIsCut) {
  const std::string text = std::string(kRefusal) + summary();
  for (size_t piece = 1; piece < text.size(); ++piece) {
    UploadAnswer answer(nullptr);
    for (size_t begin = 0; begin < text.size(); begin += piece)
      answer.feed(std::string_view(text).substr(begin, piece));
    answer.end();
    EXPECT_EQ(answer.refused(), 1U);
    EXPECT_TRUE(answer.summary());
  }
}

TEST(UploadAnswer, ARefusalNamesLineKeyAndField) {
  UploadAnswer answer(nullptr);
  answer.feed(kRefusal);
  EXPECT_EQ(refusal_words(answer.shown().at(0)),
            "line 7  k  invalid: 1 field is wrong; /to/0 has 3 digits");
}

TEST(UploadAnswer, AProblemInPlaceOfAnAnswerIsKept) {
  UploadAnswer answer(nullptr);
  answer.feed(R"({"code":"unauthorized","detail":"no"})");
  answer.end();
  EXPECT_FALSE(answer.summary());
  EXPECT_THAT(answer.other(), HasSubstr("unauthorized"));
}

TEST(UploadAnswer, ALineThatNeverEndsIsBounded) {
  UploadAnswer answer(nullptr);
  const std::string piece(100'000, 'x');
  for (int i = 0; i < 50; ++i)
    answer.feed(piece);
  answer.end();
  EXPECT_LE(answer.other().size(), UploadAnswer::kMostAnswerLine + 1);
}

TEST(UploadAnswer, ExitCodesTellAScriptWhatToDo) {
  EXPECT_EQ(code_for(summary()), kDone);
  EXPECT_EQ(code_for(refusal(1, "invalid") + summary()), kFailed);
  EXPECT_EQ(code_for(refusal(1, "lane_draining") + summary()), kTryLater);
  EXPECT_EQ(code_for(refusal(1, "invalid") + refusal(2, "deadline_unreachable") + summary()),
            kTryLater);
  for (const char* by : {"\"draining\"", "\"lane_draining\"", "\"class_draining\""})
    EXPECT_EQ(code_for(summary(by)), kTryLater) << by;
  EXPECT_EQ(code_for(summary("\"too_large\"")), kFailed);
}

TEST(UploadAnswer, OneThatEndedEarlySaysWhatToDo) {
  UploadAnswer answer(nullptr);
  answer.feed(summary("\"draining\""));
  EXPECT_THAT(summary_text({}, answer), HasSubstr("run the same command again"));
  UploadAnswer whole(nullptr);
  whole.feed(summary());
  EXPECT_THAT(summary_text({}, whole), Not(HasSubstr("again")));
}

}  // namespace
}  // namespace weir
