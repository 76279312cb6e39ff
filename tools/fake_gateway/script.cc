// SPDX-License-Identifier: Apache-2.0
#include "tools/fake_gateway/script.h"

#include <charconv>
#include <optional>
#include <string>

namespace weir {
namespace {

constexpr std::pair<std::string_view, Turn> kWords[] = {
    {"ok", Turn::kOk},       {"throttle", Turn::kThrottle}, {"content", Turn::kContent},
    {"auth", Turn::kAuth},   {"invalid", Turn::kInvalid},   {"500", Turn::kServerError},
    {"reset", Turn::kReset}, {"half", Turn::kHalf},         {"stall", Turn::kStall},
    {"odd", Turn::kOdd},
};

constexpr size_t kMaxEntries = 1000;
constexpr uint32_t kMaxRepeats = 1'000'000;

std::optional<Turn> turn_named(std::string_view word) {
  for (const auto& [text, turn] : kWords) {
    if (text == word) return turn;
  }
  return std::nullopt;
}

std::string known_words() {
  std::string words;
  for (const auto& [text, turn] : kWords)
    words += (words.empty() ? "" : ", ") + std::string(text);
  return words;
}

}  // namespace

Result<Script> Script::parse(std::string_view text) {
  Script script;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    std::string_view entry = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const size_t star = entry.find('*');
    uint32_t times = 1;
    if (star != std::string_view::npos) {
      const std::string_view digits = entry.substr(star + 1);
      const auto end = digits.data() + digits.size();
      const auto read = std::from_chars(digits.data(), end, times);
      if (read.ec != std::errc() || read.ptr != end || times == 0 || times > kMaxRepeats) {
        return Error{"script: after * comes a number from 1 to 1000000"};
      }
      entry = entry.substr(0, star);
    }
    const auto turn = turn_named(entry);
    if (!turn) {
      return Error{"script: \"" + std::string(entry) + "\" is none of " + known_words()};
    }
    if (script.entries_.size() == kMaxEntries) return Error{"script: at most 1000 entries"};
    script.entries_.emplace_back(*turn, times);
  }
  if (script.entries_.empty()) script.entries_.emplace_back(Turn::kOk, 1);
  return script;
}

Turn Script::next() {
  const auto [turn, times] = entries_[entry_];
  if (++done_ >= times) {
    done_ = 0;
    entry_ = (entry_ + 1) % entries_.size();
  }
  return turn;
}

}  // namespace weir
