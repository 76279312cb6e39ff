// SPDX-License-Identifier: Apache-2.0
//
// Rewriting into GSM-7, and saying why a body costs what it costs.
#include "weir/rewrite.h"

#include <string>

#include <gtest/gtest.h>

#include "weir/causes.h"

#include "engine/gsm_alphabet.h"
#include "engine/rewrite_table.h"
#include "engine/utf8.h"

namespace weir {
namespace {

std::string by_weir(std::string_view body) {
  return std::get<Rewritten>(rewrite(body, RewriteMap::kWeir)).text;
}

std::string by_twilio(std::string_view body) {
  return std::get<Rewritten>(rewrite(body, RewriteMap::kTwilio)).text;
}

Explanation explained(std::string_view body, const CountingRules& rules = {}) {
  return std::get<Explanation>(explain(body, rules));
}

std::string letters(size_t count) {
  return std::string(count, 'w');
}

bool is_mark_like(char32_t c) {
  return (c >= 0x0300 && c <= 0x036F) || (c >= 0x1DC0 && c <= 0x1DFF) ||
         (c >= 0x20D0 && c <= 0x20FF);
}

TEST(RewriteTable, WeirWritesOnlyGsm7AndTouchesNoDigitAndNoMark) {
  size_t rows = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const auto text = replacement_for(c, RewriteMap::kWeir);
    if (!text) continue;
    ++rows;
    EXPECT_EQ(gsm::septets(c), 0u) << static_cast<unsigned>(c) << " is GSM-7 already";
    EXPECT_FALSE(is_mark_like(c)) << static_cast<unsigned>(c);
    EXPECT_FALSE(c >= 0xFF10 && c <= 0xFF19) << static_cast<unsigned>(c);
    for (size_t at = 0; at < text->size();) {
      const Decoded decoded = decode(*text, at);
      EXPECT_NE(gsm::septets(decoded.code_point), 0u) << static_cast<unsigned>(c);
      at += decoded.length;
    }
  }
  EXPECT_GT(rows, 250u);
}

TEST(RewriteTable, HoldsTheProvidersPublishedList) {
  size_t rows = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c)
    rows += replacement_for(c, RewriteMap::kTwilio).has_value();
  EXPECT_EQ(rows, 271u);
}

TEST(Rewrite, StraightensWhatWordProcessorsBend) {
  EXPECT_EQ(by_weir("\u201CDon\u2019t\u201D \u2013 wait\u2026"), "\"Don't\" - wait...");
  EXPECT_EQ(by_weir("10\u00A0USD\u2011net \u2212 5\u2032"), "10 USD-net - 5'");
  EXPECT_EQ(by_weir("pay\u200B\u00AD\uFEFF\u200F now"), "pay now");
  EXPECT_EQ(by_weir("3 \u212B \u2126"), "3 \u00C5 \u03A9");
  EXPECT_EQ(by_weir("\uFF28\uFF49\uFF01"), "Hi!");
}

TEST(Rewrite, TellsHowManyCharactersItReplaced) {
  const auto got = std::get<Rewritten>(rewrite("\u201Ca\u2026\u200B\u201D", RewriteMap::kWeir));
  EXPECT_EQ(got.replaced, 4u);
}

TEST(Rewrite, LeavesCombiningMarksWithTheirLetters) {
  EXPECT_EQ(by_weir("a\u0303 e\u0302"), "a\u0303 e\u0302");
  EXPECT_EQ(by_twilio("a\u0303"), "a~");
}

struct UrlCase {
  std::string_view body;
  std::string_view rewritten;
};

TEST(Rewrite, LeavesUrlsAloneUpToWhiteSpace) {
  const UrlCase cases[] = {
      {"see https://x.test/a\u2013b\u2019c \u2013 ok", "see https://x.test/a\u2013b\u2019c - ok"},
      {"HTTP://x.test/\u2026\n\u2026", "HTTP://x.test/\u2026\n..."},
      {"www.x.test/\u2013 \u2013", "www.x.test/\u2013 -"},
      {"(www.x.test/\u2013)", "(www.x.test/\u2013)"},
      {"\u2013 https://x.test", "- https://x.test"},
      {"awww.\u2026", "awww...."},
      {"https://x.test/\u2013\u00A0\u2013", "https://x.test/\u2013 -"},
      {"http:/\u2013", "http:/-"},
  };
  for (const UrlCase& c : cases)
    EXPECT_EQ(by_weir(c.body), c.rewritten);
}

TEST(Rewrite, TouchesNoDigitAndJoinsNone) {
  EXPECT_EQ(by_weir("code \uFF14\uFF12"), "code \uFF14\uFF12");
  EXPECT_EQ(by_weir("\u00BD off"), "1/2 off");
  EXPECT_EQ(by_weir("1\u00BD off"), "1\u00BD off");
  EXPECT_EQ(by_weir("\u00BD5"), "\u00BD5");
  EXPECT_EQ(by_weir("\u00BD\u00BC"), "\u00BD\u00BC");
  EXPECT_EQ(by_twilio("1\uFF14\u00BD"), "141/2");
}

TEST(Rewrite, RefusesWhatIsNotText) {
  EXPECT_EQ(std::get<InvalidText>(rewrite("\u2019\xFF", RewriteMap::kWeir)),
            (InvalidText{3, TextFault::kNeverUtf8}));
}

TEST(SmartRewrite, IsAllOrNothing) {
  EXPECT_FALSE(smart_rewrite("\u201CHi\u201D \U0001F600", {}));
  EXPECT_FALSE(smart_rewrite("plain", {}));
  EXPECT_FALSE(smart_rewrite("\xFF", {}));
  EXPECT_FALSE(smart_rewrite("\u200B", {}));
  EXPECT_FALSE(smart_rewrite("https://x.test/\u2019", {}));
  EXPECT_EQ(smart_rewrite("it\u2019s", {})->text, "it's");
}

TEST(SmartRewrite, NeverCostsASegmentMore) {
  std::string dots;
  for (int i = 0; i < 70; ++i)
    dots += "\u2026";
  EXPECT_FALSE(smart_rewrite(dots, {}));
}

TEST(SmartRewrite, KeepsToTheAlphabetOfTheRules) {
  CountingRules rules;
  rules.excluded = {'\''};
  EXPECT_FALSE(smart_rewrite("it\u2019s", rules));
}

TEST(Explain, NamesTheOffenderItsPlaceAndTheWayBack) {
  const Explanation got = explained("Caf\u00E9: don\u2019t miss out");
  ASSERT_EQ(got.offenders.size(), 1u);
  EXPECT_EQ(got.offenders[0].byte_offset, 10u);
  EXPECT_EQ(got.offenders[0].index, 9u);
  EXPECT_EQ(got.offenders[0].code_point, U'\u2019');
  EXPECT_EQ(got.offenders[0].name, "curly apostrophe");
  ASSERT_TRUE(got.rewrite);
  EXPECT_EQ(got.rewrite->text, "Caf\u00E9: don't miss out");
  EXPECT_EQ(got.rewrite->counted.encoding, Encoding::kGsm7);
}

TEST(Explain, SaysWhatTheOffenderCosts) {
  EXPECT_EQ(summary(explained("It\u2019s " + letters(130))),
            "1 curly apostrophe makes this 3 segments of UCS2 instead of 1 of GSM7.");
  EXPECT_EQ(
      summary(explained("Don\u2019t miss out")),
      "1 curly apostrophe makes this 1 segment of UCS2; rewritten it is GSM7, still 1 segment.");
  EXPECT_EQ(summary(explained("Hi \U0001F600")),
            "1 emoji makes this 1 segment of UCS2; there is no safe rewrite to GSM7.");
  EXPECT_EQ(summary(explained("\u201Ca\u2013b")),
            "2 characters outside GSM-7 (the first: curly opening quote) make this 1 segment of "
            "UCS2; rewritten it is GSM7, still 1 segment.");
  EXPECT_EQ(summary(explained("plain")), "");
}

TEST(Explain, ListsTheFirstAndCountsAll) {
  std::string body;
  for (int i = 0; i < 25; ++i)
    body += "\u0928";
  const Explanation got = explained(body);
  EXPECT_EQ(got.offenders.size(), kShownOffenders);
  EXPECT_EQ(got.offenders_total, 25u);
  EXPECT_EQ(got.offenders[9].byte_offset, 27u);
  EXPECT_FALSE(got.rewrite);
}

TEST(Explain, BlamesNoCharacterOfAnAllowedTable) {
  CountingRules rules;
  rules.locking_table = Language::kTurkish;
  const Explanation emoji = explained("\u011F\U0001F600", rules);
  ASSERT_EQ(emoji.offenders.size(), 1u);
  EXPECT_EQ(emoji.offenders[0].name, "emoji");
  // o with stroke is in the default alphabet and g with breve in the Turkish one: none has both.
  const Explanation torn = explained("\u00F8\u011F", rules);
  ASSERT_EQ(torn.offenders.size(), 1u);
  EXPECT_EQ(torn.offenders[0].code_point, U'\u011F');
}

TEST(Explain, NamesCharactersByKindAndElseByCode) {
  EXPECT_EQ(character_name(0x1F600), "emoji");
  EXPECT_EQ(character_name(0x0928), "Devanagari letter");
  EXPECT_EQ(character_name(0x0301), "combining mark");
  EXPECT_EQ(character_name(0x00A0), "no-break space");
  EXPECT_EQ(character_name(0x200B), "zero width space");
  EXPECT_EQ(character_name(0x0430), "Cyrillic letter");
  EXPECT_EQ(character_name(0x00EA), "accented Latin letter");
  EXPECT_EQ(character_name(0x0001), "control character");
  EXPECT_EQ(character_name(0x2764), "emoji");
  EXPECT_EQ(character_name(0x10300), "U+10300");
}

}  // namespace
}  // namespace weir
