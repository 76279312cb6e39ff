// SPDX-License-Identifier: Apache-2.0
#include "shim/config/counting_yaml.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {
namespace {

void read_language(YamlMap& map, const std::string& key, Language& out) {
  using enum Language;
  map.word<Language>(key, out,
                     {{"none", kNone},
                      {"turkish", kTurkish},
                      {"spanish", kSpanish},
                      {"portuguese", kPortuguese},
                      {"bengali", kBengali},
                      {"gujarati", kGujarati},
                      {"hindi", kHindi},
                      {"kannada", kKannada},
                      {"malayalam", kMalayalam},
                      {"oriya", kOriya},
                      {"punjabi", kPunjabi},
                      {"tamil", kTamil},
                      {"telugu", kTelugu},
                      {"urdu", kUrdu}});
}

// U+005E, as Unicode writes it: a bare character could not be told from its look-alikes.
std::optional<char32_t> code_point(std::string_view text) {
  if (!text.starts_with("U+") || text.size() < 6 || text.size() > 8) return std::nullopt;
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return std::nullopt;
  return static_cast<char32_t>(value);
}

void read_excluded(YamlMap& map, std::vector<char32_t>& out) {
  const std::optional<YamlValue> list = map.find("excluded");
  if (!list) return;
  list->each([&](const YamlValue& item) {
    const std::optional<std::string> text = item.text(8);
    if (!text) return;
    const std::optional<char32_t> character = code_point(*text);
    if (!character) {
      item.fault("write the character's code point, like U+005E");
      return;
    }
    out.push_back(*character);
  });
}

}  // namespace

void read_counting(YamlMap& map, CountingRules& rules) {
  map.word<Alphabet>("alphabet", rules.alphabet,
                     {{"gsm", Alphabet::kGsm}, {"ascii", Alphabet::kAscii}});
  read_excluded(map, rules.excluded);
  map.word<ConcatReference>("concat_reference_bits", rules.concat_reference,
                            {{"8", ConcatReference::k8Bits}, {"16", ConcatReference::k16Bits}});
  map.word<Straddle>("straddle", rules.straddle,
                     {{"aware", Straddle::kAware},
                      {"divided", Straddle::kDivided},
                      {"cluster", Straddle::kCluster}});
  map.integer("max_segments", rules.max_segments, {1, 255});
  map.word<PastMax>("past_max", rules.past_max,
                    {{"reject", PastMax::kReject}, {"truncate", PastMax::kTruncate}});
  read_language(map, "locking_table", rules.locking_table);
  read_language(map, "single_shift_table", rules.single_shift_table);
}

}  // namespace weir
