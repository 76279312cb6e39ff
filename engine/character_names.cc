// SPDX-License-Identifier: Apache-2.0
//
// Method: the characters that arrive unasked (from word processors, web pages and keyboards) have
// names of their own, said as a writer would say them. The rest is named by what it is (mark,
// emoji) or by its script, which is what tells a writer why the text is not GSM-7.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "weir/causes.h"

#include "engine/code_ranges.h"
#include "engine/grapheme_table.h"

namespace weir {
namespace {

struct Named {
  char32_t code_point;
  std::string_view name;
};

constexpr Named kNames[] = {
    {0x0000, "NUL"},
    {0x0009, "tab"},
    {0x001B, "ESC control character"},
    {0x007F, "DEL control character"},
    {0x0060, "backtick"},
    {0x00A0, "no-break space"},
    {0x00A2, "cent sign"},
    {0x00A6, "broken bar"},
    {0x00A8, "diaeresis"},
    {0x00A9, "copyright sign"},
    {0x00AA, "feminine ordinal indicator"},
    {0x00AB, "left angle quote"},
    {0x00AC, "not sign"},
    {0x00AD, "soft hyphen"},
    {0x00AE, "registered sign"},
    {0x00AF, "macron"},
    {0x00B0, "degree sign"},
    {0x00B1, "plus-minus sign"},
    {0x00B2, "superscript two"},
    {0x00B3, "superscript three"},
    {0x00B4, "acute accent"},
    {0x00B5, "micro sign"},
    {0x00B7, "middle dot"},
    {0x00B9, "superscript one"},
    {0x00BA, "masculine ordinal indicator"},
    {0x00BB, "right angle quote"},
    {0x00BC, "one quarter"},
    {0x00BD, "one half"},
    {0x00BE, "three quarters"},
    {0x00D7, "multiplication sign"},
    {0x00E7, "small c cedilla"},
    {0x00F7, "division sign"},
    {0x0130, "capital dotted I"},
    {0x0131, "small dotless i"},
    {0x02BC, "modifier apostrophe"},
    {0x02C6, "modifier circumflex"},
    {0x02DC, "small tilde"},
    {0x061C, "Arabic letter mark"},
    {0x2002, "en space"},
    {0x2003, "em space"},
    {0x2009, "thin space"},
    {0x200A, "hair space"},
    {0x200B, "zero width space"},
    {0x200C, "zero width non-joiner"},
    {0x200D, "zero width joiner"},
    {0x200E, "left-to-right mark"},
    {0x200F, "right-to-left mark"},
    {0x2010, "Unicode hyphen"},
    {0x2011, "no-break hyphen"},
    {0x2012, "figure dash"},
    {0x2013, "en dash"},
    {0x2014, "em dash"},
    {0x2015, "horizontal bar"},
    {0x2018, "curly opening single quote"},
    {0x2019, "curly apostrophe"},
    {0x201A, "low single quote"},
    {0x201B, "reversed single quote"},
    {0x201C, "curly opening quote"},
    {0x201D, "curly closing quote"},
    {0x201E, "low double quote"},
    {0x201F, "reversed double quote"},
    {0x2022, "bullet"},
    {0x2026, "ellipsis"},
    {0x2028, "line separator"},
    {0x2029, "paragraph separator"},
    {0x202F, "narrow no-break space"},
    {0x2030, "per mille sign"},
    {0x2032, "prime"},
    {0x2033, "double prime"},
    {0x2039, "left single angle quote"},
    {0x203A, "right single angle quote"},
    {0x203C, "double exclamation mark"},
    {0x2044, "fraction slash"},
    {0x2060, "word joiner"},
    {0x20B9, "Indian rupee sign"},
    {0x20BD, "ruble sign"},
    {0x20BF, "bitcoin sign"},
    {0x2116, "numero sign"},
    {0x2122, "trade mark sign"},
    {0x2126, "ohm sign"},
    {0x212A, "kelvin sign"},
    {0x212B, "angstrom sign"},
    {0x2212, "minus sign"},
    {0x221E, "infinity sign"},
    {0x3000, "ideographic space"},
    {0xFE0E, "text variation selector"},
    {0xFE0F, "emoji variation selector"},
    {0xFEFF, "byte order mark"},
    {0xFFFC, "object replacement character"},
    {0xFFFD, "replacement character (an earlier decoding fault)"},
};

struct Block {
  CodeRange range;
  std::string_view name;
};

constexpr Block kBlocks[] = {
    {{0x0020, 0x007E}, "ASCII character outside this alphabet"},
    {{0x0080, 0x009F}, "control character"},
    {{0x00A1, 0x00BF}, "Latin sign"},
    {{0x00C0, 0x024F}, "accented Latin letter"},
    {{0x0250, 0x02AF}, "phonetic letter"},
    {{0x02B0, 0x02FF}, "modifier letter"},
    {{0x0370, 0x03FF}, "Greek letter"},
    {{0x0400, 0x052F}, "Cyrillic letter"},
    {{0x0530, 0x058F}, "Armenian letter"},
    {{0x0590, 0x05FF}, "Hebrew letter"},
    {{0x0600, 0x06FF}, "Arabic letter"},
    {{0x0700, 0x074F}, "Syriac letter"},
    {{0x0750, 0x077F}, "Arabic letter"},
    {{0x0780, 0x07BF}, "Thaana letter"},
    {{0x0860, 0x08FF}, "Arabic letter"},
    {{0x0900, 0x097F}, "Devanagari letter"},
    {{0x0980, 0x09FF}, "Bengali letter"},
    {{0x0A00, 0x0A7F}, "Gurmukhi letter"},
    {{0x0A80, 0x0AFF}, "Gujarati letter"},
    {{0x0B00, 0x0B7F}, "Oriya letter"},
    {{0x0B80, 0x0BFF}, "Tamil letter"},
    {{0x0C00, 0x0C7F}, "Telugu letter"},
    {{0x0C80, 0x0CFF}, "Kannada letter"},
    {{0x0D00, 0x0D7F}, "Malayalam letter"},
    {{0x0D80, 0x0DFF}, "Sinhala letter"},
    {{0x0E00, 0x0E7F}, "Thai letter"},
    {{0x0E80, 0x0EFF}, "Lao letter"},
    {{0x0F00, 0x0FFF}, "Tibetan letter"},
    {{0x1000, 0x109F}, "Myanmar letter"},
    {{0x10A0, 0x10FF}, "Georgian letter"},
    {{0x1100, 0x11FF}, "Hangul letter"},
    {{0x1200, 0x139F}, "Ethiopic letter"},
    {{0x1780, 0x17FF}, "Khmer letter"},
    {{0x1800, 0x18AF}, "Mongolian letter"},
    {{0x1D00, 0x1DBF}, "phonetic letter"},
    {{0x1E00, 0x1EFF}, "accented Latin letter"},
    {{0x1F00, 0x1FFF}, "Greek letter"},
    {{0x2000, 0x200A}, "Unicode space"},
    {{0x200B, 0x206F}, "Unicode punctuation"},
    {{0x2070, 0x209F}, "superscript or subscript"},
    {{0x20A0, 0x20CF}, "currency sign"},
    {{0x2100, 0x214F}, "letterlike sign"},
    {{0x2150, 0x218F}, "fraction or Roman numeral"},
    {{0x2190, 0x21FF}, "arrow"},
    {{0x2200, 0x22FF}, "mathematical sign"},
    {{0x2300, 0x23FF}, "technical sign"},
    {{0x2460, 0x24FF}, "enclosed letter or number"},
    {{0x2500, 0x259F}, "box drawing character"},
    {{0x25A0, 0x25FF}, "geometric shape"},
    {{0x2600, 0x27BF}, "symbol"},
    {{0x2E80, 0x2FFF}, "CJK character"},
    {{0x3000, 0x303F}, "CJK punctuation"},
    {{0x3040, 0x309F}, "Hiragana letter"},
    {{0x30A0, 0x30FF}, "Katakana letter"},
    {{0x3130, 0x318F}, "Hangul letter"},
    {{0x3400, 0x4DBF}, "CJK character"},
    {{0x4E00, 0x9FFF}, "CJK character"},
    {{0xAC00, 0xD7A3}, "Hangul letter"},
    {{0xE000, 0xF8FF}, "private use character"},
    {{0xF900, 0xFAFF}, "CJK character"},
    {{0xFB1D, 0xFB4F}, "Hebrew letter"},
    {{0xFB50, 0xFDFF}, "Arabic letter"},
    {{0xFE70, 0xFEFE}, "Arabic letter"},
    {{0xFF01, 0xFF60}, "fullwidth character"},
    {{0xFF61, 0xFF9F}, "halfwidth Katakana letter"},
    {{0x1D400, 0x1D7FF}, "mathematical letter"},
    {{0x1F1E6, 0x1F1FF}, "flag letter"},
    {{0x20000, 0x3FFFF}, "CJK character"},
};

std::string_view own_name(char32_t code_point) {
  const auto* named = std::find_if(std::begin(kNames), std::end(kNames),
                                   [&](const Named& n) { return n.code_point == code_point; });
  return named == std::end(kNames) ? std::string_view{} : named->name;
}

std::string_view block_name(char32_t code_point) {
  const auto* block = std::find_if(std::begin(kBlocks), std::end(kBlocks), [&](const Block& b) {
    return code_point >= b.range.first && code_point <= b.range.last;
  });
  return block == std::end(kBlocks) ? std::string_view{} : block->name;
}

// Blocks of Indic and other scripts hold their marks; those are letters to a reader.
bool is_loose_mark(char32_t c) {
  return (c >= 0x0300 && c <= 0x036F) || (c >= 0x1AB0 && c <= 0x1AFF) ||
         (c >= 0x1DC0 && c <= 0x1DFF) || (c >= 0x20D0 && c <= 0x20FF) ||
         (c >= 0xFE20 && c <= 0xFE2F);
}

std::string code_name(char32_t code_point) {
  std::array<char, 12> text{};
  std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(code_point));
  return text.data();
}

}  // namespace

std::string character_name(char32_t code_point) {
  if (const auto name = own_name(code_point); !name.empty()) return std::string(name);
  if (code_point < 0x20) return "control character";
  if (is_loose_mark(code_point)) return "combining mark";
  if (code_point >= 0x1F3FB && code_point <= 0x1F3FF) return "emoji skin tone";
  if (code_point > 0xFF && is_pictograph(code_point)) return "emoji";
  if (const auto name = block_name(code_point); !name.empty()) return std::string(name);
  return code_name(code_point);
}

}  // namespace weir
