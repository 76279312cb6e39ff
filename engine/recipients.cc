// SPDX-License-Identifier: Apache-2.0
//
// Method: most producers write a plus and digits, so that form is read eight digits at a time; the
// rest goes through a slower reader that knows separators and national forms. Both end in the same
// checks. Duplicates are found in an open hash table of positions in `valid`, sized once for all
// inputs, so ten thousand numbers cost two allocations and stay in the second-level cache.
//
// The hash has no secret: who may submit could craft collisions, and would slow down one list of
// theirs, whose length admission bounds.
#include "weir/recipients.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <variant>

#include "weir/check.h"

namespace weir {
namespace {

constexpr size_t kFewestDigits = 7;
constexpr size_t kMostDigits = 15;  // ITU-T E.164.

using Parsed = std::variant<Recipient, RecipientFault>;

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

// What people and address books put between digits, beside ASCII: no-break spaces, hyphens and
// dashes, and the marks that turn the direction of writing.
constexpr std::string_view kSeparators[] = {
    " ",      "\t",     "-",      ".",      "(",      ")",      "/",
    "\u00A0", "\u202F", "\u2009", "\u2010", "\u2011", "\u2012", "\u2013",
    "\u200E", "\u200F", "\u202A", "\u202B", "\u202C", "\u2066", "\u2069",
};

// Length of the separator at the front of `rest`, 0 if there is none.
size_t separator_length(std::string_view rest) {
  for (const std::string_view separator : kSeparators) {
    if (rest.starts_with(separator)) return separator.size();
  }
  return 0;
}

struct Spelling {
  Digits digits;
  bool plus = false;
  // Digits before "(0)", or more than there can be where it does not occur.
  size_t home_zero_at = SIZE_MAX;
};

std::variant<Spelling, RecipientFault> read_spelling(std::string_view raw) {
  Spelling spelling;
  for (size_t at = 0; at < raw.size();) {
    const std::string_view rest = raw.substr(at);
    if (is_digit(rest[0])) {
      spelling.digits.push(rest[0]);
      ++at;
    } else if (rest[0] == '+') {
      if (spelling.plus || spelling.digits.size > 0) return RecipientFault::kMisplacedPlus;
      spelling.plus = true;
      ++at;
    } else if (const size_t length = separator_length(rest); length > 0) {
      if (rest.starts_with("(0)")) spelling.home_zero_at = spelling.digits.size;
      at += length;
    } else {
      return RecipientFault::kNotANumber;
    }
  }
  if (spelling.digits.size == 0) {
    return spelling.plus ? RecipientFault::kTooShort : RecipientFault::kEmpty;
  }
  return spelling;
}

// Country code and national number, or what is wrong with them.
Parsed checked_number(std::string_view country, std::string_view rest) {
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

Parsed from_international(const Spelling& spelling, std::string_view digits) {
  const size_t dropped = spelling.digits.size - digits.size();
  const size_t zero = spelling.home_zero_at - dropped;
  if (spelling.home_zero_at > dropped && zero < digits.size()) {
    return checked_number(digits.substr(0, zero), digits.substr(zero + 1));
  }
  return checked_number({}, digits);
}

// Digits with neither plus nor trunk prefix, in the form that their length tells.
Parsed from_bare(std::string_view digits, const RecipientRules& rules) {
  // No numbering plan has longer national numbers without their trunk prefix, but for a few lines
  // that take no messages.
  constexpr size_t kLongestKnown = 11;
  const std::string_view country = rules.default_country_code;
  const bool known = rules.national_digits_max > 0;
  const size_t longest = known ? rules.national_digits_max : kLongestKnown;
  const bool begins_with_country = digits.starts_with(country);
  if (digits.size() > longest) {
    return begins_with_country ? checked_number({}, digits) : Parsed(RecipientFault::kNotNational);
  }
  // At eleven digits some plans have national numbers that begin with their own country code, and
  // others have international ones of that length. Ten after the code are a whole number.
  if (!known && begins_with_country && digits.size() == kLongestKnown) {
    constexpr size_t kWholeNumber = 10;
    const bool whole = digits.size() - country.size() >= kWholeNumber;
    return whole ? checked_number({}, digits) : Parsed(RecipientFault::kAmbiguous);
  }
  return checked_number(country, digits);
}

Parsed parse_slowly(std::string_view raw, const RecipientRules& rules) {
  const auto read = read_spelling(raw);
  if (const auto* fault = std::get_if<RecipientFault>(&read)) return *fault;
  const auto& spelling = std::get<Spelling>(read);
  const std::string_view digits = spelling.digits.view();
  if (spelling.plus) return from_international(spelling, digits);
  if (digits.starts_with("00")) return from_international(spelling, digits.substr(2));
  if (rules.default_country_code.empty()) return from_international(spelling, digits);
  if (!rules.trunk_prefix.empty() && digits.starts_with(rules.trunk_prefix)) {
    return checked_number(rules.default_country_code, digits.substr(rules.trunk_prefix.size()));
  }
  return from_bare(digits, rules);
}

// The number in eight ASCII digits, or nothing. Each step joins neighbours of one width: digits to
// pairs, pairs to fours, fours to eight.
bool read_eight(const char* text, uint32_t& number) {
  uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  const uint64_t high = word & 0xF0F0F0F0F0F0F0F0;
  const uint64_t past_nine = ((word + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) ^ high;
  if (high != 0x3030303030303030 || past_nine != 0) return false;
  word &= 0x0F0F0F0F0F0F0F0F;
  word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FF;
  word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFF;
  number = static_cast<uint32_t>(word * 10000 + (word >> 32));
  return true;
}

constexpr std::array<uint32_t, 9> kPowersOfTen = {1,      10,      100,      1000,     10000,
                                                  100000, 1000000, 10000000, 100000000};

// "+" and 8 to 15 digits, the first not 0: 0 for any other text. The last eight are read first; the
// eight at the front overlap them, and what was read twice is divided away.
uint64_t read_plain(std::string_view raw) {
  if constexpr (std::endian::native != std::endian::little) return 0;
  constexpr size_t kWord = 8;
  if (raw.size() < 1 + kWord || raw.size() > 1 + kMostDigits) return 0;
  if (raw[0] != '+' || raw[1] == '0') return 0;
  uint32_t front = 0;
  uint32_t back = 0;
  if (!read_eight(raw.data() + 1, front)) return 0;
  if (!read_eight(raw.data() + raw.size() - kWord, back)) return 0;
  const size_t overlap = 2 * kWord - (raw.size() - 1);
  return uint64_t{front / kPowersOfTen[overlap]} * kPowersOfTen[kWord] + back;
}

// Positions in `valid`, found by number. Half of the places at most are taken.
class Seen {
 public:
  static constexpr uint32_t kNew = UINT32_MAX;

  explicit Seen(size_t numbers)
      : slots_(std::bit_ceil(std::max<size_t>(2 * numbers, 2)), 0),
        shift_(64 - std::countr_zero(slots_.size())) {}

  // The position of an equal number, or kNew after `position` was noted for this one.
  uint32_t find_or_note(const std::vector<Recipient>& valid, Recipient recipient) {
    // 2^64 divided by the golden ratio spreads numbers that follow each other.
    size_t slot = (recipient.digits * 0x9E3779B97F4A7C15) >> shift_;
    while (slots_[slot] != 0) {
      const uint32_t position = slots_[slot] - 1;
      if (valid[position] == recipient) return position;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = static_cast<uint32_t>(valid.size()) + 1;
    return kNew;
  }

 private:
  std::vector<uint32_t> slots_;
  int shift_;
};

}  // namespace

std::string digits_form(Recipient recipient) {
  return std::to_string(recipient.digits);
}

std::string plus_form(Recipient recipient) {
  return "+" + digits_form(recipient);
}

std::string masked_form(Recipient recipient) {
  constexpr uint64_t kShown = 10000;
  std::string last = std::to_string(recipient.digits % kShown + kShown);
  last[0] = '*';
  return last;
}

std::string_view fault_text(RecipientFault fault) {
  switch (fault) {
    case RecipientFault::kEmpty: return "holds no digit; give a number such as +<country><number>";
    case RecipientFault::kNotANumber:
      return "holds something else than digits, a plus in front and separators; give digits only";
    case RecipientFault::kMisplacedPlus:
      return "has a plus that is not at the front; give one number each, the plus first";
    case RecipientFault::kLeadingZero:
      return "begins with 0 where its country code should; write +<country><number>, or set "
             "default_country_code and trunk_prefix for national numbers";
    case RecipientFault::kTooShort:
      return "has fewer than 7 digits; give the whole number with its country code";
    case RecipientFault::kTooLong:
      return "has more than 15 digits; give one number each, without an extension";
    case RecipientFault::kNotNational:
      return "is too long for a national number and has no plus; write +<country><number>";
    case RecipientFault::kAmbiguous:
      return "could be national, or international without its plus; write the plus or set "
             "national_digits_max";
  }
  return "is not a number";
}

Recipients parse_recipients(std::span<const std::string_view> raw, const RecipientRules& rules) {
  WEIR_CHECK(raw.size() <= size_t{1} << 31);
  Recipients result;
  result.valid.reserve(raw.size());
  // The input that each valid number came from.
  std::vector<uint32_t> inputs;
  inputs.reserve(raw.size());
  Seen seen(raw.size());
  for (size_t i = 0; i < raw.size(); ++i) {
    Recipient recipient{read_plain(raw[i])};
    if (recipient.digits == 0) {
      const Parsed parsed = parse_slowly(raw[i], rules);
      if (const auto* fault = std::get_if<RecipientFault>(&parsed)) {
        result.invalid.push_back({i, *fault});
        continue;
      }
      recipient = std::get<Recipient>(parsed);
    }
    const uint32_t same = seen.find_or_note(result.valid, recipient);
    if (same != Seen::kNew) {
      result.duplicates.push_back({i, inputs[same]});
      continue;
    }
    result.valid.push_back(recipient);
    inputs.push_back(static_cast<uint32_t>(i));
  }
  return result;
}

}  // namespace weir
