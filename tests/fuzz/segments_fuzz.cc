// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, under any rules, through everything that counts, cuts, rewrites and reads numbers.
//
// The first six bytes choose the rules and the rest is the body. What must hold whatever they are
// is checked with WEIR_CHECK; sanitizers find the rest.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/causes.h"
#include "weir/check.h"
#include "weir/recipients.h"
#include "weir/rewrite.h"
#include "weir/segments.h"

#include "engine/utf8.h"

namespace weir {
namespace {

constexpr size_t kRuleBytes = 6;

CountingRules rules_from(const uint8_t* bytes) {
  CountingRules rules;
  rules.alphabet = static_cast<Alphabet>(bytes[0] % 2);
  rules.straddle = static_cast<Straddle>(bytes[1] % 3);
  rules.concat_reference = static_cast<ConcatReference>(bytes[2] % 2);
  rules.past_max = static_cast<PastMax>(bytes[2] / 2 % 2);
  rules.max_segments = bytes[3] == 0 ? 255 : bytes[3];
  rules.locking_table = static_cast<Language>(bytes[4] % 14);
  rules.single_shift_table = static_cast<Language>(bytes[5] % 14);
  if (bytes[0] >= 0xF0) rules.excluded = {U'\u20AC', U'[', U'\f'};
  return rules;
}

void check_boundaries(std::string_view body, const CountingRules& rules, const Counted& counted) {
  const auto ranges = std::get<std::vector<ByteRange>>(boundaries(body, rules));
  WEIR_CHECK(ranges.size() == counted.segments);
  size_t at = 0;
  for (const ByteRange& range : ranges) {
    WEIR_CHECK(range.begin == at && range.end >= at);
    WEIR_CHECK(!find_invalid(body.substr(at, range.end - at)));
    at = range.end;
  }
  WEIR_CHECK(at == counted.kept_bytes);
  WEIR_CHECK(at == body.size() || counted.fit == Fit::kTruncated);
}

void check_packing(std::string_view body, CountingRules rules) {
  rules.past_max = PastMax::kReject;
  const auto packed = std::get<Counted>(count(body, rules));
  rules.straddle = Straddle::kDivided;
  WEIR_CHECK(packed.segments >= std::get<Counted>(count(body, rules)).segments);
}

void check_explanation(std::string_view body, const CountingRules& rules, const Counted& counted) {
  const auto explanation = std::get<Explanation>(explain(body, rules));
  WEIR_CHECK(explanation.counted == counted);
  WEIR_CHECK((explanation.offenders_total > 0) == (counted.encoding == Encoding::kUcs2));
  WEIR_CHECK(summary(explanation).empty() == (counted.encoding == Encoding::kGsm7));
  if (!explanation.rewrite) return;
  WEIR_CHECK(!find_invalid(explanation.rewrite->text));
  WEIR_CHECK(explanation.rewrite->counted.encoding == Encoding::kGsm7);
}

void check_body(std::string_view body, const CountingRules& rules) {
  const CountResult result = count(body, rules);
  const auto invalid = find_invalid(body);
  WEIR_CHECK(std::holds_alternative<InvalidText>(result) == invalid.has_value());
  if (invalid) {
    WEIR_CHECK(std::get<InvalidText>(result) == *invalid);
    WEIR_CHECK(std::holds_alternative<Counted>(count(repaired(body), rules)));
    return;
  }
  const auto& counted = std::get<Counted>(result);
  check_boundaries(body, rules, counted);
  check_packing(body, rules);
  check_explanation(body, rules, counted);
  const auto twilio = std::get<Rewritten>(rewrite(body, RewriteMap::kTwilio));
  WEIR_CHECK(!find_invalid(twilio.text));
}

void check_recipients(std::string_view text) {
  std::vector<std::string_view> raw;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    raw.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const Recipients got = parse_recipients(raw, {"91", "0", 0});
  WEIR_CHECK(got.valid.size() + got.duplicates.size() + got.invalid.size() == raw.size());
  for (const Recipient recipient : got.valid) {
    WEIR_CHECK(recipient.digits >= 1'000'000 && recipient.digits <= 999'999'999'999'999);
  }
  for (const DuplicateRecipient& d : got.duplicates)
    WEIR_CHECK(d.of_index < d.index);
}

}  // namespace
}  // namespace weir

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < weir::kRuleBytes) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + weir::kRuleBytes,
                              size - weir::kRuleBytes);
  weir::check_body(body, weir::rules_from(data));
  weir::check_recipients(body);
  return 0;
}
