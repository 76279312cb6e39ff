// SPDX-License-Identifier: Apache-2.0
//
// What counts as text, byte by byte.
#include "engine/utf8.h"

#include <ostream>
#include <string>

#include <gtest/gtest.h>

namespace weir {
namespace {

using namespace std::string_view_literals;

struct BadText {
  std::string_view name;
  std::string_view bytes;
  size_t offset;
  TextFault fault;
  // Code points after repair.
  std::u32string_view repaired;
};

void PrintTo(const BadText& bad, std::ostream* out) {
  *out << bad.name;
}

constexpr BadText kBad[] = {
    {"StrayContinuation", "a\x80z"sv, 1, TextFault::kStrayContinuation, U"a\uFFFDz"},
    {"TwoByteCutByTheEnd", "ab\xC3"sv, 2, TextFault::kCutShort, U"ab\uFFFD"},
    {"Latin1Letter", "caf\xE9"sv, 3, TextFault::kCutShort, U"caf\uFFFD"},
    {"ThreeByteCutByALetter", "\xE2\x82z"sv, 0, TextFault::kCutShort, U"\uFFFDz"},
    {"FourByteCutByTheEnd", "\xF0\x9F\x98"sv, 0, TextFault::kCutShort, U"\uFFFD"},
    {"LeadAfterLead", "\xE2\xE2\x82\xAC"sv, 0, TextFault::kCutShort, U"\uFFFD\u20AC"},
    {"OverlongNul", "\xC0\x80"sv, 0, TextFault::kOverlong, U"\uFFFD\uFFFD"},
    {"OverlongSlashInTwo", "\xC1\xAF"sv, 0, TextFault::kOverlong, U"\uFFFD\uFFFD"},
    {"OverlongInThree", "\xE0\x9F\xBF"sv, 0, TextFault::kOverlong, U"\uFFFD\uFFFD\uFFFD"},
    {"OverlongInFour", "\xF0\x8F\xBF\xBF"sv, 0, TextFault::kOverlong, U"\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"HighSurrogate", "a\xED\xA0\xBDz"sv, 1, TextFault::kSurrogate, U"a\uFFFD\uFFFD\uFFFDz"},
    {"LowSurrogate", "\xED\xBF\xBF"sv, 0, TextFault::kSurrogate, U"\uFFFD\uFFFD\uFFFD"},
    {"JustAboveUnicode", "\xF4\x90\x80\x80"sv, 0, TextFault::kAboveUnicode,
     U"\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"LeadAboveUnicode", "\xF5\x80\x80\x80"sv, 0, TextFault::kAboveUnicode,
     U"\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"FiveByteLead", "\xF8"sv, 0, TextFault::kNeverUtf8, U"\uFFFD"},
    {"Utf16Mark", "\xFF\xFE"sv, 0, TextFault::kNeverUtf8, U"\uFFFD\uFFFD"},
};

std::string encoded(std::u32string_view code_points) {
  std::string text;
  for (const char32_t c : code_points)
    append_utf8(text, c);
  return text;
}

class BadTextTest : public testing::TestWithParam<BadText> {};

TEST_P(BadTextTest, IsFoundWithItsOffset) {
  EXPECT_EQ(find_invalid(GetParam().bytes), (InvalidText{GetParam().offset, GetParam().fault}));
}

TEST_P(BadTextTest, RepairsToOneMarkForEachSubpart) {
  EXPECT_EQ(repaired(GetParam().bytes), encoded(GetParam().repaired));
}

INSTANTIATE_TEST_SUITE_P(Utf8, BadTextTest, testing::ValuesIn(kBad),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST(Utf8, EveryScalarValueSurvivesEncodingAndDecoding) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    const Decoded decoded = decode(text, 0);
    ASSERT_TRUE(decoded.valid) << static_cast<unsigned>(c);
    ASSERT_EQ(decoded.code_point, c);
    ASSERT_EQ(decoded.length, text.size());
  }
}

TEST(Utf8, NoTwoBytesDecodeToACharacterThatEncodesOtherwise) {
  for (unsigned lead = 0; lead < 256; ++lead) {
    for (unsigned next = 0; next < 256; ++next) {
      const std::string text = {static_cast<char>(lead), static_cast<char>(next)};
      const Decoded decoded = decode(text, 0);
      if (!decoded.valid) continue;
      std::string again;
      append_utf8(again, decoded.code_point);
      ASSERT_EQ(again, text.substr(0, decoded.length));
    }
  }
}

TEST(Utf8, NulAndNoncharactersAreText) {
  EXPECT_EQ(find_invalid("a\0b"sv), std::nullopt);
  EXPECT_EQ(find_invalid("\xEF\xBF\xBE\xEF\xBF\xBF"sv), std::nullopt);
}

}  // namespace
}  // namespace weir
