// SPDX-License-Identifier: Apache-2.0
#include "engine/rewrite_table.h"

#include <algorithm>
#include <iterator>

namespace weir {
namespace {

// A column that leaves the character as it is. An empty text removes it.
constexpr std::string_view kKeep{};

struct Row {
  char32_t from;
  std::string_view weir;
  std::string_view twilio;
};

constexpr Row kRows[] = {
    {0x0000, kKeep, ""},      {0x0003, kKeep, ""},       {0x0004, kKeep, ""},
    {0x0009, " ", "       "}, {0x0010, kKeep, ""},       {0x0011, kKeep, ""},
    {0x0012, kKeep, ""},      {0x0013, kKeep, ""},       {0x0014, kKeep, ""},
    {0x0017, kKeep, ""},      {0x0019, kKeep, ""},       {0x0060, "'", "'"},
    {0x0080, kKeep, "  "},    {0x008D, kKeep, "  "},     {0x0090, kKeep, "  "},
    {0x009B, kKeep, "  "},    {0x009F, kKeep, "  "},     {0x00A0, " ", "  "},
    {0x00AB, "\"", "\""},     {0x00AD, "", kKeep},       {0x00B4, "'", "'"},
    {0x00BB, "\"", "\""},     {0x00BC, "1/4", "1/4"},    {0x00BD, "1/2", "1/2"},
    {0x00BE, "3/4", "3/4"},   {0x00F7, "/", "/"},        {0x01C3, kKeep, "!"},
    {0x0262, "G", "G"},       {0x026A, "I", "I"},        {0x0274, "N", "N"},
    {0x0280, "R", "R"},       {0x028F, "Y", "Y"},        {0x0299, "B", "B"},
    {0x029C, "H", "H"},       {0x029F, "L", "L"},        {0x02B9, "'", "'"},
    {0x02BA, "\"", "\""},     {0x02BB, "'", "'"},        {0x02BC, "'", "'"},
    {0x02BD, "'", "'"},       {0x02C6, "^", "^"},        {0x02C8, "'", "'"},
    {0x02CA, "'", "'"},       {0x02CB, "'", "'"},        {0x02D0, ":", ":"},
    {0x02D6, "+", "+"},       {0x02DC, "~", "~"},        {0x02EE, "\"", "\""},
    {0x02F7, "~", "~"},       {0x02F8, ":", ":"},        {0x0302, kKeep, "^"},
    {0x0303, kKeep, "~"},     {0x0313, kKeep, "'"},      {0x0314, kKeep, "'"},
    {0x0326, kKeep, ","},     {0x0330, kKeep, "~"},      {0x0332, kKeep, "_"},
    {0x0334, kKeep, "~"},     {0x0337, kKeep, "/"},      {0x0338, kKeep, "/"},
    {0x0347, kKeep, "="},     {0x037E, ";", kKeep},      {0x061C, "", kKeep},
    {0x180E, "", kKeep},      {0x1D00, "A", "A"},        {0x1D04, "C", "C"},
    {0x1D05, "D", "D"},       {0x1D07, "E", "E"},        {0x1D0A, "J", "J"},
    {0x1D0B, "K", "K"},       {0x1D0D, "M", "M"},        {0x1D0F, "O", "O"},
    {0x1D18, "P", "P"},       {0x1D1B, "T", "T"},        {0x1D1C, "U", "U"},
    {0x1D20, "V", "V"},       {0x1D21, "W", "W"},        {0x1D22, "Z", "Z"},
    {0x1DCD, kKeep, "^"},     {0x2000, " ", "  "},       {0x2001, " ", " "},
    {0x2002, " ", "  "},      {0x2003, " ", "  "},       {0x2004, " ", "  "},
    {0x2005, " ", "  "},      {0x2006, " ", "  "},       {0x2007, " ", "  "},
    {0x2008, " ", "  "},      {0x2009, " ", "  "},       {0x200A, " ", "  "},
    {0x200B, "", ""},         {0x200C, "", ""},          {0x200D, "", kKeep},
    {0x200E, "", kKeep},      {0x200F, "", kKeep},       {0x2010, "-", "-"},
    {0x2011, "-", kKeep},     {0x2012, "-", kKeep},      {0x2013, "-", "-"},
    {0x2014, "-", "-"},       {0x2015, "-", "-"},        {0x2017, "_", "_"},
    {0x2018, "'", "'"},       {0x2019, "'", "'"},        {0x201A, "'", ","},
    {0x201B, "'", "'"},       {0x201C, "\"", "\""},      {0x201D, "\"", "\""},
    {0x201E, "\"", "\""},     {0x201F, "\"", "\""},      {0x2022, "-", "-"},
    {0x2024, ".", kKeep},     {0x2025, "..", kKeep},     {0x2026, "...", "..."},
    {0x2028, "\n", " "},      {0x2029, "\n", " "},       {0x202A, "", kKeep},
    {0x202B, "", kKeep},      {0x202C, "", kKeep},       {0x202D, "", kKeep},
    {0x202E, "", kKeep},      {0x202F, " ", "  "},       {0x2032, "'", kKeep},
    {0x2033, "\"", kKeep},    {0x2034, "'''", kKeep},    {0x2035, "'", kKeep},
    {0x2036, "\"", kKeep},    {0x2039, "<", "<"},        {0x203A, ">", ">"},
    {0x203C, "!!", "!!"},     {0x2043, "-", "-"},        {0x2044, "/", "/"},
    {0x2047, "??", kKeep},    {0x2048, "?!", kKeep},     {0x2049, "!?", kKeep},
    {0x204E, "*", "*"},       {0x204F, ";", ";"},        {0x205F, " ", "  "},
    {0x2060, "", ""},         {0x2066, "", kKeep},       {0x2067, "", kKeep},
    {0x2068, "", kKeep},      {0x2069, "", kKeep},       {0x20D2, kKeep, "|"},
    {0x20D3, kKeep, "|"},     {0x20E5, kKeep, "\\"},     {0x2126, "\u03A9", kKeep},
    {0x212A, "K", kKeep},     {0x212B, "\u00C5", kKeep}, {0x2212, "-", kKeep},
    {0x2215, "/", "/"},       {0x2217, "*", "*"},        {0x2223, "|", "|"},
    {0x223C, "~", "~"},       {0x229B, "*", "*"},        {0x239C, "|", "|"},
    {0x239F, "|", "|"},       {0x23B8, "|", "|"},        {0x23B9, "|", "|"},
    {0x23BC, "-", "-"},       {0x23BD, "-", "-"},        {0x23D0, "|", "|"},
    {0x2722, "*", "*"},       {0x2723, "*", "*"},        {0x2724, "*", "*"},
    {0x2725, "*", "*"},       {0x2731, "*", "*"},        {0x2732, "*", "*"},
    {0x2733, "*", "*"},       {0x273A, "*", "*"},        {0x273B, "*", "*"},
    {0x273C, "*", "*"},       {0x273D, "*", "*"},        {0x2743, "*", "*"},
    {0x2749, "*", "*"},       {0x274A, "*", "*"},        {0x274B, "*", "*"},
    {0x275B, "'", "'"},       {0x275C, "'", "'"},        {0x275D, "\"", "\""},
    {0x275E, "\"", "\""},     {0x2768, "(", "("},        {0x2769, ")", ")"},
    {0x276A, "(", "("},       {0x276B, ")", ")"},        {0x2774, "{", "{"},
    {0x2775, "}", "}"},       {0x27EE, "(", "("},        {0x27EF, ")", ")"},
    {0x2982, ":", ":"},       {0x2985, "(", "("},        {0x2986, ")", ")"},
    {0x29C6, "*", "*"},       {0x29F5, "\\", "\\"},      {0x29F8, "/", "/"},
    {0x29F9, "\\", "\\"},     {0x2E3A, "--", kKeep},     {0x2E3B, "---", kKeep},
    {0x3000, " ", "  "},      {0x3001, ",", ","},        {0x3002, ".", "."},
    {0x301D, "\"", "\""},     {0x301E, "\"", "\""},      {0xA730, "F", "F"},
    {0xA731, "S", "S"},       {0xA789, ":", ":"},        {0xA78A, "=", "="},
    {0xFE0E, "", kKeep},      {0xFE0F, "", kKeep},       {0xFE10, "'", "'"},
    {0xFE11, "'", "'"},       {0xFE13, ":", ":"},        {0xFE14, ";", ";"},
    {0xFE15, "!", "!"},       {0xFE16, "?", "?"},        {0xFE50, ",", ","},
    {0xFE51, ",", ","},       {0xFE52, ".", "."},        {0xFE54, ";", ";"},
    {0xFE56, "?", "?"},       {0xFE57, "!", "!"},        {0xFE58, "-", kKeep},
    {0xFE59, "(", "("},       {0xFE5A, ")", ")"},        {0xFE5B, "{", "{"},
    {0xFE5C, "}", "}"},       {0xFE5F, "#", "#"},        {0xFE60, "&", "&"},
    {0xFE61, "*", "*"},       {0xFE62, "+", "+"},        {0xFE63, "-", "-"},
    {0xFE64, "<", "<"},       {0xFE65, ">", ">"},        {0xFE66, "=", "="},
    {0xFE68, "\\", "\\"},     {0xFE69, "$", "$"},        {0xFE6A, "%", "%"},
    {0xFE6B, "@", "@"},       {0xFEFF, "", ""},          {0xFF01, "!", "!"},
    {0xFF02, "\"", "\""},     {0xFF03, "#", "#"},        {0xFF04, "$", "$"},
    {0xFF05, "%", "%"},       {0xFF06, "&", "&"},        {0xFF07, "'", "'"},
    {0xFF08, "(", "("},       {0xFF09, ")", ")"},        {0xFF0A, "*", "*"},
    {0xFF0B, "+", "+"},       {0xFF0C, ",", ","},        {0xFF0D, "-", "-"},
    {0xFF0E, ".", "."},       {0xFF0F, "/", "/"},        {0xFF10, kKeep, "0"},
    {0xFF11, kKeep, "1"},     {0xFF12, kKeep, "2"},      {0xFF13, kKeep, "3"},
    {0xFF14, kKeep, "4"},     {0xFF15, kKeep, "5"},      {0xFF16, kKeep, "6"},
    {0xFF17, kKeep, "7"},     {0xFF18, kKeep, "8"},      {0xFF19, kKeep, "9"},
    {0xFF1A, ":", ":"},       {0xFF1B, ";", ";"},        {0xFF1C, "<", "<"},
    {0xFF1D, "=", "="},       {0xFF1E, ">", ">"},        {0xFF1F, "?", "?"},
    {0xFF20, "@", "@"},       {0xFF21, "A", "A"},        {0xFF22, "B", "B"},
    {0xFF23, "C", "C"},       {0xFF24, "D", "D"},        {0xFF25, "E", "E"},
    {0xFF26, "F", "F"},       {0xFF27, "G", "G"},        {0xFF28, "H", "H"},
    {0xFF29, "I", "I"},       {0xFF2A, "J", "J"},        {0xFF2B, "K", "K"},
    {0xFF2C, "L", "L"},       {0xFF2D, "M", "M"},        {0xFF2E, "N", "N"},
    {0xFF2F, "O", "O"},       {0xFF30, "P", "P"},        {0xFF31, "Q", "Q"},
    {0xFF32, "R", "R"},       {0xFF33, "S", "S"},        {0xFF34, "T", "T"},
    {0xFF35, "U", "U"},       {0xFF36, "V", "V"},        {0xFF37, "W", "W"},
    {0xFF38, "X", "X"},       {0xFF39, "Y", "Y"},        {0xFF3A, "Z", "Z"},
    {0xFF3B, "[", "["},       {0xFF3C, "\\", "\\"},      {0xFF3D, "]", "]"},
    {0xFF3E, "^", "^"},       {0xFF3F, "_", "_"},        {0xFF41, "a", kKeep},
    {0xFF42, "b", kKeep},     {0xFF43, "c", kKeep},      {0xFF44, "d", kKeep},
    {0xFF45, "e", kKeep},     {0xFF46, "f", kKeep},      {0xFF47, "g", kKeep},
    {0xFF48, "h", kKeep},     {0xFF49, "i", kKeep},      {0xFF4A, "j", kKeep},
    {0xFF4B, "k", kKeep},     {0xFF4C, "l", kKeep},      {0xFF4D, "m", kKeep},
    {0xFF4E, "n", kKeep},     {0xFF4F, "o", kKeep},      {0xFF50, "p", kKeep},
    {0xFF51, "q", kKeep},     {0xFF52, "r", kKeep},      {0xFF53, "s", kKeep},
    {0xFF54, "t", kKeep},     {0xFF55, "u", kKeep},      {0xFF56, "v", kKeep},
    {0xFF57, "w", kKeep},     {0xFF58, "x", kKeep},      {0xFF59, "y", kKeep},
    {0xFF5A, "z", kKeep},     {0xFF5B, "{", "{"},        {0xFF5C, "|", "|"},
    {0xFF5D, "}", "}"},       {0xFF5E, "~", "~"},        {0xFF61, ".", "."},
    {0xFF64, ",", ","},
};

constexpr bool rows_ascend() {
  return std::is_sorted(std::begin(kRows), std::end(kRows),
                        [](const Row& a, const Row& b) { return a.from <= b.from; });
}
static_assert(rows_ascend());

}  // namespace

std::optional<std::string_view> replacement_for(char32_t code_point, RewriteMap map) {
  const Row* row = std::lower_bound(std::begin(kRows), std::end(kRows), code_point,
                                    [](const Row& r, char32_t c) { return r.from < c; });
  if (row == std::end(kRows) || row->from != code_point) return std::nullopt;
  const std::string_view text = map == RewriteMap::kWeir ? row->weir : row->twilio;
  if (text.data() == nullptr) return std::nullopt;
  return text;
}

}  // namespace weir
