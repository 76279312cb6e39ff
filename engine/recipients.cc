// SPDX-License-Identifier: Apache-2.0
//
// Method: all inputs are read first. A list that rises from number to number, as an export that was
// sorted does, has no duplicates; in any other they are looked for in an open hash table of
// positions among the valid numbers, sized once. Ten thousand numbers cost two allocations and stay
// in the second-level cache.
//
// The hash has no secret: who may submit could craft collisions, and would slow down one list of
// theirs, whose length admission bounds.
#include "weir/recipients.h"

#include <algorithm>
#include <bit>

#include "weir/check.h"

#include "engine/phone_number.h"

namespace weir {
namespace {

// Positions in the list of valid numbers, found by number. An eighth to a quarter of the places are
// taken at most, because a wrong guess of the processor at a taken one costs more than the room.
class Seen {
 public:
  explicit Seen(size_t numbers)
      : slots_(std::bit_ceil(std::max<size_t>(4 * numbers, 2)), 0),
        shift_(64 - std::countr_zero(slots_.size())) {}

  // The position of the first number that equals the one at `position`, which may be itself.
  uint32_t find_or_note(const Recipient* valid, uint32_t position) {
    const Recipient wanted = valid[position];
    uint32_t* const slots = slots_.data();
    // 2^64 divided by the golden ratio spreads numbers that follow each other.
    size_t slot = (wanted.digits * 0x9E3779B97F4A7C15) >> shift_;
    while (slots[slot] != 0) {
      const uint32_t other = slots[slot] - 1;
      if (valid[other] == wanted) return other;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots[slot] = position + 1;
    return position;
  }

 private:
  std::vector<uint32_t> slots_;
  int shift_;
};

// The valid numbers and the invalid inputs, in order.
void read_all(std::span<const std::string_view> raw, const RecipientRules& rules,
              Recipients& result) {
  result.valid.resize(raw.size());
  Recipient* next = result.valid.data();
  for (size_t i = 0; i < raw.size(); ++i) {
    if (const uint64_t digits = read_plain_number(raw[i]); digits != 0) {
      *next++ = {digits};
      continue;
    }
    const ReadNumber parsed = read_number(raw[i], rules);
    if (const auto* fault = std::get_if<RecipientFault>(&parsed)) {
      result.invalid.push_back({i, *fault});
    } else {
      *next++ = std::get<Recipient>(parsed);
    }
  }
  result.valid.resize(static_cast<size_t>(next - result.valid.data()));
}

// The input that became the valid number at `position`: as many were invalid before it as have
// fewer valid numbers in front of them than it has, and that is known by halving.
size_t input_of(const std::vector<InvalidRecipient>& invalid, size_t position) {
  size_t low = 0;
  size_t high = invalid.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (invalid[middle].index - middle <= position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return position + low;
}

bool rises(const std::vector<Recipient>& valid) {
  const auto not_above = [](Recipient a, Recipient b) { return a.digits >= b.digits; };
  return std::adjacent_find(valid.begin(), valid.end(), not_above) == valid.end();
}

void drop_duplicates(Recipients& result) {
  if (rises(result.valid)) return;
  Seen seen(result.valid.size());
  // By position among the valid numbers, until all are found.
  std::vector<DuplicateRecipient>& found = result.duplicates;
  const Recipient* const valid = result.valid.data();
  const auto size = static_cast<uint32_t>(result.valid.size());
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t same = seen.find_or_note(valid, i);
    if (same != i) found.push_back({i, same});
  }
  if (found.empty()) return;
  auto kept = result.valid.begin();
  auto drop = found.begin();
  for (size_t i = 0; i < size; ++i) {
    if (drop != found.end() && drop->index == i) {
      ++drop;
    } else {
      *kept++ = valid[i];
    }
  }
  result.valid.erase(kept, result.valid.end());
  for (DuplicateRecipient& duplicate : found) {
    duplicate.index = input_of(result.invalid, duplicate.index);
    duplicate.of_index = input_of(result.invalid, duplicate.of_index);
  }
}

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
  WEIR_CHECK(raw.size() <= size_t{1} << 30);
  Recipients result;
  read_all(raw, rules, result);
  drop_duplicates(result);
  return result;
}

}  // namespace weir
