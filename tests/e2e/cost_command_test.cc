// SPDX-License-Identifier: Apache-2.0
//
// weir cost, the real binary: what a text costs, why, and what is wrong with one that is no text.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class CostCommand : public ::testing::Test {
 protected:
  int cost(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {weir_binary(), "cost"});
    return run_to_end(arguments, &said);
  }

  // `weir cost -` with these lines.
  int cost_of_lines(const std::string& lines, const std::string& options) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("weir-lines-" + std::to_string(getpid())))
            .string();
    std::ofstream(path, std::ios::binary) << lines;
    const std::string script = "exec \"$0\" cost - " + options + " < \"$1\"";
    const int code = run_to_end({"/bin/sh", "-c", script, weir_binary(), path}, &said);
    std::filesystem::remove(path);
    return code;
  }

  std::vector<json::object> objects_said() const {
    std::vector<json::object> objects;
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);)
      objects.push_back(json::parse(line).as_object());
    return objects;
  }

  std::string said;  // by the last command
};

TEST_F(CostCommand, NamesTheApostropheThePriceWithAndWithoutAndTheRewrite) {
  EXPECT_EQ(cost({"Don’t miss out"}), 0);
  EXPECT_THAT(said, AllOf(HasSubstr("UCS2: 14 UTF-16 units in 1 segment"),
                          HasSubstr("character 4 (byte 3): U+2019 curly apostrophe"),
                          ContainsRegex("as written: 1 segment x 1 recipient = 1 unit"),
                          ContainsRegex("rewritten: +1 segment x 1 recipient = 1 unit"),
                          ContainsRegex("rewrite: +Don't miss out")));
}

TEST_F(CostCommand, ALongTextShowsWhatTheApostropheReallyCosts) {
  EXPECT_EQ(cost({"Don’t " + std::string(130, 'x')}), 0);
  EXPECT_THAT(said,
              AllOf(HasSubstr("1 curly apostrophe makes this 3 segments of UCS2 instead of 1 "
                              "of GSM7"),
                    HasSubstr("as written: 3 segments"), ContainsRegex("rewritten: +1 segment ")));
}

TEST_F(CostCommand, ATextThatNoRewriteCanBringBackHasNone) {
  EXPECT_EQ(cost({"Don’t 😀"}), 0);
  EXPECT_THAT(said, AllOf(HasSubstr("curly apostrophe"), HasSubstr("U+1F600"),
                          HasSubstr("no safe rewrite"), Not(HasSubstr("rewritten"))));
}

TEST_F(CostCommand, ToMultiplies) {
  EXPECT_EQ(cost({std::string(161, 'x'), "--to", "2500"}), 0);
  EXPECT_THAT(said, HasSubstr("2 segments x 2500 recipients = 5000 units"));
  EXPECT_EQ(cost({"x", "--to", "3", "--json"}), 0);
  EXPECT_EQ(objects_said().at(0).at("cost_units").to_number<double>(), 3);
  EXPECT_EQ(cost({"x", "--to", "9000000000000000000"}), 2);
}

TEST_F(CostCommand, JsonIsOneObjectALineWithEveryField) {
  EXPECT_EQ(cost_of_lines("Your code is 4711\n\nDon’t [miss] out\n", "--json"), 0);
  const std::vector<json::object> found = objects_said();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].at("encoding").as_string(), "GSM7");
  EXPECT_EQ(found[0].at("units").to_number<int>(), 17);
  EXPECT_EQ(found[0].at("segments").to_number<int>(), 1);
  EXPECT_EQ(found[0].at("remaining").to_number<int>(), 143);
  EXPECT_TRUE(found[0].at("causes").as_array().empty());
  EXPECT_TRUE(found[0].at("rewrite").is_null());
  EXPECT_EQ(found[1].at("units").to_number<int>(), 0);
  EXPECT_EQ(found[2].at("encoding").as_string(), "UCS2");
  EXPECT_EQ(found[2].at("remaining").to_number<int>(), 70 - 16);
  const json::object& cause = found[2].at("causes").as_array().at(0).as_object();
  EXPECT_EQ(cause.at("code_point").as_string(), "U+2019");
  EXPECT_EQ(cause.at("index").to_number<int>(), 3);
  const json::object& rewrite = found[2].at("rewrite").as_object();
  EXPECT_EQ(rewrite.at("text").as_string(), "Don't [miss] out");
  EXPECT_EQ(rewrite.at("units").to_number<int>(), 18);
}

TEST_F(CostCommand, JsonStringsCarryLineEndsAndWhatNoLineCanHold) {
  EXPECT_EQ(
      cost_of_lines("\"a\\r\\nb\"\n\"\\u0000\"\n\"\\ud83d\\ude00\"\n", "--json-strings --json"), 0);
  const std::vector<json::object> found = objects_said();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].at("encoding").as_string(), "GSM7");
  EXPECT_EQ(found[0].at("units").to_number<int>(), 4);
  EXPECT_EQ(found[1].at("encoding").as_string(), "UCS2");
  EXPECT_EQ(found[1].at("units").to_number<int>(), 1);
  EXPECT_EQ(found[2].at("units").to_number<int>(), 2);
}

TEST_F(CostCommand, InvalidUtf8IsRefusedWithTheByteAndTheLine) {
  EXPECT_EQ(cost({"na\xEFve"}), 2);
  EXPECT_THAT(said, HasSubstr("byte 2"));
  EXPECT_EQ(cost_of_lines("good\ncaf\xE9\n", ""), 2);
  EXPECT_THAT(said, AllOf(HasSubstr("byte 3"), HasSubstr("in line 2"), HasSubstr("GSM7: 4")));
  EXPECT_EQ(cost_of_lines("\"ok\"\nno string\n\"\\ud83d\"\n", "--json-strings"), 2);
  EXPECT_THAT(said, AllOf(HasSubstr("line 2: is not a JSON string"),
                          HasSubstr("line 3: is not a JSON string")));
}

TEST_F(CostCommand, InJsonEveryLineHasItsObjectAlsoOneThatIsNoText) {
  EXPECT_EQ(
      cost_of_lines("\"a\"\nno string\n\"\\ud83d\"\n\"b\"\n", "--json-strings --json 2>/dev/null"),
      2);
  const std::vector<json::object> found = objects_said();
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[1].at("encoding").as_string(), "INVALID");
  EXPECT_EQ(found[2].at("encoding").as_string(), "INVALID");
  EXPECT_EQ(found[3].at("encoding").as_string(), "GSM7");
  EXPECT_EQ(cost_of_lines("caf\xE9\n", "--json 2>/dev/null"), 2);
  EXPECT_EQ(objects_said().at(0).at("byte_offset").to_number<int>(), 3);
}

TEST_F(CostCommand, TheWordVerifyIsPricedBehindTwoDashes) {
  EXPECT_EQ(cost({"--", "verify"}), 0);
  EXPECT_THAT(said, HasSubstr("GSM7: 6 septets"));
  EXPECT_EQ(cost({"verify"}), 2);
  EXPECT_THAT(said, HasSubstr("weir cost -- verify"));
  EXPECT_EQ(cost({}), 2);
  EXPECT_THAT(said, HasSubstr("body"));
  EXPECT_EQ(cost({"--to", "3", "verify", "--file", "-"}), 2);
}

}  // namespace
}  // namespace weir::test
