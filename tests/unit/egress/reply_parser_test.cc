// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/reply_parser.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Profile profile() {
  Profile profile;
  profile.code_at = {"/code", "/response/code"};
  profile.ref_at = {"/transactionId", "/response/transactionId"};
  profile.rejected_at = {"/invalidMobile", "/response/invalidMobile"};
  return profile;
}

TEST(ReplyParser, ReadsAFlatReply) {
  const auto reply =
      parse_reply(profile(), R"({"status":"success","transactionId":"7316519848",)"
                             R"("invalidMobile":"919876,+919811112222","code":"200"})");
  EXPECT_THAT(reply.fault, IsEmpty());
  EXPECT_EQ(reply.code, "200");
  EXPECT_EQ(reply.gateway_ref, "7316519848");
  EXPECT_THAT(reply.rejected, ElementsAre(Recipient{919876}, Recipient{919811112222}));
}

TEST(ReplyParser, ReadsAReplyInItsEnvelope) {
  const auto reply =
      parse_reply(profile(), R"({"response":{"api":"send","action":"send","status":"error",)"
                             R"("msg":"DLT template does not match","code":"188","count":0}})");
  EXPECT_THAT(reply.fault, IsEmpty());
  EXPECT_EQ(reply.code, "188");
  EXPECT_THAT(reply.gateway_ref, IsEmpty());
  EXPECT_THAT(reply.rejected, IsEmpty());
}

TEST(ReplyParser, TakesWholeNumbersAsTexts) {
  const auto reply = parse_reply(profile(), R"({"code":200,"transactionId":18446744073709551615})");
  EXPECT_EQ(reply.code, "200");
  EXPECT_EQ(reply.gateway_ref, "18446744073709551615");
}

TEST(ReplyParser, TheFirstPointerThatFindsSomethingCounts) {
  const auto reply =
      parse_reply(profile(), R"({"code":null,"transactionId":"","response":{"code":"200",)"
                             R"("transactionId":"b"}})");
  EXPECT_EQ(reply.code, "200");
  EXPECT_EQ(reply.gateway_ref, "b");
}

TEST(ReplyParser, ReadsRejectedNumbersOfEveryShape) {
  const auto numbers = [](const std::string& value) {
    return parse_reply(profile(), R"({"code":"200","invalidMobile":)" + value + "}").rejected;
  };
  EXPECT_THAT(numbers(R"([919876543210,"+919811112222"])"),
              ElementsAre(Recipient{919876543210}, Recipient{919811112222}));
  EXPECT_THAT(numbers(R"("919876543210; 919811112222 , 7")"),
              ElementsAre(Recipient{919876543210}, Recipient{919811112222}, Recipient{7}));
  EXPECT_THAT(numbers("919876543210"), ElementsAre(Recipient{919876543210}));
  EXPECT_THAT(numbers(R"("")"), IsEmpty());
  EXPECT_THAT(numbers("null"), IsEmpty());
  // What is no number is passed over, and so is one that no recipient can have.
  EXPECT_THAT(numbers(R"(["none",-1,1.5,"12x","1234567890123456",{"a":1},[2],"+",8])"),
              ElementsAre(Recipient{8}));
}

struct Bad {
  const char* name;
  std::string body;
  const char* fault;
};

class MisshapenReply : public testing::TestWithParam<Bad> {};

TEST_P(MisshapenReply, IsNotComplete) {
  const auto reply = parse_reply(profile(), GetParam().body);
  EXPECT_THAT(std::string(reply.fault), HasSubstr(GetParam().fault));
  EXPECT_THAT(reply.code, IsEmpty());
  EXPECT_THAT(reply.gateway_ref, IsEmpty());
  EXPECT_THAT(reply.rejected, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Table, MisshapenReply,
    testing::Values(Bad{"Empty", "", "not JSON"}, Bad{"Html", "<html>502</html>", "not JSON"},
                    Bad{"Cut", R"({"code":"200")", "not JSON"},
                    Bad{"TwoReplies", R"({"code":"200"}{"code":"200"})", "not JSON"},
                    Bad{"BadUtf8", "{\"code\":\"\xff\"}", "not JSON"},
                    Bad{"Deep", std::string(100'000, '['), "not JSON"},
                    Bad{"Array", R"([{"code":"200"}])", "no object"},
                    Bad{"Text", R"("200")", "no object"},
                    Bad{"Elsewhere", R"({"status":"success","data":{"code":"200"}})", "nothing"},
                    Bad{"EmptyCode", R"({"code":""})", "nothing"},
                    Bad{"CodeIsAnObject", R"({"code":{"code":"200"}})", "nothing"},
                    Bad{"CodeIsAFraction", R"({"code":200.5})", "nothing"},
                    Bad{"CodeTooLong", R"({"code":")" + std::string(257, 'x') + R"("})",
                        "nothing"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ReplyParser, AProfilesOwnPlacesAreFollowed) {
  Profile other;
  other.ref_at = {"/messages/0/message~1id"};
  const auto reply = parse_reply(other, R"({"messages":[{"message/id":"m-1"}],"code":"200"})");
  EXPECT_THAT(reply.fault, IsEmpty());
  EXPECT_EQ(reply.gateway_ref, "m-1");
  EXPECT_THAT(reply.code, IsEmpty());
}

TEST(JsonPointer, IsToldFromOtherTexts) {
  for (const char* good : {"", "/", "/code", "/a/0/b", "/a~0b~1c"}) {
    EXPECT_TRUE(is_json_pointer(good)) << good;
  }
  for (const char* bad : {"code", "a/b", "/a~2", "/a~"}) {
    EXPECT_FALSE(is_json_pointer(bad)) << bad;
  }
}

}  // namespace
}  // namespace weir
