// SPDX-License-Identifier: Apache-2.0
#include "weir/window.h"

#include <algorithm>
#include <utility>

#include "weir/check.h"

namespace weir {

Openings::Openings(std::vector<Opening> list) : list_(std::move(list)) {
  for (size_t i = 0; i < list_.size(); ++i) {
    WEIR_CHECK(list_[i].open < list_[i].close);
    WEIR_CHECK(i == 0 || list_[i - 1].close <= list_[i].open);
  }
}

bool Openings::is_open(WallTime t) const {
  const Opening* found = at_or_after(t);
  return found != nullptr && found->open <= t;
}

const Opening* Openings::at_or_after(WallTime t) const {
  const auto found = std::partition_point(list_.begin(), list_.end(),
                                          [t](const Opening& one) { return one.close <= t; });
  return found == list_.end() ? nullptr : &*found;
}

const Opening* Openings::after(WallTime t) const {
  const auto found = std::partition_point(list_.begin(), list_.end(),
                                          [t](const Opening& one) { return one.open <= t; });
  return found == list_.end() ? nullptr : &*found;
}

bool Openings::closed_by(WallTime t) const {
  return !is_open(t) && !list_.empty() && list_.front().open <= t;
}

}  // namespace weir
