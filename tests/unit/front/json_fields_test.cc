// SPDX-License-Identifier: Apache-2.0

#include "shim/front/json_fields.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Sample {
  std::string text;
  std::vector<std::string> list;
  std::vector<std::pair<std::string, std::string>> map;
  std::optional<int64_t> number;
  bool flag = false;
  std::optional<WallTime> time;
  FieldsRead read;
};

Sample sample_of(std::string_view json) {
  Sample sample;
  const std::array fields = {
      JsonField{"text", TextField{&sample.text}, Need::kFilled},
      JsonField{"list", TextListField{&sample.list, 3}},
      JsonField{"map", TextMapField{&sample.map, 2}},
      JsonField{"number", IntegerField{&sample.number, 0, 9}},
      JsonField{"flag", FlagField{&sample.flag}},
      JsonField{"time", TimeField{&sample.time}},
  };
  sample.read = read_fields(json, fields);
  return sample;
}

TEST(JsonFields, PutsEachValueIntoItsPlace) {
  const Sample sample = sample_of(R"( {"text":"caf\u00e9 \ud83d\ude00\n","list":["a","","c"],
      "map":{"k":"v","l":""},"number":9,"flag":true,"time":"1970-01-01T00:00:01Z"} )");
  EXPECT_TRUE(sample.read.ok());
  EXPECT_EQ(sample.text, "caf\xc3\xa9 \xf0\x9f\x98\x80\n");
  EXPECT_THAT(sample.list, ElementsAre("a", "", "c"));
  EXPECT_THAT(sample.map, ElementsAre(std::pair("k", "v"), std::pair("l", "")));
  EXPECT_EQ(sample.number, 9);
  EXPECT_TRUE(sample.flag);
  EXPECT_EQ(sample.time, WallTime::from_unix_ms(1000));
}

TEST(JsonFields, AListMayBeOneText) {
  const Sample sample = sample_of(R"({"text":"t","list":"a"})");
  EXPECT_TRUE(sample.read.ok());
  EXPECT_THAT(sample.list, ElementsAre("a"));
}

struct Wrong {
  const char* json;
  const char* pointer;
  const char* part_of_detail;
};

TEST(JsonFields, FindsOneWrongFieldAndPointsAtIt) {
  const Wrong rows[] = {
      {R"({})", "/text", "is missing; it must be a string"},
      {R"({"text":""})", "/text", "empty"},
      {R"({"text":null})", "/text", "and is null; leave the field out"},
      {R"({"text":7})", "/text", "must be a string, and is a number"},
      {R"({"text":7.5})", "/text", "and is a fraction"},
      {R"({"text":true})", "/text", "and is true or false"},
      {R"({"text":{"a":{"text":[1]}}})", "/text", "and is an object"},
      {R"({"text":[["x"]]})", "/text", "and is a list"},
      {R"({"text":"t","list":7})", "/list", "a string or a list of strings, and is a number"},
      {R"({"text":"t","list":{"a":"b"}})", "/list", "and is an object"},
      {R"({"text":"t","list":["a",7]})", "/list/1", "must be a string, and is a number"},
      {R"({"text":"t","list":[{"a":1},"b"]})", "/list/0", "and is an object"},
      {R"({"text":"t","list":["a",["b"],"c"]})", "/list/1", "and is a list"},
      {R"({"text":"t","list":["a",null]})", "/list/1", "and is null"},
      {R"({"text":"t","list":["a","b","c","d","e"]})", "/list", "more than 3 entries"},
      {R"({"text":"t","map":"x"})", "/map", "an object of strings, and is a string"},
      {R"({"text":"t","map":["x"]})", "/map", "and is a list"},
      {R"({"text":"t","map":{"a":1}})", "/map/a", "must be a string, and is a number"},
      {R"({"text":"t","map":{"a/b~c":[1]}})", "/map/a~1b~0c", "and is a list"},
      {R"({"text":"t","map":{"a":"1","a":"2"}})", "/map/a", "twice"},
      {R"({"text":"t","map":{"a":"1","b":"2","c":"3","d":"4"}})", "/map", "more than 2 entries"},
      {R"({"text":"t","number":10})", "/number", "from 0 to 9"},
      {R"({"text":"t","number":-1})", "/number", "from 0 to 9"},
      {R"({"text":"t","number":18446744073709551615})", "/number", "from 0 to 9"},
      {R"({"text":"t","number":5.0})", "/number", "a whole number, and is a fraction"},
      {R"({"text":"t","number":"5"})", "/number", "a whole number, and is a string"},
      {R"({"text":"t","flag":"true"})", "/flag", "true or false, and is a string"},
      {R"({"text":"t","flag":1})", "/flag", "true or false, and is a number"},
      {R"({"text":"t","time":0})", "/time", "a string with a time, and is a number"},
      {R"({"text":"t","time":"soon"})", "/time", "RFC 3339"},
      {R"({"text":"t","text":"u"})", "/text", "twice"},
      {R"({"text":"t","txet":"u"})", "/txet", "did you mean text?"},
      {R"({"text":"t","lst":[[{"text":1}]]})", "/lst", "did you mean list?"},
      {R"({"text":"t","":1})", "/", "is not a field"},
      {R"([{"text":"t"}])", "", "must be one JSON object, and is a list"},
      {R"("text")", "", "must be one JSON object, and is a string"},
      {R"(7)", "", "must be one JSON object, and is a number"},
      {R"(null)", "", "must be one JSON object, and is null"},
  };
  for (const Wrong& row : rows) {
    const FieldsRead read = sample_of(row.json).read;
    EXPECT_THAT(read.malformed, IsEmpty()) << row.json;
    ASSERT_EQ(read.errors.size(), 1u) << row.json;
    EXPECT_EQ(read.errors[0].pointer, row.pointer) << row.json;
    EXPECT_THAT(read.errors[0].detail, HasSubstr(row.part_of_detail)) << row.json;
  }
}

TEST(JsonFields, SuggestsNothingForANameThatIsFarFromAll) {
  const FieldsRead read = sample_of(R"({"text":"t","colour":1})").read;
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_THAT(read.errors[0].detail, Not(HasSubstr("did you mean")));
}

TEST(JsonFields, CollectsAllThatIsWrong) {
  const FieldsRead read =
      sample_of(R"({"list":[1,"b",{}],"map":{"a":null},"number":"x","flag":[],"time":"x","zz":1})")
          .read;
  std::vector<std::string> pointers;
  for (const FieldError& error : read.errors)
    pointers.push_back(error.pointer);
  EXPECT_THAT(pointers, ElementsAre("/list/0", "/list/2", "/map/a", "/number", "/flag", "/time",
                                    "/zz", "/text"));
}

TEST(JsonFields, CollectsNoMoreThanItsBound) {
  std::string json = R"({"text":"t")";
  for (int i = 0; i < 1000; ++i)
    json += ",\"unknown" + std::to_string(i) + "\":1";
  EXPECT_EQ(sample_of(json + "}").read.errors.size(), kMostFieldErrors);
}

// The text of a body is nobody's business but the producer's and the recipient's.
TEST(JsonFields, NoFindingRepeatsAValue) {
  const FieldsRead read =
      sample_of(R"({"text":["secret"],"list":{"a":"secret"},"time":"secret","flag":"secret"})")
          .read;
  EXPECT_EQ(read.errors.size(), 4u);
  for (const FieldError& error : read.errors)
    EXPECT_THAT(error.detail, Not(HasSubstr("secret")));
}

TEST(JsonFields, WhatIsNoJsonIsOneFindingWithItsOffset) {
  const std::string deep(100'000, '[');
  struct Row {
    std::string json;
    const char* part;
  };
  const Row rows[] = {
      {"", "no body"},
      {"   ", "at byte 3"},
      {"{", "at byte 1"},
      {R"({"text":"t"} x)", "follows the end of the object at byte 13"},
      {R"({"text":"t"}{"text":"u"})", "follows the end of the object at byte 12"},
      {R"({"text":"t",})", "at byte 12"},
      {R"({'text':'t'})", "at byte 1"},
      {R"({"text":"t" /* note */})", "at byte 12"},
      {R"({"text":"t","number":01})", "at byte"},
      {R"({"text":"t","number":NaN})", "at byte"},
      {"{\"text\":\"a\nb\"}", "at byte"},
      {"{\"text\":\"a\xff\"}", "at byte 10"},
      {"{\"text\":\"\xc0\xaf\"}", "at byte"},
      {"{\"text\":\"\xed\xa0\x80\"}", "at byte"},
      {R"({"text":"\ud800"})", "at byte"},
      {"\xef\xbb\xbf{\"text\":\"t\"}", "at byte 0"},
      {deep, "at byte 32"},
      {"{\"text\":" + deep, "at byte"},
      {"{\"unknown\":" + deep, "at byte"},
  };
  for (const Row& row : rows) {
    const FieldsRead read = sample_of(row.json).read;
    EXPECT_THAT(read.malformed, HasSubstr(row.part)) << row.json.substr(0, 60);
  }
}

}  // namespace
}  // namespace weir
