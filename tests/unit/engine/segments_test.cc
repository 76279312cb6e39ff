// SPDX-License-Identifier: Apache-2.0
//
// The counter where the table of vectors says nothing: every rule that a profile may set, limits,
// national tables, and what holds for any text at all.
#include "weir/segments.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/gsm_alphabet.h"
#include "engine/national_tables.h"
#include "engine/utf8.h"

namespace weir {
namespace {

std::string repeat(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

Counted counted(std::string_view body, const CountingRules& rules = {}) {
  return std::get<Counted>(count(body, rules));
}

std::vector<ByteRange> ranges_of(std::string_view body, const CountingRules& rules = {}) {
  return std::get<std::vector<ByteRange>>(boundaries(body, rules));
}

std::string text_of(char32_t code_point) {
  std::string text;
  append_utf8(text, code_point);
  return text;
}

TEST(Count, TakesAsManyCharactersForGsm7AsTheStandardHas) {
  size_t single = 0;
  size_t shifted = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    single += gsm::septets(c) == 1;
    shifted += gsm::septets(c) == 2;
  }
  EXPECT_EQ(single, 127u);
  EXPECT_EQ(shifted, 10u);
}

TEST(Count, ReadsLongRunsAsItReadsSingleBytes) {
  // The fast way over whole blocks must not differ from the slow one for any byte at any place.
  for (unsigned c = 0; c < 0x80; ++c) {
    for (size_t place = 0; place < 40; ++place) {
      std::string body(40, 'm');
      body[place] = static_cast<char>(c);
      const Counted got = counted(body);
      const unsigned septets = gsm::septets(c);
      ASSERT_EQ(got.encoding, septets == 0 ? Encoding::kUcs2 : Encoding::kGsm7) << c;
      ASSERT_EQ(got.units, septets == 2 ? 41u : 40u) << c << " at " << place;
    }
  }
}

TEST(Count, ControlsAndTheByteOrderMarkMakeABodyUcs2) {
  for (const std::string_view body : {std::string_view("a\0b", 3), std::string_view("a\tb"),
                                      std::string_view("a\x1B"
                                                       "b"),
                                      std::string_view("a\x7F"
                                                       "b")}) {
    EXPECT_EQ(counted(body).encoding, Encoding::kUcs2);
    EXPECT_EQ(counted(body).units, 3u);
  }
  EXPECT_EQ(counted("\uFEFFHi").units, 3u);
  EXPECT_EQ(counted("\uFEFFHi").encoding, Encoding::kUcs2);
  EXPECT_EQ(counted("a\r\nb\f").encoding, Encoding::kGsm7);
  EXPECT_EQ(counted("a\r\nb\f").units, 6u);
}

TEST(Count, RefusesWhatIsNotTextWhereverItStands) {
  // In plain text, after a character that left GSM-7, and at the very end of a block.
  EXPECT_EQ(std::get<InvalidText>(count("ab\xC0\x80", {})), (InvalidText{2, TextFault::kOverlong}));
  EXPECT_EQ(std::get<InvalidText>(count("\u044F\xED\xA0\x80", {})),
            (InvalidText{2, TextFault::kSurrogate}));
  EXPECT_EQ(std::get<InvalidText>(count(repeat("m", 16) + "\xE2\x82", {})),
            (InvalidText{16, TextFault::kCutShort}));
  CountingRules cluster;
  cluster.straddle = Straddle::kCluster;
  EXPECT_EQ(std::get<InvalidText>(count("e\u0301\xFF", cluster)),
            (InvalidText{3, TextFault::kNeverUtf8}));
}

TEST(Count, SaysWhatIsWrongAndWhereInWords) {
  const std::string text = describe({7, TextFault::kSurrogate});
  EXPECT_NE(text.find("surrogate at byte 7"), std::string::npos) << text;
  EXPECT_NE(text.find("encode the text as UTF-8"), std::string::npos) << text;
}

TEST(Count, AsciiAlphabetHasNoEscapesAndNoAccents) {
  CountingRules rules;
  rules.alphabet = Alphabet::kAscii;
  EXPECT_EQ(counted("[x]`{y}~", rules).units, 8u);
  EXPECT_EQ(counted("[x]`{y}~", rules).encoding, Encoding::kGsm7);
  EXPECT_EQ(counted("caf\u00E9", rules).encoding, Encoding::kUcs2);
  EXPECT_EQ(counted("a\fb", rules).encoding, Encoding::kUcs2);
}

TEST(Count, ExcludedCharactersLeaveTheAlphabet) {
  CountingRules rules;
  rules.excluded = {0x20AC, 0x0C, 0xA7};
  EXPECT_EQ(counted("5 \u20AC", rules).encoding, Encoding::kUcs2);
  EXPECT_EQ(counted("\u00A7 7", rules).encoding, Encoding::kUcs2);
  EXPECT_EQ(counted("[5 \u00A3]", rules).encoding, Encoding::kGsm7);
  EXPECT_EQ(counted("[5 \u00A3]", rules).units, 7u);
}

struct ClusterCase {
  std::string_view name;
  std::string body;
  uint64_t aware;
  uint64_t cluster;
};

TEST(Count, ClusterRuleKeepsVisibleCharactersWhole) {
  const std::string y = "\u044F";
  const std::vector<ClusterCase> cases = {
      {"skin tone", repeat(y, 65) + "\U0001F44D\U0001F3FD" + repeat(y, 65), 2, 3},
      {"mark", repeat(y, 66) + "e\u0301" + repeat(y, 66), 2, 3},
      {"family", repeat(y, 64) + "\U0001F468\u200D\U0001F469\u200D\U0001F467" + repeat(y, 62), 2,
       3},
      {"flag", repeat(y, 66) + "\U0001F1E9\U0001F1EA" + repeat(y, 63), 2, 2},
      {"two flags", repeat(y, 63) + repeat("\U0001F1E9\U0001F1EA", 2) + repeat(y, 63), 2, 2},
      {"hangul", repeat(y, 66) + "\u1112\u1161\u11AB" + repeat(y, 65), 2, 3},
      {"mark after plain text", repeat("m", 66) + "e\u0301" + repeat("m", 66), 2, 3},
      {"mark after a line end", repeat("m", 66) + "\n\u0301" + repeat("m", 66), 2, 2},
      {"joiner between letters", repeat(y, 65) + "a\u200Db" + repeat(y, 66), 2, 2},
  };
  CountingRules rules;
  rules.straddle = Straddle::kCluster;
  for (const ClusterCase& c : cases) {
    EXPECT_EQ(counted(c.body).segments, c.aware) << c.name;
    EXPECT_EQ(counted(c.body, rules).segments, c.cluster) << c.name;
    EXPECT_EQ(ranges_of(c.body, rules).size(), c.cluster) << c.name;
  }
}

TEST(Count, ClusterLongerThanAPartIsCutBetweenItsCodePoints) {
  CountingRules rules;
  rules.straddle = Straddle::kCluster;
  const std::string body = "e" + repeat("\u0301", 200);
  EXPECT_EQ(counted(body, rules).units, 201u);
  EXPECT_EQ(counted(body, rules).segments, 3u);
  EXPECT_EQ(ranges_of(body, rules).size(), 3u);
}

TEST(Count, TooManySegmentsAreReportedWithTheirNumber) {
  CountingRules rules;
  rules.max_segments = 3;
  EXPECT_EQ(counted(repeat("m", 459), rules).fit, Fit::kWhole);
  const Counted long_one = counted(repeat("m", 460), rules);
  EXPECT_EQ(long_one.fit, Fit::kTooLong);
  EXPECT_EQ(long_one.segments, 4u);
  EXPECT_EQ(long_one.needed_segments, 4u);
  EXPECT_EQ(counted(repeat("m", 39016)).fit, Fit::kTooLong);
}

TEST(Count, TruncatedBodyIsPricedAsItIsCut) {
  CountingRules rules;
  rules.max_segments = 2;
  rules.past_max = PastMax::kTruncate;
  // The bracket would straddle the first cut, so the two parts hold 152 and 153 septets.
  const std::string body = repeat("m", 152) + "[" + repeat("m", 400);
  const Counted got = counted(body, rules);
  EXPECT_EQ(got.fit, Fit::kTruncated);
  EXPECT_EQ(got.segments, 2u);
  EXPECT_EQ(got.needed_segments, 4u);
  EXPECT_EQ(got.units, 305u);
  EXPECT_EQ(got.remaining, 0u);
  EXPECT_EQ(got.kept_bytes, 304u);
  EXPECT_EQ(ranges_of(body, rules), (std::vector<ByteRange>{{0, 152}, {152, 304}}));
}

TEST(Count, BodyTruncatedToOnePartNeedsNoHeader) {
  CountingRules rules;
  rules.max_segments = 1;
  rules.past_max = PastMax::kTruncate;
  EXPECT_EQ(counted(repeat("m", 161), rules).kept_bytes, 160u);
  EXPECT_EQ(counted(repeat("\u044F", 71), rules).kept_bytes, 140u);
  EXPECT_EQ(counted(repeat("\u044F", 69) + "\U0001F600", rules).remaining, 1u);
}

TEST(Boundaries, DividedCutShowsACharacterWhereItBegins) {
  CountingRules rules;
  rules.straddle = Straddle::kDivided;
  const std::string body = repeat("m", 152) + "[" + repeat("m", 152);
  EXPECT_EQ(ranges_of(body, rules), (std::vector<ByteRange>{{0, 153}, {153, 305}}));
  // The second half of the last bracket is all that the last part holds.
  const std::string tail = repeat("m", 305) + "[";
  EXPECT_EQ(ranges_of(tail, rules), (std::vector<ByteRange>{{0, 153}, {153, 306}, {306, 306}}));
}

TEST(NationalTables, HoldAsManyCharactersAsTheStandardGivesThem) {
  // Locking tables have 128 codes, less the escape and the codes left free; single shift tables are
  // the sum of what a language adds and what it shares.
  const size_t locking[] = {0, 127, 0, 127, 114, 120, 127, 120, 120, 116, 110, 102, 120, 127};
  const size_t single[] = {0, 17, 19, 37, 80, 68, 86, 71, 80, 73, 74, 75, 76, 88};
  for (unsigned i = 1; i <= 13; ++i) {
    const auto language = static_cast<Language>(i);
    size_t in_locking = 0;
    size_t in_single = 0;
    for (char32_t c = 0; c <= 0xFFFF; ++c) {
      in_locking += in_locking_table(language, c);
      in_single += in_single_shift_table(language, c);
    }
    EXPECT_EQ(in_locking, locking[i]) << i;
    EXPECT_EQ(in_single, single[i]) << i;
    EXPECT_EQ(has_locking_table(language), language != Language::kSpanish) << i;
    for (const char32_t c : std::u32string_view(U"\f^{}\\[~]|\u20AC")) {
      EXPECT_TRUE(in_single_shift_table(language, c)) << i;
    }
  }
}

CountingRules tables(Language locking, Language single) {
  CountingRules rules;
  rules.locking_table = locking;
  rules.single_shift_table = single;
  return rules;
}

TEST(NationalTables, TakeRoomInEveryHeader) {
  struct Row {
    CountingRules rules;
    std::string letter;
    uint64_t single;
    uint64_t part;
  };
  CountingRules wide = tables(Language::kTurkish, Language::kNone);
  wide.concat_reference = ConcatReference::k16Bits;
  const std::vector<Row> rows = {
      {tables(Language::kTurkish, Language::kNone), "\u011F", 155, 149},
      {tables(Language::kHindi, Language::kNone), "\u0915", 155, 149},
      {wide, "\u011F", 155, 148},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(counted(repeat(row.letter, row.single), row.rules).segments, 1u);
    EXPECT_EQ(counted(repeat(row.letter, row.single), row.rules).remaining, 0u);
    EXPECT_EQ(counted(repeat(row.letter, row.single + 1), row.rules).segments, 2u);
    EXPECT_EQ(counted(repeat(row.letter, 2 * row.part), row.rules).segments, 2u);
    EXPECT_EQ(counted(repeat(row.letter, 2 * row.part + 1), row.rules).segments, 3u);
  }
}

TEST(NationalTables, TwoTablesTakeTwoPlaces) {
  const CountingRules rules = tables(Language::kHindi, Language::kHindi);
  // One capital forces the single shift table beside the locking one: 152, and 146 a part.
  const auto body = [](size_t letters) { return "A" + repeat("\u0915", letters); };
  EXPECT_EQ(counted(body(150), rules).segments, 1u);
  EXPECT_EQ(counted(body(150), rules).units, 152u);
  EXPECT_EQ(counted(body(151), rules).segments, 2u);
  EXPECT_EQ(counted(body(290), rules).segments, 2u);
  EXPECT_EQ(counted(body(291), rules).segments, 3u);
  EXPECT_EQ(counted(body(150), rules).locking_table, Language::kHindi);
  EXPECT_EQ(counted(body(150), rules).single_shift_table, Language::kHindi);
}

TEST(NationalTables, AreUsedOnlyWhereTheySaveSegments) {
  const CountingRules rules = tables(Language::kTurkish, Language::kTurkish);
  const Counted plain = counted(repeat("m", 160), rules);
  EXPECT_EQ(plain.segments, 1u);
  EXPECT_EQ(plain.locking_table, Language::kNone);
  const Counted few = counted("\u011F", rules);
  EXPECT_EQ(few.encoding, Encoding::kUcs2);
  // One letter among 150 needs the single shift table only.
  const Counted many = counted(repeat("m", 150) + "\u011F", rules);
  EXPECT_EQ(many.encoding, Encoding::kGsm7);
  EXPECT_EQ(many.segments, 1u);
  EXPECT_EQ(many.locking_table, Language::kNone);
  EXPECT_EQ(many.single_shift_table, Language::kTurkish);
}

TEST(NationalTables, SpanishHasASingleShiftTableOnly) {
  const std::string body = repeat("ma\u00F1ana s\u00ED ", 14);
  EXPECT_EQ(counted(body, tables(Language::kNone, Language::kSpanish)).segments, 1u);
  EXPECT_EQ(counted(body, tables(Language::kSpanish, Language::kNone)), counted(body));
}

TEST(NationalTables, ExamplesOfTheResearchHold) {
  EXPECT_EQ(counted(repeat("\u015F", 150)).segments, 3u);
  EXPECT_EQ(counted(repeat("\u015F", 150), tables(Language::kTurkish, Language::kNone)).segments,
            1u);
  EXPECT_EQ(counted(repeat("\u0928", 200)).segments, 3u);
  EXPECT_EQ(counted(repeat("\u0928", 200), tables(Language::kHindi, Language::kNone)).segments, 2u);
}

TEST(Cost, IsSegmentsTimesRecipientsTimesWeightExactly) {
  Counted three;
  three.segments = 3;
  EXPECT_EQ(cost(three, 10'000), Units::of(30'000));
  EXPECT_EQ(cost(three, 7, Units::from_micro(350'000)), Units::from_micro(7'350'000));
}

// Random text that stays near what decides: plain letters, escapes, accents, pairs, marks.
std::string random_body(std::mt19937_64& random) {
  static constexpr std::u32string_view kInteresting =
      U"mmmmm[]{}\u20AC\u00E9\u00E7\u044F\u0301\u200D\U0001F600\U0001F1E9\n\r\f\t\u0928\u011F";
  const bool gsm_only = random() % 2 == 0;
  const size_t length = random() % 700;
  std::string body;
  for (size_t i = 0; i < length; ++i) {
    const auto any = static_cast<char32_t>(random() % 0x110000);
    const bool surrogate = any >= 0xD800 && any <= 0xDFFF;
    const bool wild = random() % 16 == 0 && !surrogate && !gsm_only;
    const size_t choices = gsm_only ? 11 : kInteresting.size();
    body += text_of(wild ? any : kInteresting[random() % choices]);
  }
  return body;
}

void expect_consistent(std::string_view body, const CountingRules& rules) {
  const Counted got = counted(body, rules);
  const std::vector<ByteRange> ranges = ranges_of(body, rules);
  ASSERT_EQ(ranges.size(), got.segments);
  size_t at = 0;
  for (const ByteRange& range : ranges) {
    ASSERT_EQ(range.begin, at);
    ASSERT_LE(range.begin, range.end);
    at = range.end;
  }
  ASSERT_EQ(at, got.kept_bytes);
  if (got.fit != Fit::kTruncated) {
    ASSERT_EQ(at, body.size());
  }
}

TEST(CountProperty, BoundariesAgreeWithTheCountUnderEveryRule) {
  std::mt19937_64 random(20240301);
  for (int round = 0; round < 1500; ++round) {
    const std::string body = random_body(random);
    CountingRules rules;
    rules.straddle = static_cast<Straddle>(random() % 3);
    rules.concat_reference = static_cast<ConcatReference>(random() % 2);
    rules.past_max = static_cast<PastMax>(random() % 2);
    rules.max_segments = static_cast<uint8_t>(1 + random() % 8);
    rules.locking_table = static_cast<Language>(random() % 14);
    rules.single_shift_table = static_cast<Language>(random() % 14);
    ASSERT_NO_FATAL_FAILURE(expect_consistent(body, rules)) << "round " << round;
  }
}

TEST(CountProperty, PackingNeverCountsFewerThanDividing) {
  std::mt19937_64 random(77);
  CountingRules divided;
  divided.straddle = Straddle::kDivided;
  CountingRules cluster;
  cluster.straddle = Straddle::kCluster;
  for (int round = 0; round < 1500; ++round) {
    const std::string body = random_body(random);
    const Counted packed = counted(body);
    ASSERT_GE(packed.segments, counted(body, divided).segments) << "round " << round;
    ASSERT_GE(counted(body, cluster).segments, packed.segments) << "round " << round;
    ASSERT_EQ(packed.units, counted(body, divided).units);
    ASSERT_EQ(packed.units, counted(body, cluster).units);
  }
}

TEST(CountProperty, RandomBytesAreCountedOrRefusedWithAnOffsetInside) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes(random() % 64, '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(random());
    const CountResult result = count(bytes, {});
    const auto invalid = find_invalid(bytes);
    ASSERT_EQ(std::holds_alternative<InvalidText>(result), invalid.has_value());
    if (invalid) {
      ASSERT_EQ(std::get<InvalidText>(result), *invalid);
      ASSERT_LT(invalid->byte_offset, bytes.size());
    }
  }
}

}  // namespace
}  // namespace weir
