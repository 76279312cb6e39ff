// SPDX-License-Identifier: Apache-2.0
//
// Recipients: telephone numbers as producers write them, brought to one form, so that nobody is
// billed twice for one person or once for a number that cannot exist.
//
// Pure; any thread may call it. The order of `valid` is that of the input, without what was
// dropped.
//
// A number is read so:
//   - Separators are skipped: space, tab, - . ( ) /, the no-break spaces, Unicode hyphens and the
//     invisible direction marks that come along when a number is copied.
//   - "+" or "00" begins the international form. "(0)" inside of one is the trunk digit that
//   callers
//     at home dial, and is dropped. The rest is E.164: 7 to 15 digits, the first not 0.
//   - Digits without either are the international form too, unless a default country code is set.
//     Then they are a national form: a trunk prefix is cut off and the country code put before it.
//
// Limits: syntax only. Whether a number is assigned, mobile or alive is for the operator to say.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

// The digits of an E.164 number as one integer: there are at most 15 and the first is not 0, so
// nothing is lost.
struct Recipient {
  uint64_t digits = 0;

  friend auto operator<=>(const Recipient&, const Recipient&) = default;
};

std::string digits_form(Recipient recipient);  // 919876543210
std::string plus_form(Recipient recipient);    // +919876543210
// For logs: *3210. The last four digits and nothing else, not even the length.
std::string masked_form(Recipient recipient);

struct RecipientRules {
  // Digits without a plus, at most 3 as E.164 has them; empty: every number is international.
  std::string default_country_code;
  // What callers at home dial before a national number: "0" in most countries, "1" in the North
  // American plan, empty where there is none. At most 8 digits.
  std::string trunk_prefix;
  // The most digits that a national number has without its trunk prefix (India and the North
  // American plan 10, Germany 11, France 9). It tells 919876543210, an international number that
  // lacks its plus, from a national one. 0 means unknown: then 11 is taken, and what could be read
  // both ways is refused.
  uint8_t national_digits_max = 0;
};

enum class RecipientFault : uint8_t {
  kEmpty,
  kNotANumber,     // Something else than digits and separators.
  kMisplacedPlus,  // A plus that is not at the front, or two.
  kLeadingZero,    // 0 where the country code begins.
  kTooShort,       // Fewer than 7 digits.
  kTooLong,        // More than 15 digits.
  kNotNational,    // Too long for a national number, and not of the default country.
  kAmbiguous,      // Could be national, or international without its plus.
};

// What is wrong and what to do about it; holds nothing of the number.
std::string_view fault_text(RecipientFault fault);

struct InvalidRecipient {
  size_t index = 0;
  RecipientFault fault = RecipientFault::kEmpty;

  friend bool operator==(const InvalidRecipient&, const InvalidRecipient&) = default;
};

// Input `index` is the same number as input `of_index`, the first of its kind.
struct DuplicateRecipient {
  size_t index = 0;
  size_t of_index = 0;

  friend bool operator==(const DuplicateRecipient&, const DuplicateRecipient&) = default;
};

struct Recipients {
  std::vector<Recipient> valid;
  std::vector<DuplicateRecipient> duplicates;
  std::vector<InvalidRecipient> invalid;
};

// At most 2^30 inputs; admission bounds a list far below that.
Recipients parse_recipients(std::span<const std::string_view> raw, const RecipientRules& rules);

}  // namespace weir
