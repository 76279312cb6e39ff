// SPDX-License-Identifier: Apache-2.0
//
// The table of bodies with known prices, tests/data/segment_vectors.json. The file is ASCII with
// surrogate pairs escaped as pairs, so the JSON reader has nothing to repair; bodies that are not
// UTF-8 stand there as hexadecimal octets.
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "weir/rewrite.h"
#include "weir/segments.h"

#include "engine/utf8.h"

namespace weir {
namespace {

namespace json = boost::json;

struct Vector {
  std::string name;
  std::string body;
  json::object row;
};

void PrintTo(const Vector& vector, std::ostream* out) {
  *out << vector.name;
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

std::string body_of(const json::object& row) {
  if (const auto* body = row.if_contains("body")) return std::string(body->as_string());
  if (const auto* hex = row.if_contains("body_hex")) return from_hex(hex->as_string());
  std::string body;
  for (const json::value& run : row.at("runs").as_array()) {
    for (int64_t i = 0; i < run.at(1).as_int64(); ++i)
      body += run.at(0).as_string();
  }
  return body;
}

const std::vector<Vector>& vectors() {
  static const std::vector<Vector> kAll = [] {
    std::ifstream file(WEIR_SOURCE_DIR "/tests/data/segment_vectors.json", std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::vector<Vector> all;
    const json::value file_rows = json::parse(text);
    for (const json::value& value : file_rows.as_array()) {
      const json::object& row = value.as_object();
      all.push_back({std::string(row.at("name").as_string()), body_of(row), row});
    }
    return all;
  }();
  return kAll;
}

std::vector<Vector> vectors_with(std::string_view field) {
  std::vector<Vector> some;
  for (const Vector& vector : vectors()) {
    const json::value* value = vector.row.if_contains(field);
    if (value != nullptr && !value->is_null()) some.push_back(vector);
  }
  return some;
}

// Expectations about one object of the file: the row itself, `smart` or `fallback`.
void expect_counted(const Counted& counted, const json::object& expected) {
  EXPECT_EQ(encoding_name(counted.encoding), expected.at("encoding").as_string());
  EXPECT_EQ(counted.units, expected.at("units").to_number<uint64_t>());
  EXPECT_EQ(counted.segments, expected.at("segments").to_number<uint64_t>());
}

Counted counted(std::string_view body, const CountingRules& rules = {}) {
  return std::get<Counted>(count(body, rules));
}

class SegmentVectorTest : public testing::TestWithParam<Vector> {
 protected:
  const json::object& row() const { return GetParam().row; }
  const std::string& body() const { return GetParam().body; }
  bool is_text() const { return row().at("encoding").as_string() != "INVALID"; }
};

TEST_P(SegmentVectorTest, CountsAsListed) {
  const CountResult result = count(body(), {});
  if (!is_text()) {
    EXPECT_TRUE(std::holds_alternative<InvalidText>(result));
    EXPECT_TRUE(std::holds_alternative<InvalidText>(boundaries(body(), {})));
    return;
  }
  expect_counted(std::get<Counted>(result), row());
  EXPECT_EQ(std::get<Counted>(result).remaining, row().at("remaining").to_number<uint64_t>());
}

TEST_P(SegmentVectorTest, CountsAsListedUnderTheOtherRules) {
  if (!is_text()) {
    const json::object& fallback = row().at("fallback").as_object();
    expect_counted(counted(repaired(body())), fallback);
    return;
  }
  CountingRules divided;
  divided.straddle = Straddle::kDivided;
  EXPECT_EQ(counted(body(), divided).segments, row().at("segments_naive").to_number<uint64_t>());
  CountingRules wide;
  wide.concat_reference = ConcatReference::k16Bits;
  EXPECT_EQ(counted(body(), wide).segments, row().at("segments_ref16").to_number<uint64_t>());
}

class TextVectorTest : public SegmentVectorTest {};
class SmartVectorTest : public SegmentVectorTest {};

TEST_P(SmartVectorTest, CountsAsListedAfterTheProvidersRewrite) {
  const json::object& smart = row().at("smart").as_object();
  const auto twilio = std::get<Rewritten>(rewrite(body(), RewriteMap::kTwilio));
  expect_counted(counted(twilio.text), smart);
  // Our own rewrite gets to the same price, or leaves a body that it cannot save.
  const auto ours = smart_rewrite(body(), {});
  const auto after = ours ? ours->counted : counted(body());
  expect_counted(after, smart);
}

TEST_P(TextVectorTest, BoundariesGiveTheBodyBack) {
  const auto ranges = std::get<std::vector<ByteRange>>(boundaries(body(), {}));
  EXPECT_EQ(ranges.size(), row().at("segments").to_number<uint64_t>());
  std::string joined;
  for (const ByteRange& range : ranges) {
    joined += body().substr(range.begin, range.end - range.begin);
  }
  EXPECT_EQ(joined, body());
}

INSTANTIATE_TEST_SUITE_P(Segments, SegmentVectorTest, testing::ValuesIn(vectors()),
                         [](const auto& vector) { return vector.param.name; });

INSTANTIATE_TEST_SUITE_P(Segments, TextVectorTest, testing::ValuesIn(vectors_with("segments")),
                         [](const auto& vector) { return vector.param.name; });
INSTANTIATE_TEST_SUITE_P(Segments, SmartVectorTest, testing::ValuesIn(vectors_with("smart")),
                         [](const auto& vector) { return vector.param.name; });

TEST(SegmentVectors, AreAllThere) {
  EXPECT_GE(vectors().size(), 124u);
}

}  // namespace
}  // namespace weir
