// SPDX-License-Identifier: Apache-2.0
#include "weir/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/admission.h"
#include "tests/support/world.h"

namespace weir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Template diwali() {
  Template one;
  one.id = "diwali";
  one.body = "Dear {{name}}, your code is {{code}}. {{name}}, enjoy!";
  one.class_name = "promotional";
  one.params = {{"dltTemplateId", "1007"}};
  one.max_chars = {{"code", 6}};
  return one;
}

std::vector<std::string> pointers(const std::vector<FieldError>& errors) {
  std::vector<std::string> found;
  for (const FieldError& error : errors)
    found.push_back(error.pointer);
  return found;
}

TEST(Template, NamesItsPlacesInOrderAndOnce) {
  const auto names = variables_of(diwali().body);
  EXPECT_THAT(std::get<std::vector<std::string>>(names), ElementsAre("name", "code"));
}

TEST(Template, RefusesPlacesThatAreNoneWithTheByte) {
  const std::pair<const char*, const char*> cases[] = {
      {"a {{name", "byte 2"}, {"{{Name}}", "byte 0"}, {"{{}}", "byte 0"},
      {"x{{a b}}", "byte 1"}, {"{{1st}}", "byte 0"},  {"{{a{{b}}}}", "byte 0"},
  };
  for (const auto& [body, place] : cases) {
    const auto names = variables_of(body);
    ASSERT_TRUE(std::holds_alternative<FieldError>(names)) << body;
    EXPECT_THAT(std::get<FieldError>(names).detail, HasSubstr(place)) << body;
  }
}

TEST(Template, RendersByPlainReplacementOnce) {
  const auto text = render(diwali(), {{"name", "{{code}}"}, {"code", "4711"}});
  EXPECT_EQ(std::get<std::string>(text), "Dear {{code}}, your code is 4711. {{code}}, enjoy!");
}

TEST(Template, NamesEveryVariableThatIsMissingUnknownOrTooLong) {
  const auto result = render(diwali(), {{"code", "1234567"}, {"surname", "x"}});
  EXPECT_THAT(pointers(std::get<std::vector<FieldError>>(result)),
              ElementsAre("/vars/name", "/vars/code", "/vars/surname"));
}

TEST(Template, CountsAVariableInCharactersNotBytes) {
  EXPECT_TRUE(std::holds_alternative<std::string>(
      render(diwali(), {{"name", "दीपावली"}, {"code", "दीपाव"}})));
}

TEST(Template, KnowsTheRangeOfItsCost) {
  Template one = diwali();
  one.body = std::string(140, 'a') + "{{name}}";
  const CostRange range = cost_range(one, CountingRules());
  EXPECT_EQ(range.shortest.segments, 1);
  EXPECT_EQ(range.longest_gsm7.segments, 2);
  EXPECT_EQ(range.longest_gsm7.encoding, Encoding::kGsm7);
  EXPECT_EQ(range.longest_ucs2.segments, 3);
  EXPECT_EQ(range.longest_ucs2.encoding, Encoding::kUcs2);
}

TEST(Template, IsCheckedWhenItIsSaved) {
  const CountingRules rules;
  EXPECT_TRUE(check_template(diwali(), rules).empty());
  Template one = diwali();
  one.id = "no spaces";
  one.max_chars = {{"color", 5}, {"code", 0}};
  EXPECT_THAT(pointers(check_template(one, rules)),
              ElementsAre("/id", "/max_chars/code", "/max_chars/color"));
  one = diwali();
  one.body = "\xff";
  EXPECT_THAT(pointers(check_template(one, rules)), ElementsAre("/body"));
  one = diwali();
  one.body = std::string(161, 'a');
  one.max_chars.clear();
  one.max_segments = 1;
  EXPECT_THAT(pointers(check_template(one, rules)), ElementsAre("/max_segments"));
}

class FromTemplate : public ::testing::Test {
 protected:
  std::variant<std::unique_ptr<Draft>, Refusal> examined(Submission submission) {
    const Calendar calendar(options.classes.size());
    return examine({MonoTime(), WallTime::from_unix_ms(1'796'000'000'000)},
                   {options, templates, calendar}, std::move(submission));
  }
  Submission greeting() {
    Submission one = test::submission("", 1);
    one.body.clear();
    one.template_id = "diwali";
    one.vars = {{"name", "Asha"}, {"code", "4711"}};
    return one;
  }

  EngineOptions options = test::test_options();
  Templates templates = {{"diwali", diwali()}};
};

TEST_F(FromTemplate, ClassSenderAndProviderIdsComeFromTheTemplate) {
  templates["diwali"].sender = "SHOPIN";
  const auto result = examined(greeting());
  const auto& draft = std::get<std::unique_ptr<Draft>>(result);
  EXPECT_EQ(draft->text.body, "Dear Asha, your code is 4711. Asha, enjoy!");
  EXPECT_EQ(draft->message.class_name, "promotional");
  EXPECT_EQ(draft->text.sender, "SHOPIN");
  ASSERT_EQ(draft->text.params.size(), 1);
  EXPECT_EQ(draft->text.params[0].second, "1007");
}

TEST_F(FromTemplate, ARenderedBodyAboveItsLimitIsRefusedWithTheNumber) {
  templates["diwali"].max_segments = 1;
  Submission one = greeting();
  one.vars[0].second = "दीपावली की शुभकामनाएं";
  const auto refusal = std::get<Refusal>(examined(one));
  EXPECT_THAT(refusal.fields[0].detail, HasSubstr("2 segments; at most 1"));
  EXPECT_THAT(refusal.fields[0].detail, HasSubstr("template"));
}

TEST_F(FromTemplate, ContradictionsAreRefused) {
  Submission both = greeting();
  both.body = "x";
  EXPECT_EQ(std::get<Refusal>(examined(both)).fields[0].pointer, "/body");
  Submission other_class = greeting();
  other_class.class_name = "otp";
  EXPECT_EQ(std::get<Refusal>(examined(other_class)).fields[0].pointer, "/class");
  Submission unknown = greeting();
  unknown.template_id = "holi";
  EXPECT_EQ(std::get<Refusal>(examined(unknown)).fields[0].pointer, "/template");
  Submission vars_only = test::submission("otp", 1);
  vars_only.vars = {{"a", "b"}};
  EXPECT_EQ(std::get<Refusal>(examined(vars_only)).fields[0].pointer, "/vars");
}

TEST_F(FromTemplate, TheSameSubmissionStaysTheSameWhenTheTemplateIsEdited) {
  const auto before = std::get<std::unique_ptr<Draft>>(examined(greeting()))->message.hash;
  templates["diwali"].body = "Hello {{name}} {{code}}";
  EXPECT_EQ(std::get<std::unique_ptr<Draft>>(examined(greeting()))->message.hash, before);
}

TEST_F(FromTemplate, SmartRewritesOnlyWhereItIsAskedForAndNeverDigits) {
  Submission curly = test::submission("otp", 1);
  curly.body = "Don’t share 4711";
  EXPECT_EQ(std::get<std::unique_ptr<Draft>>(examined(curly))->message.encoding, Encoding::kUcs2);
  options.classes[0].smart = true;
  const auto result = examined(curly);
  const auto& draft = std::get<std::unique_ptr<Draft>>(result);
  EXPECT_TRUE(draft->rewritten);
  EXPECT_EQ(draft->text.body, "Don't share 4711");
  EXPECT_EQ(draft->message.encoding, Encoding::kGsm7);
}

}  // namespace
}  // namespace weir
