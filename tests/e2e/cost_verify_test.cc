// SPDX-License-Identifier: Apache-2.0
//
// weir cost verify, the real binary: it asks the fake gateway's price call and tells where the two
// count differently.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// 305 characters, 306 septets: divided by 153 it is 2 segments, but the bracket cannot be cut.
const std::string kStraddling = std::string(152, 'a') + "[" + std::string(152, 'a');

RigOptions disagreeing(const std::string& what) {
  RigOptions options;
  options.gateway = {"--latency", "0ms"};
  if (!what.empty()) options.gateway.insert(options.gateway.end(), {"--disagree", what});
  return options;
}

int verify(const Rig& rig, std::vector<std::string> more, std::string* output) {
  std::vector<std::string> arguments = {weir_binary(), "cost",   "verify", "--config",
                                        rig.config(),  "--rate", "20"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_to_end(arguments, output);
}

std::string file_of(const Rig& rig, const std::vector<std::string>& bodies) {
  const std::string path = rig.folder() + "/bodies";
  std::ofstream file(path);
  for (const std::string& body : bodies)
    file << json::serialize(json::value(body)) << '\n';
  return path;
}

TEST(CostVerify, AGatewayThatCountsAlikeAgreesOnEveryBody) {
  const Rig rig(disagreeing(""));
  const std::string path = file_of(rig, {"Your code is 4711", "Don’t miss out", "a\r\nb €",
                                         kStraddling, "😀 emoji & a=b+c%", std::string(161, 'x')});
  std::string output;
  EXPECT_EQ(verify(rig, {"--file", path, "--json-strings"}, &output), 0) << output;
  EXPECT_THAT(output, HasSubstr("6 of 6 asked: 6 agree, 0 differ"));
  EXPECT_THAT(output, Not(HasSubstr("differs")));
}

TEST(CostVerify, EveryDisagreementIsNamedAndEndsWithOne) {
  struct Row {
    const char* disagree;
    std::string body;
    const char* weir;
    const char* gateway;
    const char* differs;
  };
  const Row rows[] = {
      {"divided", kStraddling, "GSM7 +306 +3 ", "GSM7 +306 +2 ", "differs: credit"},
      {"gsm-as-unicode", "[ninety] " + std::string(90, 'x'), "GSM7 +101 +1 ", "UCS2 +99 +2 ",
       "differs: encoding length credit"},
      {"off-by-one", "हमारी दुकान", "UCS2 +11 +1 ", "UCS2 +11 +2 ", "differs: credit"},
  };
  for (const Row& row : rows) {
    const Rig rig(disagreeing(row.disagree));
    std::string output;
    const std::string path = file_of(rig, {row.body});
    EXPECT_EQ(verify(rig, {"--file", path, "--json-strings"}, &output), 1) << row.disagree;
    EXPECT_THAT(output, ContainsRegex(std::string("line 1 +") + row.weir + " +" + row.gateway));
    EXPECT_THAT(output, AllOf(HasSubstr(row.differs), HasSubstr("0 agree, 1 differ")));
  }
}

TEST(CostVerify, AsJsonEachBodyIsAnObjectOnALine) {
  const Rig rig(disagreeing("off-by-one"));
  std::string output;
  EXPECT_EQ(
      verify(rig, {"--file", file_of(rig, {"Hello world"}), "--json-strings", "--json"}, &output),
      1);
  const json::value row = json::parse(output.substr(0, output.find('\n')));
  EXPECT_EQ(row.at("body").as_string(), "line 1");
  EXPECT_EQ(row.at("weir"), json::parse(R"({"encoding":"GSM7","length":11,"segments":1,)"
                                        R"("remaining":149,"credit":1})"));
  EXPECT_EQ(row.at("gateway"), json::parse(R"({"encoding":"GSM7","length":11,)"
                                           R"("remaining":149,"credit":2})"));
  EXPECT_FALSE(row.at("agrees").as_bool());
  EXPECT_EQ(row.at("differs"), json::parse(R"(["credit"])"));
}

TEST(CostVerify, TheTemplatesOfTheRunningWeirAreAskedAtTheirLongest) {
  Rig rig(disagreeing("off-by-one"));
  rig.start_weir();
  ASSERT_EQ(rig.call("PUT", "/v1/templates/code",
                     R"({"body":"{{name}}: {{code}}","max_chars":{"code":6}})")
                .status,
            200);
  ASSERT_EQ(
      rig.call("PUT", "/v1/templates/curly", R"({"body":"It’s {{name}}","smart":true})").status,
      200);
  std::string output;
  EXPECT_EQ(verify(rig, {"--templates"}, &output), 1);
  // 30 letters by default, a colon, a space, 6 letters.
  EXPECT_THAT(output, ContainsRegex("template code +GSM7 +38 +1 +GSM7 +38 +2 "));
  // Rewritten as it would be when it is sent.
  EXPECT_THAT(output, ContainsRegex("template curly +GSM7 +35 +1 +GSM7 +35 +2 "));
}

TEST(CostVerify, AGatewayThatIsAwayEndsWithSixtyNine) {
  Rig rig(disagreeing(""));
  rig.stop_gateway();
  std::string output;
  EXPECT_EQ(verify(rig, {"--file", file_of(rig, {"a", "b"}), "--json-strings"}, &output), 69);
  EXPECT_THAT(output, AllOf(HasSubstr("no gateway answers at http://127.0.0.1:"),
                            HasSubstr("gateway.url"), HasSubstr("0 of 2 asked")));
}

TEST(CostVerify, AWrongKeyIsToldByTheGatewaysCodeAndNotAskedForEver) {
  RigOptions options = disagreeing("");
  // Any line but the rig's key.
  options.gateway.insert(options.gateway.end(), {"--api-key-file", WEIR_SOURCE_DIR "/STYLE.md"});
  const Rig rig(options);
  std::string output;
  EXPECT_EQ(verify(rig, {"--file", file_of(rig, {"a", "b", "c", "d"}), "--json-strings"}, &output),
            1);
  EXPECT_THAT(output, AllOf(HasSubstr("no price: HTTP 200, code 216"), HasSubstr("3 of 4 asked"),
                            Not(HasSubstr("demo-key"))));
}

TEST(CostVerify, ShowsTheFirstTwentyCharactersInOneLineAndNoMore) {
  const Rig rig(disagreeing(""));
  std::string output;
  EXPECT_EQ(
      verify(rig, {"--file", file_of(rig, {"éééééééééééééééééé\n😀Zsecret"}), "--json-strings"},
             &output),
      0);
  EXPECT_THAT(output, HasSubstr("éééééééééééééééééé 😀\n"));
  EXPECT_THAT(output, Not(HasSubstr("Z")));
}

TEST(CostVerify, WhatCannotBeAskedIsSaidBeforeAnyCall) {
  const Rig rig(disagreeing(""));
  std::string output;
  EXPECT_EQ(verify(rig, {}, &output), 2);
  EXPECT_THAT(output, HasSubstr("--file or --templates"));
  EXPECT_EQ(verify(rig, {"--file", rig.folder() + "/none"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("cannot be read"));
  const std::string path = rig.folder() + "/latin1";
  std::ofstream(path) << "good\nna\xEFve\n";
  EXPECT_EQ(verify(rig, {"--file", path}, &output), 2);
  EXPECT_THAT(output, AllOf(HasSubstr("line 2"), HasSubstr("byte 2"), Not(HasSubstr("agrees"))));
  EXPECT_EQ(verify(rig, {"--file", path, "--rate", "21"}, &output), 2);
}

TEST(CostVerify, AProfileWithoutAPriceSectionIsSaidSo) {
  const Rig rig(disagreeing(""));
  const std::string path = rig.folder() + "/profiles/smsgatewaycenter.yaml";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t price = text.find("\nprice:");
  ASSERT_NE(price, std::string::npos);
  std::ofstream(path) << text.substr(0, price + 1);
  std::string output;
  EXPECT_EQ(verify(rig, {"--file", file_of(rig, {"a"}), "--json-strings"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("no section price"));
}

}  // namespace
}  // namespace weir::test
