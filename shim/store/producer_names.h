// SPDX-License-Identifier: Apache-2.0
//
// Producers on disk: by name, so that a reordered configuration gives nobody the batches of
// another. For the journal and the start, on the store's thread; the names are
// StoreOptions::producers.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "weir/check.h"
#include "weir/types.h"

namespace weir {

// As it is written; empty: none.
inline std::string_view producer_name(std::span<const std::string> names, ProducerId producer) {
  if (producer == kNoProducer) return {};
  WEIR_CHECK(index(producer) < names.size());
  return names[index(producer)];
}

// As it is read, for a million rows. One whose name is not configured any more is nobody's.
class ProducersByName {
 public:
  explicit ProducersByName(std::span<const std::string> names) {
    for (size_t i = 0; i < names.size(); ++i)
      by_name_.emplace(names[i], static_cast<ProducerId>(i));
  }
  ProducerId find(std::string_view name) const {
    if (name.empty()) return kNoProducer;
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? kNoProducer : found->second;
  }

 private:
  std::map<std::string_view, ProducerId> by_name_;
};

}  // namespace weir
