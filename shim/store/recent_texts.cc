// SPDX-License-Identifier: Apache-2.0
#include "shim/store/recent_texts.h"

#include <functional>

namespace weir {

size_t RecentTexts::hash(std::string_view body, std::string_view sender, std::string_view params) {
  constexpr size_t kMix = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio, an odd number
  const std::hash<std::string_view> one;
  return (one(body) * kMix + one(sender)) * kMix + one(params);
}

std::optional<int64_t> RecentTexts::find(size_t hash) const {
  const auto found = places_.find(hash);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

void RecentTexts::remember(size_t hash, int64_t text) {
  const bool fresh = places_.insert_or_assign(hash, text).second;
  if (!fresh) return;
  order_.push_back(hash);
  if (order_.size() <= kTexts) return;
  places_.erase(order_.front());
  order_.pop_front();
}

}  // namespace weir
