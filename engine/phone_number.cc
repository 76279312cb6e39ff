// SPDX-License-Identifier: Apache-2.0
//
// Method: the plain form (a plus and digits, as most producers write it) is read eight digits at a
// time, without a loop; every other spelling is taken apart character by character and then
// completed by what its beginning and length say. Both end in the same checks.
#include "engine/phone_number.h"

#include <array>
#include <bit>
#include <cstring>
#include <optional>

namespace weir {
namespace {

constexpr size_t kFewestDigits = 7;
constexpr size_t kMostDigits = 15;  // ITU-T E.164.

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Digits as read. There is room for a number that is one too long, behind 00 or a trunk prefix, and
// for a trunk digit within.
struct Digits {
  std::array<char, 32> text{};
  size_t size = 0;

  // Digits past the room are dropped: the number is already too long.
  void push(char c) {
    if (size < text.size()) text[size++] = c;
  }
  std::string_view view() const { return {text.data(), size}; }
};

bool is_ascii_separator(char c) {
  return c == ' ' || c == '-' || c == '.' || c == '(' || c == ')' || c == '/' || c == '\t';
}

// What address books and web pages put between digits beside those: no-break spaces, hyphens and
// dashes, and the marks that turn the direction of writing.
constexpr std::string_view kLongSeparators[] = {
    "\u00A0", "\u2009", "\u200E", "\u200F", "\u2010", "\u2011", "\u2012",
    "\u2013", "\u202A", "\u202B", "\u202C", "\u202F", "\u2066", "\u2069",
};

// Length of the separator at the front of `rest`, 0 if there is none.
size_t separator_length(std::string_view rest) {
  if (is_ascii_separator(rest[0])) return 1;
  for (const std::string_view separator : kLongSeparators) {
    if (rest.starts_with(separator)) return separator.size();
  }
  return 0;
}

// What stands in a number besides separators.
struct Spelling {
  Digits digits;
  bool plus = false;
  // Digits before "(0)", or more than there can be where it does not occur.
  size_t home_zero_at = SIZE_MAX;
};

std::optional<RecipientFault> read_spelling(std::string_view raw, Spelling& spelling) {
  for (size_t at = 0; at < raw.size();) {
    if (is_digit(raw[at])) {
      spelling.digits.push(raw[at++]);
      continue;
    }
    const std::string_view rest = raw.substr(at);
    if (rest[0] == '+') {
      if (spelling.plus || spelling.digits.size > 0) return RecipientFault::kMisplacedPlus;
      spelling.plus = true;
      ++at;
      continue;
    }
    const size_t length = separator_length(rest);
    if (length == 0) return RecipientFault::kNotANumber;
    if (rest.starts_with("(0)")) spelling.home_zero_at = spelling.digits.size;
    at += length;
  }
  if (spelling.digits.size > 0) return std::nullopt;
  return spelling.plus ? RecipientFault::kTooShort : RecipientFault::kEmpty;
}

// Country code and national number, or what is wrong with them.
ReadNumber checked_number(std::string_view country, std::string_view rest) {
  const size_t size = country.size() + rest.size();
  if ((country.empty() ? rest : country).starts_with('0')) return RecipientFault::kLeadingZero;
  if (size < kFewestDigits) return RecipientFault::kTooShort;
  if (size > kMostDigits) return RecipientFault::kTooLong;
  Recipient recipient;
  for (const std::string_view part : {country, rest}) {
    for (const char c : part) {
      recipient.digits = recipient.digits * 10 + static_cast<uint64_t>(c - '0');
    }
  }
  return recipient;
}

ReadNumber from_international(const Spelling& spelling, std::string_view digits) {
  const size_t dropped = spelling.digits.size - digits.size();
  const size_t zero = spelling.home_zero_at - dropped;
  if (spelling.home_zero_at > dropped && zero < digits.size()) {
    return checked_number(digits.substr(0, zero), digits.substr(zero + 1));
  }
  return checked_number({}, digits);
}

// Digits with neither plus nor trunk prefix, in the form that their length tells.
ReadNumber from_bare(std::string_view digits, const RecipientRules& rules) {
  // No numbering plan has longer national numbers without their trunk prefix, but for a few lines
  // that take no messages.
  constexpr size_t kLongestKnown = 11;
  const std::string_view country = rules.default_country_code;
  const bool known = rules.national_digits_max > 0;
  const size_t longest = known ? rules.national_digits_max : kLongestKnown;
  const bool begins_with_country = digits.starts_with(country);
  if (digits.size() > longest) {
    return begins_with_country ? checked_number({}, digits)
                               : ReadNumber(RecipientFault::kNotNational);
  }
  // At eleven digits some plans have national numbers that begin with their own country code, and
  // others have international ones of that length. Ten after the code are a whole number.
  if (!known && begins_with_country && digits.size() == kLongestKnown) {
    constexpr size_t kWholeNumber = 10;
    const bool whole = digits.size() - country.size() >= kWholeNumber;
    return whole ? checked_number({}, digits) : ReadNumber(RecipientFault::kAmbiguous);
  }
  return checked_number(country, digits);
}

uint64_t load_eight(const char* text) {
  uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// The number in eight digits, the first in the lowest byte, each byte 0 to 9. Each multiplication
// joins neighbours of one width and leaves the sum in the upper one: digits to pairs (10 x 2^8 +
// 1), pairs to fours (100 x 2^16 + 1), fours to eight (10000 x 2^32 + 1).
uint64_t number_in(uint64_t word) {
  word = (word * 0xA01) >> 8 & 0x00FF00FF00FF00FF;
  word = (word * 0x640001) >> 16 & 0x0000FFFF0000FFFF;
  return (word * 0x271000000001) >> 32;
}

}  // namespace

uint64_t read_plain_number(std::string_view raw) {
  if constexpr (std::endian::native != std::endian::little) return 0;
  constexpr size_t kWord = 8;
  constexpr uint64_t kZeros = 0x3030303030303030;
  constexpr uint64_t kToTop = 0x7676767676767676;  // Takes any byte above 9 to the top bit.
  constexpr uint64_t kTops = 0x8080808080808080;
  const size_t digits = raw.size() - 1;
  if (digits - kWord > kMostDigits - kWord || raw[0] != '+') return 0;
  const uint64_t front = load_eight(raw.data() + 1) ^ kZeros;
  const uint64_t back = load_eight(raw.data() + 1 + digits - kWord) ^ kZeros;
  const uint64_t foreign = (front + kToTop) | front | (back + kToTop) | back;
  if ((foreign & kTops) != 0 || (front & 0xFF) == 0) return 0;
  // Shifted by half each time, because a shift by the whole word is not defined.
  const size_t half = 4 * (2 * kWord - digits);
  return number_in(front << half << half) * 100'000'000 + number_in(back);
}

ReadNumber read_number(std::string_view raw, const RecipientRules& rules) {
  Spelling spelling;
  if (const auto fault = read_spelling(raw, spelling)) return *fault;
  const std::string_view digits = spelling.digits.view();
  if (spelling.plus) return from_international(spelling, digits);
  if (digits.starts_with("00")) return from_international(spelling, digits.substr(2));
  if (rules.default_country_code.empty()) return from_international(spelling, digits);
  if (!rules.trunk_prefix.empty() && digits.starts_with(rules.trunk_prefix)) {
    return checked_number(rules.default_country_code, digits.substr(rules.trunk_prefix.size()));
  }
  return from_bare(digits, rules);
}

}  // namespace weir
