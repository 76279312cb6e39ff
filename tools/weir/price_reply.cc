// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/price_reply.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/json.hpp>

#include "shim/config/quantities.h"

namespace weir {
namespace {

namespace json = boost::json;

constexpr size_t kMaxWordBytes = 64;
constexpr double kMaxCredit = 1e6;
constexpr int64_t kMaxLength = 0x7FFFFFFF;

const json::value* first_at(const json::value& reply, const std::vector<std::string>& pointers) {
  for (const std::string& pointer : pointers) {
    boost::system::error_code ignored;
    const json::value* found = reply.find_pointer(pointer, ignored);
    if (found != nullptr && !found->is_null()) return found;
  }
  return nullptr;
}

std::string_view text_of(const json::value& value) {
  return value.is_string() ? std::string_view(value.get_string()) : std::string_view();
}

// Providers write numbers as numbers and as texts.
std::optional<uint64_t> whole_number(const json::value* value) {
  if (value == nullptr) return std::nullopt;
  int64_t number = -1;
  if (value->is_int64()) number = value->get_int64();
  if (value->is_string()) {
    const Result<int64_t> read = parse_integer(text_of(*value));
    if (read) number = *read;
  }
  if (number < 0 || number > kMaxLength) return std::nullopt;
  return static_cast<uint64_t>(number);
}

std::optional<Units> credit_of(const json::value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) {
    const Result<Units> units = parse_units(text_of(*value));
    if (!units || units->as_double() > kMaxCredit) return std::nullopt;
    return *units;
  }
  if (!value->is_number()) return std::nullopt;
  const double credit = value->to_number<double>();
  if (!(credit >= 0 && credit <= kMaxCredit)) return std::nullopt;
  return Units::from_micro(std::llround(credit * Units::kMicro));
}

// It is shown in a terminal.
bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= kMaxWordBytes &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

bool same_word(std::string_view a, std::string_view b) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return small(x) == small(y); });
}

}  // namespace

std::optional<GatewayPrice> parse_price(const PriceProfile& places, std::string_view reply) {
  json::error_code failed;
  const json::value answer = json::parse({reply.data(), reply.size()}, failed);
  if (failed) return std::nullopt;
  const json::value* word = first_at(answer, places.encoding_at);
  const auto length = whole_number(first_at(answer, places.length_at));
  const auto credit = credit_of(first_at(answer, places.credit_at));
  if (word == nullptr || !is_word(text_of(*word)) || !length || !credit) return std::nullopt;
  GatewayPrice price;
  price.encoding_word = text_of(*word);
  if (same_word(price.encoding_word, places.gsm7_word)) price.encoding = Encoding::kGsm7;
  if (same_word(price.encoding_word, places.ucs2_word)) price.encoding = Encoding::kUcs2;
  price.length = *length;
  price.remaining = whole_number(first_at(answer, places.remaining_at));
  price.credit = *credit;
  return price;
}

}  // namespace weir
