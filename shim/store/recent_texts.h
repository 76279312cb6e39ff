// SPDX-License-Identifier: Apache-2.0
//
// RecentTexts: where the text of a message may be stored already.
//
// A campaign that comes as many messages brings the same text with each, and it is to be on disk
// once. An index over the texts' hashes would do it for all texts ever; but hashes are random, an
// index in random order made loading several times slower, and the texts of OTPs differ anyway. So
// the places of the newest kTexts different texts are kept in memory.
//
// Store's thread. What it says is a guess: the row may hold another text, or be gone. The statement
// that uses it compares (kReuseText).
//
// Cost: about 100 bytes a text.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace weir {

class RecentTexts {
 public:
  static constexpr size_t kTexts = 4096;

  static size_t hash(std::string_view body, std::string_view sender, std::string_view params);

  std::optional<int64_t> find(size_t hash) const;
  void remember(size_t hash, int64_t text);

 private:
  std::unordered_map<size_t, int64_t> places_;
  std::deque<size_t> order_;  // of arrival
};

}  // namespace weir
