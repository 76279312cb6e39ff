// SPDX-License-Identifier: Apache-2.0
#include "weir/causes.h"

#include <algorithm>
#include <initializer_list>

#include "engine/septets.h"
#include "engine/utf8.h"

namespace weir {
namespace {

// Lists the characters that none of these alphabets holds.
void collect(std::string_view body, std::initializer_list<Septets> alphabets, size_t shown,
             Explanation& explanation) {
  const auto is_offender = [&](char32_t c) {
    return std::all_of(alphabets.begin(), alphabets.end(),
                       [c](const Septets& alphabet) { return alphabet.of(c) == 0; });
  };
  for (size_t at = 0, index = 0; at < body.size(); ++index) {
    const Decoded decoded = decode(body, at);
    if (is_offender(decoded.code_point)) {
      ++explanation.offenders_total;
      if (explanation.offenders.size() < shown) {
        explanation.offenders.push_back(
            {at, index, decoded.code_point, character_name(decoded.code_point)});
      }
    }
    at += decoded.length;
  }
}

std::string segments_text(uint64_t segments) {
  return std::to_string(segments) + (segments == 1 ? " segment" : " segments");
}

bool all_alike(const Explanation& explanation) {
  return explanation.offenders_total == explanation.offenders.size() &&
         std::all_of(explanation.offenders.begin(), explanation.offenders.end(),
                     [&](const Offender& o) { return o.name == explanation.offenders[0].name; });
}

// "1 curly apostrophe makes", "3 characters outside GSM-7 (the first: em dash) make".
std::string subject(const Explanation& explanation) {
  const size_t total = explanation.offenders_total;
  const std::string& first = explanation.offenders[0].name;
  if (total == 1) return "1 " + first + " makes";
  if (all_alike(explanation)) return std::to_string(total) + " times " + first + " make";
  return std::to_string(total) + " characters outside GSM-7 (the first: " + first + ") make";
}

}  // namespace

std::variant<Explanation, InvalidText> explain(std::string_view utf8, const CountingRules& rules,
                                               size_t shown) {
  const CountResult result = count(utf8, rules);
  if (const auto* invalid = std::get_if<InvalidText>(&result)) return *invalid;
  Explanation explanation;
  explanation.counted = std::get<Counted>(result);
  if (explanation.counted.encoding == Encoding::kUcs2) {
    const Septets standard(rules, {});
    const Septets national(rules, {rules.locking_table, rules.single_shift_table});
    collect(utf8, {standard, national}, shown, explanation);
    // Each character may have an alphabet, and no alphabet all of them.
    if (explanation.offenders_total == 0) collect(utf8, {standard}, shown, explanation);
    explanation.rewrite = smart_rewrite(utf8, rules);
  }
  return explanation;
}

std::string summary(const Explanation& explanation) {
  if (explanation.offenders.empty()) return {};
  const uint64_t now = explanation.counted.needed_segments;
  std::string text = subject(explanation) + " this " + segments_text(now) + " of UCS2";
  if (!explanation.rewrite) return text + "; there is no safe rewrite to GSM7.";
  const uint64_t then = explanation.rewrite->counted.needed_segments;
  if (then == now) return text + "; rewritten it is GSM7, still " + segments_text(then) + ".";
  return text + " instead of " + std::to_string(then) + " of GSM7.";
}

}  // namespace weir
