// SPDX-License-Identifier: Apache-2.0
//
// weir list asks page after page, and for no more than it was asked for.
#include "tools/weir/message_pages.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Answers in turn, and keeps what was asked.
struct Pages {
  std::vector<std::string> answers;
  std::vector<std::string> asked;

  MessagesFound find(const ListArgs& args) {
    return find_messages(args, [this](const std::string& path, std::string& body) {
      asked.push_back(path);
      if (asked.size() > answers.size()) return kNotReachable;
      body = answers[asked.size() - 1];
      return kDone;
    });
  }
};

TEST(MessagePages, CursorsAreFollowedOverEmptyPagesToTheEnd) {
  Pages pages{
      {R"({"messages":[{"id":"m9"}],"next_cursor":"m9"})", R"({"messages":[],"next_cursor":"m5"})",
       R"({"messages":[{"id":"m2"}],"next_cursor":null})"},
      {}};
  const MessagesFound found = pages.find({});
  EXPECT_EQ(found.code, kDone);
  EXPECT_FALSE(found.more);
  ASSERT_EQ(found.messages.size(), 2u);
  EXPECT_EQ(found.messages[1].at("id").as_string(), "m2");
  EXPECT_THAT(pages.asked, ElementsAre("/v1/messages?limit=50", "/v1/messages?limit=49&cursor=m9",
                                       "/v1/messages?limit=49&cursor=m5"));
}

TEST(MessagePages, EndsWhenThereAreEnoughAndSaysThatThereMayBeMore) {
  Pages pages{{R"({"messages":[{"id":"m9"},{"id":"m8"}],"next_cursor":"m8"})"}, {}};
  ListArgs args;
  args.limit = 2;
  const MessagesFound found = pages.find(args);
  EXPECT_EQ(found.code, kDone);
  EXPECT_TRUE(found.more);
  EXPECT_EQ(found.messages.size(), 2u);
  EXPECT_EQ(pages.asked.size(), 1u);
}

TEST(MessagePages, APageAsksForWhatTheApiGivesAtMost) {
  Pages pages{{R"({"messages":[],"next_cursor":null})"}, {}};
  ListArgs args;
  args.limit = 1200;
  pages.find(args);
  EXPECT_THAT(pages.asked, ElementsAre("/v1/messages?limit=500"));
}

TEST(MessagePages, ConditionsAreEncodedAndHoldForEveryPage) {
  Pages pages{{R"({"messages":[],"next_cursor":"m5"})", R"({"messages":[],"next_cursor":null})"},
              {}};
  ListArgs args;
  args.state = "unknown";
  args.class_name = "otp";
  args.key = "a b&c+d";
  args.tag = "diwali";
  pages.find(args);
  ASSERT_EQ(pages.asked.size(), 2u);
  for (const std::string& path : pages.asked)
    EXPECT_THAT(path, HasSubstr("&state=unknown&class=otp&key=a%20b%26c%2Bd&tag=diwali"));
}

TEST(MessagePages, AFailureIsHandedOn) {
  Pages pages{{R"({"messages":[{"id":"m9"}],"next_cursor":"m9"})"}, {}};
  EXPECT_EQ(pages.find({}).code, kNotReachable);
}

TEST(MessagePages, ACursorThatDoesNotMoveAndWhatIsNoPageAreFailures) {
  Pages stuck{{R"({"messages":[],"next_cursor":"m5"})", R"({"messages":[],"next_cursor":"m5"})"},
              {}};
  EXPECT_EQ(stuck.find({}).code, kFailed);
  for (const char* body : {"", "[]", "{}", R"({"messages":7})"}) {
    Pages odd{{body}, {}};
    EXPECT_EQ(odd.find({}).code, kFailed) << body;
  }
}

}  // namespace
}  // namespace weir
