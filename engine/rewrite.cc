// SPDX-License-Identifier: Apache-2.0
//
// Method: one walk that copies what stays in whole stretches. Inside a URL weir's own map copies
// until white space. A replacement that holds a digit (a fraction) is made only where no digit
// touches it, because the joined digits would be another number.
#include "weir/rewrite.h"

#include <algorithm>

#include "engine/rewrite_table.h"
#include "engine/utf8.h"

namespace weir {
namespace {

bool is_ascii_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

bool is_ascii_letter(char32_t c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

// Fullwidth digits too: they are typed, and read, as digits.
bool is_digit(char32_t c) {
  return is_ascii_digit(c) || (c >= 0xFF10 && c <= 0xFF19);
}

bool holds_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_white_space(char32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool begins_with(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char want, char have) {
           return want == (have >= 'A' && have <= 'Z' ? have + ('a' - 'A') : have);
         });
}

// "www." counts at the beginning of a word only; a scheme counts anywhere.
bool url_begins(std::string_view rest, char32_t before) {
  if (begins_with(rest, "http://") || begins_with(rest, "https://")) return true;
  return begins_with(rest, "www.") && !is_ascii_letter(before) && !is_ascii_digit(before);
}

class Rewriter {
 public:
  Rewriter(std::string_view body, RewriteMap map) : body_(body), map_(map) {}

  std::variant<Rewritten, InvalidText> run() {
    result_.text.reserve(body_.size());
    size_t copied = 0;
    for (size_t at = 0; at < body_.size();) {
      const Decoded decoded = decode(body_, at);
      if (!decoded.valid) return InvalidText{at, decoded.fault};
      const size_t next = at + decoded.length;
      if (const auto text = replacement(decoded.code_point, at, next)) {
        result_.text.append(body_.substr(copied, at - copied)).append(*text);
        ++result_.replaced;
        copied = next;
      }
      before_ = decoded.code_point;
      at = next;
    }
    result_.text.append(body_.substr(copied));
    return std::move(result_);
  }

 private:
  std::optional<std::string_view> replacement(char32_t c, size_t at, size_t next) {
    if (map_ == RewriteMap::kWeir && in_url(c, at)) return std::nullopt;
    const auto text = replacement_for(c, map_);
    if (map_ == RewriteMap::kWeir && text && holds_digit(*text) && beside_digit(next)) {
      return std::nullopt;
    }
    return text;
  }

  bool in_url(char32_t c, size_t at) {
    if (is_white_space(c)) {
      in_url_ = false;
    } else if (!in_url_ && url_begins(body_.substr(at), before_)) {
      in_url_ = true;
    }
    return in_url_;
  }

  bool beside_digit(size_t next) const {
    const char32_t after = next < body_.size() ? decode(body_, next).code_point : U' ';
    return spells_digit(before_) || spells_digit(after);
  }

  static bool spells_digit(char32_t c) {
    const auto text = replacement_for(c, RewriteMap::kWeir);
    return is_digit(c) || (text && holds_digit(*text));
  }

  std::string_view body_;
  RewriteMap map_;
  Rewritten result_;
  char32_t before_ = U' ';
  bool in_url_ = false;
};

}  // namespace

std::variant<Rewritten, InvalidText> rewrite(std::string_view utf8, RewriteMap map) {
  return Rewriter(utf8, map).run();
}

std::optional<SmartRewrite> smart_rewrite(std::string_view utf8, const CountingRules& rules) {
  const CountResult before = count(utf8, rules);
  const auto* original = std::get_if<Counted>(&before);
  if (original == nullptr || original->encoding == Encoding::kGsm7) return std::nullopt;
  auto rewritten = std::get<Rewritten>(rewrite(utf8, RewriteMap::kWeir));
  // What was invisible throughout would vanish, and an empty message is no rewrite of anything.
  if (rewritten.text.empty()) return std::nullopt;
  const auto counted = std::get<Counted>(count(rewritten.text, rules));
  if (counted.encoding != Encoding::kGsm7) return std::nullopt;
  // Dots for an ellipsis and the like can make a short body longer than UCS-2 had it.
  if (counted.needed_segments > original->needed_segments) return std::nullopt;
  return SmartRewrite{std::move(rewritten.text), rewritten.replaced, counted};
}

}  // namespace weir
