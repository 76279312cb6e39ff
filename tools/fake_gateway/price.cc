// SPDX-License-Identifier: Apache-2.0
#include "tools/fake_gateway/price.h"

#include <algorithm>
#include <utility>

#include "weir/segments.h"

namespace weir {
namespace {

constexpr std::pair<std::string_view, Disagreement> kWords[] = {
    {"", Disagreement::kNone},
    {"divided", Disagreement::kDivided},
    {"gsm-as-unicode", Disagreement::kGsmAsUnicode},
    {"off-by-one", Disagreement::kOffByOne},
};

struct Price {
  const char* encoding;
  uint64_t length;
  uint64_t remaining;
  uint64_t credit;
};

// Every GSM-7 character is one unit of UCS-2, so no pair can straddle and division is exact.
Price as_unicode(std::string_view gsm_text) {
  const auto units = static_cast<uint64_t>(
      std::count_if(gsm_text.begin(), gsm_text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  const uint64_t credit = units <= 70 ? 1 : (units + 66) / 67;
  return {"UNICODE", units, (credit == 1 ? 70 : credit * 67) - units, credit};
}

Price price_of(std::string_view body, const Counted& counted, Disagreement disagreement) {
  const bool gsm = counted.encoding == Encoding::kGsm7;
  if (gsm && disagreement == Disagreement::kGsmAsUnicode) return as_unicode(body);
  const uint64_t credit = counted.segments + (disagreement == Disagreement::kOffByOne ? 1 : 0);
  return {gsm ? "TEXT" : "UNICODE", counted.units, counted.remaining, credit};
}

std::string envelope(const char* status, const char* code, const std::string& rest) {
  return std::string(R"({"response":{"api":"info","action":"msg","status":")") + status +
         R"(","msg":")" + status + R"(","code":")" + code + '"' + rest + "}}";
}

}  // namespace

Result<Disagreement> parse_disagreement(std::string_view text) {
  for (const auto& [word, disagreement] : kWords) {
    if (word == text) return disagreement;
  }
  return Error{"is none of divided, gsm-as-unicode, off-by-one"};
}

std::string price_json(std::string_view body, Disagreement disagreement) {
  CountingRules rules;
  if (disagreement == Disagreement::kDivided) rules.straddle = Straddle::kDivided;
  const CountResult counted = count(body, rules);
  if (std::holds_alternative<InvalidText>(counted)) return envelope("error", "101", "");
  const Price price = price_of(body, std::get<Counted>(counted), disagreement);
  return envelope("success", "200",
                  std::string(R"(,"count":1,"msgList":{"encoding":")") + price.encoding +
                      R"(","length":)" + std::to_string(price.length) + R"(,"remaining":)" +
                      std::to_string(price.remaining) + R"(,"credit":)" +
                      std::to_string(price.credit) + "}");
}

}  // namespace weir
