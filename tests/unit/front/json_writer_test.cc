// SPDX-License-Identifier: Apache-2.0

#include "shim/front/json_writer.h"

#include <cmath>
#include <limits>
#include <string>

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(JsonWriter, PutsCommasBetweenAndNowhereElse) {
  JsonWriter json;
  json.open_object();
  json.key("a").open_array().integer(1).integer(-2).open_object().close_object().close_array();
  json.key("b").flag(true).key("c").null().key("d").open_object();
  json.key("e").text("x").close_object();
  json.close_object();
  EXPECT_EQ(json.take(), R"({"a":[1,-2,{}],"b":true,"c":null,"d":{"e":"x"}})");
}

TEST(JsonWriter, WritesUnitsAsExactDecimals) {
  struct Row {
    int64_t micro;
    const char* text;
  };
  const Row rows[] = {{0, "0"},
                      {1, "0.000001"},
                      {350'000, "0.35"},
                      {3'000'000, "3"},
                      {10'000'000, "10"},
                      {-1'500'000, "-1.5"},
                      {-1, "-0.000001"},
                      {std::numeric_limits<int64_t>::max(), "9223372036854.775807"},
                      {std::numeric_limits<int64_t>::min(), "-9223372036854.775808"}};
  for (const Row& row : rows) {
    JsonWriter json;
    EXPECT_EQ(json.units(Units::from_micro(row.micro)).take(), row.text);
  }
}

TEST(JsonWriter, WritesRatesToThreeDecimalsAndNoInfinity) {
  const auto written = [](double value) { return JsonWriter().rate(value).take(); };
  EXPECT_EQ(written(0), "0");
  EXPECT_EQ(written(-0.0), "0");
  EXPECT_EQ(written(10), "10");
  EXPECT_EQ(written(10.0 / 3), "3.333");
  EXPECT_EQ(written(0.5), "0.5");
  EXPECT_EQ(written(INFINITY), "null");
  EXPECT_EQ(written(NAN), "null");
}

// What a provider answers is not ours to choose; the answer must still be JSON.
TEST(JsonWriter, WritesEveryStringAsValidJson) {
  const std::string texts[] = {"",
                               "plain",
                               "\"quoted\" \\ and / too",
                               std::string("\0\x01\x1f\x7f\n\r\t", 7),
                               "h\xc3\xa9llo \xe2\x80\x99 \xf0\x9f\x98\x80",
                               "\xff\xfe",
                               "\xc3",
                               "\xc0\xaf",
                               "\xe0\x80\x80",
                               "\xed\xa0\x80",
                               "\xf4\x90\x80\x80",
                               "\xf0\x9f\x98"};
  for (const std::string& text : texts) {
    JsonWriter json;
    const std::string written = json.text(text).take();
    boost::json::error_code error;
    const boost::json::value value = boost::json::parse(written, error);
    ASSERT_FALSE(error) << written;
    ASSERT_TRUE(value.is_string());
  }
  EXPECT_EQ(JsonWriter().text("a\xff\xc3z").take(), "\"a\\ufffd\\ufffdz\"");
  EXPECT_EQ(JsonWriter().text("\xe2\x80\x99").take(), "\"\xe2\x80\x99\"");
}

}  // namespace
}  // namespace weir
