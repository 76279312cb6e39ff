// SPDX-License-Identifier: Apache-2.0
//
// What a file becomes: the lines of the upload, and what is refused before it is sent.
#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/weir/csv_lines.h"
#include "tools/weir/json_lines.h"

namespace weir {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

BulkForm form_with(const std::string& text) {
  BulkForm form;
  form.campaign = "diwali";
  form.class_name = "promotional";
  form.text = text;
  return form;
}

struct Made {
  std::vector<std::string> lines;    // without the last line end
  std::vector<std::string> refused;  // as "LINE CODE DETAIL"
  std::string error;
};

template <typename MakeLines>
Made made_of(std::string_view file, const MakeLines& make) {
  Made made;
  const std::unique_ptr<BulkLines> lines = make([&made](const RefusedLine& line) {
    made.refused.push_back(std::to_string(line.line) + ' ' + std::string(line.code) + ' ' +
                           line.detail);
  });
  Status status = lines->feed(file);
  if (status) status = lines->end();
  if (!status) made.error = status.error().detail;
  std::string rest = lines->out();
  for (size_t end = 0; (end = rest.find('\n')) != rest.npos; rest.erase(0, end + 1))
    made.lines.push_back(rest.substr(0, end));
  EXPECT_EQ(rest, "");
  return made;
}

Made of_csv(std::string_view file, const BulkForm& form,
            std::optional<std::vector<std::string>> places) {
  return made_of(file, [&](BulkLines::Refuse refuse) {
    return std::make_unique<CsvLines>(form, "to", places, std::move(refuse));
  });
}

Made of_json(std::string_view file, const BulkForm& form) {
  return made_of(file, [&](BulkLines::Refuse refuse) {
    return std::make_unique<JsonLines>(form, std::move(refuse));
  });
}

std::string at(const std::string& line, std::string_view name) {
  const json::value value = json::parse(line);
  const json::value* found = value.as_object().if_contains(name);
  return found == nullptr ? "-" : json::serialize(*found);
}

const std::string kDear = "Dear {{name}}, come.";

TEST(CsvLines, EachRowIsAMessageOnItsOwnLine) {
  BulkForm form = form_with(kDear);
  form.sender = "SHOP";
  form.deadline = "2030-01-01T00:00:00Z";
  form.params = {{"dltTemplateId", "1007"}};
  form.test = true;
  const Made made =
      of_csv("to,name\n+911,Asha\n\n+912,\"{{name}}\nB\"\n+913,C\n", form, {{"name"}});
  EXPECT_THAT(made.refused, IsEmpty());
  ASSERT_EQ(made.lines.size(), 6U);
  for (size_t blank : {0U, 2U, 4U})
    EXPECT_EQ(made.lines[blank], "") << blank;
  EXPECT_EQ(at(made.lines[1], "to"), "\"+911\"");
  EXPECT_EQ(at(made.lines[1], "body"), "\"Dear Asha, come.\"");
  EXPECT_EQ(at(made.lines[1], "class"), "\"promotional\"");
  EXPECT_EQ(at(made.lines[1], "tag"), "\"diwali\"");
  EXPECT_EQ(at(made.lines[1], "sender"), "\"SHOP\"");
  EXPECT_EQ(at(made.lines[1], "deadline"), "\"2030-01-01T00:00:00Z\"");
  EXPECT_EQ(at(made.lines[1], "params"), R"({"dltTemplateId":"1007"})");
  EXPECT_EQ(at(made.lines[1], "test"), "true");
  EXPECT_THAT(at(made.lines[1], "key"), StartsWith("\"diwali-"));
  EXPECT_EQ(at(made.lines[3], "body"), "\"Dear {{name}}\\nB, come.\"");
  EXPECT_EQ(at(made.lines[5], "to"), "\"+913\"");
}

TEST(CsvLines, ATemplateOfWeirGetsTheColumnsThatItNames) {
  BulkForm form = form_with("");
  form.template_id = "diwali";
  form.class_name = "";
  const Made made = of_csv("code,to,unused,name\n4711,+911,x,Asha\n", form, {{"name", "code"}});
  ASSERT_EQ(made.lines.size(), 2U);
  EXPECT_EQ(at(made.lines[1], "template"), "\"diwali\"");
  EXPECT_EQ(at(made.lines[1], "vars"), R"({"code":"4711","name":"Asha"})");
  EXPECT_EQ(at(made.lines[1], "body"), "-");
  EXPECT_EQ(at(made.lines[1], "class"), "-");
}

TEST(CsvLines, ARowThatCannotBeFilledIsRefusedAndTheRestGoesOn) {
  const Made made = of_csv("to,name\n+911\n+912,a,b\n,x\n+914,\xE9\n+915,a\"b\n+916,good\n",
                           form_with(kDear), {{"name"}});
  EXPECT_THAT(
      made.refused,
      ElementsAre(AllOf(StartsWith("2 malformed"), HasSubstr("has 1 field, the header has 2")),
                  AllOf(StartsWith("3 malformed"), HasSubstr("3 fields"), HasSubstr("in quotes")),
                  AllOf(StartsWith("4 invalid"), HasSubstr("column to is empty")),
                  AllOf(StartsWith("5 invalid"), HasSubstr("column name"), HasSubstr("as UTF-8")),
                  AllOf(StartsWith("6 malformed"), HasSubstr("inside of a field"))));
  ASSERT_EQ(made.lines.size(), 7U);
  EXPECT_EQ(at(made.lines[6], "to"), "\"+916\"");
}

TEST(CsvLines, AHeaderOfNoUseIsAnErrorBeforeAnythingIsGivenOut) {
  const Made missing = of_csv("to,nam\n+911,x\n", form_with(kDear), {{"name"}});
  EXPECT_THAT(missing.error, HasSubstr("no column for {{name}}"));
  EXPECT_THAT(missing.lines, IsEmpty());
  EXPECT_THAT(of_csv("\n", form_with(kDear), {{"name"}}).error, HasSubstr("it is empty"));
}

std::string key_in(const std::string& file, const BulkForm& form) {
  const Made made = of_csv(file, form, {{"name"}});
  return made.lines.empty() ? "none" : at(made.lines.back(), "key");
}

TEST(CsvLines, TheKeyIsThatOfWhatIsSentToWhom) {
  const std::string key = key_in("to,name\n+911,Asha\n", form_with(kDear));
  EXPECT_EQ(key, key_in("x,name,to\ny,Asha,+911\n", form_with(kDear)));
  EXPECT_NE(key, key_in("to,name\n+911,Usha\n", form_with(kDear)));
  EXPECT_NE(key, key_in("to,name\n+912,Asha\n", form_with(kDear)));
  EXPECT_NE(key, key_in("to,name\n+911,Asha\n", form_with("Hello {{name}}")));
  BulkForm other = form_with(kDear);
  other.campaign = "holi";
  EXPECT_NE(key, key_in("to,name\n+911,Asha\n", other));
  other = form_with(kDear);
  other.test = true;  // what was only tried can be sent afterwards
  EXPECT_NE(key, key_in("to,name\n+911,Asha\n", other));
  other = form_with(kDear);
  other.deadline = "2030-01-01T00:00:00Z";  // another deadline sends nobody a second message
  EXPECT_EQ(key, key_in("to,name\n+911,Asha\n", other));
}

TEST(JsonLines, ALineGoesAsItStandsWithWhatItLacksAtItsEnd) {
  const std::string whole =
      R"( {"to" : "+911","key":"k","tag":"t","class":"otp","body":"x","priority":3} )";
  const Made made = of_json(whole + "\r\n" + R"({"to":"+912"})" + "\n{}\n", form_with("sale"));
  ASSERT_EQ(made.lines.size(), 3U);
  EXPECT_EQ(made.lines[0],
            R"({"to" : "+911","key":"k","tag":"t","class":"otp","body":"x","priority":3})");
  EXPECT_THAT(made.lines[1], StartsWith(R"({"to":"+912","key":"diwali-)"));
  EXPECT_EQ(at(made.lines[1], "body"), "\"sale\"");
  EXPECT_EQ(at(made.lines[1], "class"), "\"promotional\"");
  EXPECT_EQ(at(made.lines[1], "tag"), "\"diwali\"");
  EXPECT_EQ(at(made.lines[2], "body"), "\"sale\"");
}

TEST(JsonLines, ANameThatStandsTwiceReachesWeirWhichRefusesIt) {
  const Made made = of_json(R"({"to":"+911","to":"+912"})"
                            "\n",
                            form_with("sale"));
  ASSERT_EQ(made.lines.size(), 1U);
  EXPECT_THAT(made.lines[0], StartsWith(R"({"to":"+911","to":"+912",)"));
}

TEST(JsonLines, BlankLinesCountAndWrongOnesAreRefused) {
  const Made made =
      of_json("\xEF\xBB\xBF{\"to\":\"1\"}\n\n{\"to\":\n[1]\n{\"to\":\"\xE9\"}\n{\"to\":\"6\"}",
              form_with("sale"));
  EXPECT_THAT(made.refused, ElementsAre(StartsWith("3 malformed"), StartsWith("4 malformed"),
                                        StartsWith("5 malformed")));
  ASSERT_EQ(made.lines.size(), 6U);
  EXPECT_EQ(at(made.lines[0], "to"), "\"1\"");
  EXPECT_EQ(at(made.lines[5], "to"), "\"6\"");
}

TEST(JsonLines, ALineWithoutAnEndIsRefusedInBoundedMemory) {
  const std::string endless(JsonLines::kMostLineBytes + 1, ' ');
  const Made made = of_json(endless + "\n{\"to\":\"2\"}\n", form_with("sale"));
  EXPECT_THAT(made.refused, ElementsAre(StartsWith("1 too_large")));
  ASSERT_EQ(made.lines.size(), 2U);
  EXPECT_EQ(at(made.lines[1], "to"), "\"2\"");
}

TEST(JsonLines, TheKeyComesFromTheLineAndWhatAllHaveInCommon) {
  const auto key = [](const std::string& line, const std::string& text) {
    return at(of_json(line, form_with(text)).lines.at(0), "key");
  };
  const std::string line = R"({"to":"+911"})";
  EXPECT_EQ(key(line, "sale"), key(line + "\r\n", "sale"));
  EXPECT_NE(key(line, "sale"), key(line, "sales"));
  EXPECT_NE(key(line, "sale"), key(R"({"to":"+912"})", "sale"));
}

}  // namespace
}  // namespace weir
