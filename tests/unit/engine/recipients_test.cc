// SPDX-License-Identifier: Apache-2.0
//
// Telephone numbers in the spellings of the world.
#include "weir/recipients.h"

#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace weir {
namespace {

Recipients parsed(const std::vector<std::string_view>& raw, const RecipientRules& rules = {}) {
  return parse_recipients(raw, rules);
}

// The number as digits, or nothing where it is refused.
std::optional<std::string> read(std::string_view raw, const RecipientRules& rules = {}) {
  const Recipients got = parsed({raw}, rules);
  if (got.valid.empty()) return std::nullopt;
  return digits_form(got.valid[0]);
}

std::optional<RecipientFault> fault(std::string_view raw, const RecipientRules& rules = {}) {
  const Recipients got = parsed({raw}, rules);
  if (got.invalid.empty()) return std::nullopt;
  return got.invalid[0].fault;
}

struct Spelling {
  std::string_view raw;
  std::string_view digits;
};

TEST(Recipients, AreReadInEverySpellingOfAnInternationalNumber) {
  const Spelling spellings[] = {
      {"+919876543210", "919876543210"},
      {"919876543210", "919876543210"},
      {"00919876543210", "919876543210"},
      {"+91 98765 43210", "919876543210"},
      {"(+91) 98765-43210", "919876543210"},
      {"+91.98765/43210", "919876543210"},
      {"+91\u00A098765\u201143210", "919876543210"},
      {"\u202A+91 98765 43210\u202C", "919876543210"},
      {"+44 (0)20 7946 0958", "442079460958"},
      {"0044 (0)20 7946 0958", "442079460958"},
      {"00 1 202 555 0123", "12025550123"},
      {"+1234567", "1234567"},
      {"+12345678", "12345678"},
      {"+123456789012345", "123456789012345"},
      {"00123456789012345", "123456789012345"},
      {"\t+390612345678 ", "390612345678"},
  };
  for (const Spelling& s : spellings)
    EXPECT_EQ(read(s.raw), s.digits) << s.raw;
}

TEST(Recipients, OfEveryLengthAreReadTheSameFastAndSlow) {
  // Only a plus with digits takes the fast way; a space behind them takes the slow one.
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::string digits(1 + random() % 18, '0');
    for (char& c : digits)
      c = static_cast<char>('0' + random() % 10);
    const std::string plain = "+" + digits;
    const std::string spaced = plain + " ";
    ASSERT_EQ(read(plain), read(spaced)) << plain;
    ASSERT_EQ(fault(plain), fault(spaced)) << plain;
    if (read(plain)) {
      ASSERT_EQ(read(plain), digits);
    }
  }
}

TEST(Recipients, WithOneForeignByteAnywhereAreRefused) {
  for (size_t place = 1; place < 13; ++place) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto c = static_cast<char>(byte);
      if ((c >= '0' && c <= '9') ||
          std::string_view(" \t-.()/").find(c) != std::string_view::npos) {
        continue;
      }
      std::string raw = "+919876543210";
      raw[place] = c;
      ASSERT_TRUE(fault(raw)) << place << " " << byte;
    }
  }
}

struct Refusal {
  std::string_view raw;
  RecipientFault fault;
};

TEST(Recipients, AreRefusedWithTheReason) {
  const Refusal refusals[] = {
      {"", RecipientFault::kEmpty},
      {" - ", RecipientFault::kEmpty},
      {"+", RecipientFault::kTooShort},
      {"+123456", RecipientFault::kTooShort},
      {"123456", RecipientFault::kTooShort},
      {"+1234567890123456", RecipientFault::kTooLong},
      {"001234567890123456", RecipientFault::kTooLong},
      {"+12345678901234567890123456789012345678901234567890", RecipientFault::kTooLong},
      {"+0919876543210", RecipientFault::kLeadingZero},
      {"09876543210", RecipientFault::kLeadingZero},
      {"000919876543210", RecipientFault::kLeadingZero},
      {"++919876543210", RecipientFault::kMisplacedPlus},
      {"91+9876543210", RecipientFault::kMisplacedPlus},
      {"+91987654321O", RecipientFault::kNotANumber},
      {"call me", RecipientFault::kNotANumber},
      {"+919876543210,+919876543211", RecipientFault::kNotANumber},
      {"+91 98765 43210 x12", RecipientFault::kNotANumber},
      {"\uFF0B919876543210", RecipientFault::kNotANumber},
  };
  for (const Refusal& r : refusals) {
    EXPECT_EQ(fault(r.raw), r.fault) << r.raw;
    EXPECT_GT(fault_text(r.fault).size(), 20u);
  }
}

RecipientRules plan(std::string country, std::string trunk, uint8_t national_digits_max = 0) {
  return {std::move(country), std::move(trunk), national_digits_max};
}

struct National {
  RecipientRules rules;
  std::string_view raw;
  std::string_view digits;
};

TEST(Recipients, InNationalFormAreCompleted) {
  const National cases[] = {
      {plan("91", "0"), "9876543210", "919876543210"},
      {plan("91", "0"), "09876543210", "919876543210"},
      {plan("91", "0"), "098765 43210", "919876543210"},
      {plan("91", "0"), "919876543210", "919876543210"},
      {plan("91", "0"), "9198765432", "919198765432"},
      {plan("91", "0"), "+447911123456", "447911123456"},
      {plan("91", "0"), "00447911123456", "447911123456"},
      {plan("44", "0"), "(020) 7946 0958", "442079460958"},
      {plan("44", "0"), "447911123456", "447911123456"},
      {plan("1", "1"), "(202) 555-0123", "12025550123"},
      {plan("1", "1"), "1-202-555-0123", "12025550123"},
      {plan("1", ""), "12025550123", "12025550123"},
      {plan("39", ""), "06 1234 5678", "390612345678"},
      {plan("49", "0"), "0176 12345678", "4917612345678"},
      {plan("55", "0", 11), "55991234567", "5555991234567"},
      {plan("55", "0", 11), "5555991234567", "5555991234567"},
      {plan("33", "0", 9), "33612345678", "33612345678"},
  };
  for (const National& n : cases)
    EXPECT_EQ(read(n.raw, n.rules), n.digits) << n.raw;
}

TEST(Recipients, ThatCouldBeTwoNumbersAreRefused) {
  EXPECT_EQ(fault("447911123456", plan("91", "0")), RecipientFault::kNotNational);
  EXPECT_EQ(fault("33612345678", plan("33", "0")), RecipientFault::kAmbiguous);
  EXPECT_EQ(fault("447911123456", plan("91", "0", 10)), RecipientFault::kNotNational);
}

TEST(Recipients, InAnotherSpellingAreDuplicates) {
  const Recipients got = parsed({"+919876543210", "bad", "+919876543211", "098765-43210",
                                 "0091 98765 43210", "+919876543211", "+919876543212"},
                                plan("91", "0"));
  EXPECT_EQ(got.valid, (std::vector<Recipient>{{919876543210}, {919876543211}, {919876543212}}));
  EXPECT_EQ(got.duplicates, (std::vector<DuplicateRecipient>{{3, 0}, {4, 0}, {5, 2}}));
  EXPECT_EQ(got.invalid, (std::vector<InvalidRecipient>{{1, RecipientFault::kNotANumber}}));
}

TEST(Recipients, InLongListsAreSortedOutAsByAPlainMap) {
  std::mt19937_64 random(3);
  std::vector<std::string> text;
  for (int i = 0; i < 20'000; ++i)
    text.push_back("+9198" + std::to_string(10'000'000 + random() % 9'000));
  const std::vector<std::string_view> raw(text.begin(), text.end());
  const Recipients got = parsed(raw);
  std::unordered_map<std::string_view, size_t> first;
  std::vector<DuplicateRecipient> duplicates;
  for (size_t i = 0; i < raw.size(); ++i) {
    const auto [at, fresh] = first.emplace(raw[i], i);
    if (!fresh) duplicates.push_back({i, at->second});
  }
  EXPECT_EQ(got.valid.size(), first.size());
  EXPECT_EQ(got.duplicates, duplicates);
}

TEST(Recipients, FromAnEmptyListAreNone) {
  const Recipients got = parsed({});
  EXPECT_TRUE(got.valid.empty() && got.duplicates.empty() && got.invalid.empty());
}

TEST(Recipients, ShowOnlyFourDigitsInALog) {
  EXPECT_EQ(masked_form({919876543210}), "*3210");
  EXPECT_EQ(masked_form({919876540000}), "*0000");
  EXPECT_EQ(plus_form({919876543210}), "+919876543210");
  EXPECT_EQ(digits_form({919876543210}), "919876543210");
}

}  // namespace
}  // namespace weir
