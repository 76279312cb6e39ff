// SPDX-License-Identifier: Apache-2.0
#include "shim/config/profile_yaml.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shim/config/placeholders.h"
#include "tests/unit/config/scratch.h"

namespace weir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kProfile = R"(name: p
request:
  path: /send
  fields:
    to: "{recipients}"
    text: "{body}"
    from: "{sender}"
    id: "{param:template}"
auth:
  - headers: {key: "{secret:token}"}
reply:
  code: [/code]
outcomes:
  - {http: 200, code: "0", outcome: accepted}
  - {http: 4xx, outcome: refused, cause: content}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Result<Profile> profile_of(const std::string& text) {
  const Scratch scratch;
  return load_profile(scratch.write("p.yaml", text));
}

std::string error_of(const std::string& from, const std::string& to) {
  const Result<Profile> profile = profile_of(replaced(kProfile, from, to));
  return profile ? "" : profile.error().detail;
}

TEST(ProfileYaml, AMinimalProfileIsRead) {
  const Result<Profile> profile = profile_of(kProfile);
  ASSERT_TRUE(profile) << profile.error().detail;
  EXPECT_EQ(profile->path, "/send");
  ASSERT_EQ(profile->fields.size(), 4u);
  EXPECT_EQ(profile->fields[0], (std::pair<std::string, std::string>{"to", "{recipients}"}));
  EXPECT_EQ(profile->fields[3].first, "id");
  EXPECT_EQ(profile->weight, Units::of(1));
  ASSERT_EQ(profile->outcomes.size(), 2u);
  EXPECT_EQ(profile->outcomes[1].http_min, 400);
  EXPECT_EQ(profile->outcomes[1].http_max, 499);
  EXPECT_FALSE(profile->outcomes[1].code);
  EXPECT_THAT(names_used(*profile, "secret"), ElementsAre("token"));
  EXPECT_THAT(names_used(*profile, "param"), ElementsAre("template"));
}

TEST(ProfileYaml, CountingAndWeightAreRead) {
  const Result<Profile> profile = profile_of(kProfile + R"(weight: 0.35
counting:
  alphabet: ascii
  excluded: [U+005E, U+20AC, U+1F600]
  concat_reference_bits: 16
  straddle: cluster
  max_segments: 6
  past_max: truncate
  locking_table: hindi
  single_shift_table: turkish
)");
  ASSERT_TRUE(profile) << profile.error().detail;
  EXPECT_EQ(profile->weight, Units::from_micro(350'000));
  EXPECT_EQ(profile->counting.alphabet, Alphabet::kAscii);
  EXPECT_THAT(profile->counting.excluded, ElementsAre(U'^', U'\u20AC', U'\U0001F600'));
  EXPECT_EQ(profile->counting.concat_reference, ConcatReference::k16Bits);
  EXPECT_EQ(profile->counting.straddle, Straddle::kCluster);
  EXPECT_EQ(profile->counting.max_segments, 6);
  EXPECT_EQ(profile->counting.past_max, PastMax::kTruncate);
  EXPECT_EQ(profile->counting.locking_table, Language::kHindi);
  EXPECT_EQ(profile->counting.single_shift_table, Language::kTurkish);
}

const std::string kPrice = R"(price:
  path: /price
  headers: {Accept: application/json}
  fields: {text: "{body}", kind: "{encoding}", entity: "{param:entity}"}
  reply:
    encoding: [/r/coding, /coding]
    length: [/r/length]
    credit: [/r/credit]
)";

std::string price_error_of(const std::string& from, const std::string& to) {
  const Result<Profile> profile = profile_of(kProfile + replaced(kPrice, from, to));
  return profile ? "" : profile.error().detail;
}

TEST(ProfileYaml, AProfileNeedsNoPrice) {
  EXPECT_FALSE(profile_of(kProfile)->price);
}

TEST(ProfileYaml, PriceIsReadAndItsParametersAreKnown) {
  const Result<Profile> profile = profile_of(kProfile + kPrice + R"(    remaining: [/r/left]
  encoding: {gsm7: plain, ucs2: wide}
)");
  ASSERT_TRUE(profile) << profile.error().detail;
  ASSERT_TRUE(profile->price);
  const PriceProfile& price = *profile->price;
  EXPECT_EQ(price.path, "/price");
  ASSERT_EQ(price.headers.size(), 1u);
  ASSERT_EQ(price.fields.size(), 3u);
  EXPECT_EQ(price.fields[0], (std::pair<std::string, std::string>{"text", "{body}"}));
  EXPECT_THAT(price.encoding_at, ElementsAre("/r/coding", "/coding"));
  EXPECT_THAT(price.length_at, ElementsAre("/r/length"));
  EXPECT_THAT(price.remaining_at, ElementsAre("/r/left"));
  EXPECT_THAT(price.credit_at, ElementsAre("/r/credit"));
  EXPECT_EQ(price.gsm7_word, "plain");
  EXPECT_EQ(price.ucs2_word, "wide");
  EXPECT_THAT(names_used(*profile, "param"), ElementsAre("entity", "template"));
}

TEST(ProfileYaml, WhatIsWrongWithAPriceIsSaid) {
  struct Row {
    const char* from;
    const char* to;
    const char* error;
  };
  const Row rows[] = {
      {"  path: /price\n", "", "price: lacks path"},
      {"/price", "price", "price.path: must begin with /"},
      {"{body}", "{sender}", "price: no field holds {body}"},
      {"{encoding}", "{recipients}", "price: holds {recipients}; a price is asked for one text"},
      {"{encoding}", "{secret:token}", "price.fields.kind: a secret belongs into an entry of auth"},
      {"{encoding}", "{codding}", "price.fields.kind: has an unknown placeholder"},
      {"{Accept: ", "{Host: ", "is written by weir itself"},
      {"    encoding: [/r/coding, /coding]\n", "", "price.reply: lacks encoding"},
      {"    length: [/r/length]\n", "", "price.reply: lacks length"},
      {"    credit: [/r/credit]\n", "", "price.reply: lacks credit"},
      {"[/r/credit]", "[credit]", "price.reply.credit[0]: is not a JSON Pointer"},
      {"    credit:", "    credits:", "did you mean credit?"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(price_error_of(row.from, row.to), HasSubstr(row.error))
        << row.from << " -> " << row.to;
  }
}

// Line and column stand before each text below.
TEST(ProfileYaml, WhatIsWrongIsSaidWithItsPlace) {
  struct Row {
    const char* from;
    const char* to;
    const char* error;
  };
  const Row rows[] = {
      {"[/code]", "[code]", ":12:10: reply.code[0]: is not a JSON Pointer"},
      {"[/code]", "[/a~2]", ":12:10: reply.code[0]: is not a JSON Pointer"},
      {"[/code]", "[\"\"]", ":12:10: reply.code[0]: is not a JSON Pointer"},
      {"[/code]", "/code", ":12:9: reply.code: is a plain value; write a list"},
      {"[/code]", "[]", ":12:9: reply.code: must hold 1 to 16 pointers"},
      {"outcome: accepted", "outcome: acepted", "did you mean accepted?"},
      {"outcome: refused", "outcome: rfused", ":15:26: outcomes[1].outcome: is not one of"},
      {"cause: content", "cause: contant", "did you mean content?"},
      {", cause: content", "", ":15:5: outcomes[1]: refused needs a cause"},
      {"outcome: refused", "outcome: throttled", "only refused has a cause"},
      {"http: 200, code", "code", "accepted needs http within 2xx"},
      {"http: 200", "http: 200-404", "accepted needs http within 2xx"},
      {"http: 4xx", "http: 4xy", ":15:12: outcomes[1].http: write a status"},
      {"http: 4xx", "http: 499-400", "outcomes[1].http: write a status"},
      {"outcome: accepted", "outcome: unknown", "has no row with accepted"},
      {"  path: /send\n", "", "request: lacks path"},
      {"path: /send", "path: send", ":3:9: request.path: must begin with /"},
      {"path: /send", "pth: /send", ":3:3: request: the key pth is unknown; did you mean path?"},
      {"    to: \"{recipients}\"\n", "", "no field holds {recipients}"},
      {"    text: \"{body}\"\n", "", "no field holds {body}"},
      {"{recipients}", "{recipient}", ":5:9: request.fields.to: has an unknown placeholder"},
      {"{recipients}", "{recipients", "a brace without its partner"},
      {"{recipients}", "{{recipients}}", "a brace without its partner"},
      {"{param:template}", "{param}", "{param} needs a name"},
      {"{param:template}", "{param:a b}", "must be letters, digits"},
      {"{sender}", "{sender:x}", "takes no name"},
      {"{sender}", "{secret:token}", ":7:11: request.fields.from: a secret belongs into"},
      {"{secret:token}", "literal", ":10:5: auth[0]: holds no {secret:NAME}"},
      {"{key: ", "{Content-Length: ", "is written by weir itself"},
      {"{key: ", "{'a key': ", "is not a header's name"},
      {"\"{body}\"", "\"{body}\\r\\nx\"", "a line break or another control character"},
      {"name: p\n", "", "lacks name"},
      {"name: p\n", "name: p\nweight: 0\n", ":2:9: weight: is out of range"},
      {"name: p\n", "name: p\ncounting: {excluded: [^]}\n", "like U+005E"},
      {"name: p\n", "name: p\ncounting: {straddle: awake}\n", "did you mean aware?"},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(error_of(row.from, row.to), HasSubstr(row.error)) << row.from << " -> " << row.to;
  }
}

TEST(ProfileYaml, AllErrorsAreReportedInTheOrderOfTheFile) {
  const std::string text = replaced(replaced(kProfile, "/send", "send"), "[/code]", "[code]");
  const Result<Profile> profile = profile_of(text);
  ASSERT_FALSE(profile);
  const std::string& errors = profile.error().detail;
  EXPECT_LT(errors.find("request.path"), errors.find("reply.code"));
  EXPECT_NE(errors.find("reply.code"), std::string::npos);
}

}  // namespace
}  // namespace weir
