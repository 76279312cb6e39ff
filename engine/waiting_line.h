// SPDX-License-Identifier: Apache-2.0
//
// WaitingLine: who waits for units, in the order in which they came.
//
// Only the head is tried, so a large cost is not passed by small ones for ever. Each has an instant
// at which its patience ends, wherever it stands in the line. Adding and taking cost the logarithm
// of the length, leaving it for another reason the length itself; the engine bounds it.
//
// Called by the engine on its thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "weir/check.h"
#include "weir/time.h"
#include "weir/types.h"
#include "weir/units.h"

#include "engine/lease_book.h"

namespace weir {

struct Waiter {
  RequestId request{};
  std::string class_name;  // one of the two, as asked for
  std::string bucket;
  ClassId class_id{255};  // none, for a bucket
  Lease wanted;
  MonoTime asked;
  MonoTime gives_up;
  bool shadow = false;  // is let through with the answer how long it would have waited
};

class WaitingLine {
 public:
  bool empty() const { return line_.empty(); }
  size_t size() const { return line_.size(); }
  Units units() const { return units_; }
  const Waiter* head() const { return line_.empty() ? nullptr : &line_.begin()->second; }
  MonoTime next_to_give_up() const {
    return patience_.empty() ? MonoTime::never() : patience_.begin()->first;
  }

  void push(Waiter waiter) {
    units_ += waiter.wanted.cost;
    patience_.emplace(waiter.gives_up, next_);
    line_.emplace(next_++, std::move(waiter));
  }

  Waiter pop_head() {
    WEIR_CHECK(!line_.empty());
    return take(line_.begin()->first);
  }

  // One whose patience has ended by now.
  std::optional<Waiter> pop_impatient(MonoTime now) {
    if (line_.empty() || next_to_give_up() > now) return std::nullopt;
    return take(patience_.begin()->second);
  }

  // The first that `leaves`.
  template <typename Leaves>
  std::optional<Waiter> pop_where(Leaves leaves) {
    const auto it = std::find_if(line_.begin(), line_.end(),
                                 [&](const auto& one) { return leaves(one.second); });
    if (it == line_.end()) return std::nullopt;
    return take(it->first);
  }

  // Nothing: it is not in this line.
  std::optional<Waiter> remove(RequestId request) {
    const auto it = std::find_if(line_.begin(), line_.end(), [request](const auto& one) {
      return one.second.request == request;
    });
    if (it == line_.end()) return std::nullopt;
    return take(it->first);
  }

 private:
  Waiter take(uint64_t place) {
    auto node = line_.extract(place);
    Waiter waiter = std::move(node.mapped());
    patience_.erase({waiter.gives_up, place});
    units_ -= waiter.wanted.cost;
    return waiter;
  }

  std::map<uint64_t, Waiter> line_;                   // by place
  std::set<std::pair<MonoTime, uint64_t>> patience_;  // and place
  uint64_t next_ = 0;
  Units units_;
};

}  // namespace weir
