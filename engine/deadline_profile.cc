// SPDX-License-Identifier: Apache-2.0
#include "engine/deadline_profile.h"

#include <algorithm>

#include "weir/check.h"

#include "engine/prediction.h"

namespace weir {
namespace {

int64_t slot_of(WallTime deadline) {
  return deadline.unix_ms() / DeadlineProfile::kSlot.ms();
}

}  // namespace

DeadlineProfile::Key DeadlineProfile::key_of(const Place& place) {
  return {place.priority, slot_of(place.deadline), index(place.class_id)};
}

void DeadlineProfile::add(const Place& place, Units cost) {
  Sum& sum = sums_[key_of(place)];
  sum.latest = sum.rows == 0 ? place.deadline : std::max(sum.latest, place.deadline);
  sum.units += cost;
  sum.rows += 1;
}

void DeadlineProfile::remove(const Place& place, Units cost) {
  const auto it = sums_.find(key_of(place));
  WEIR_CHECK(it != sums_.end());
  it->second.units -= cost;
  if (--it->second.rows == 0) sums_.erase(it);
}

WallTime DeadlineProfile::turn_of(const Question& question) const {
  WallTime at = question.from;
  Units free = question.at_once;
  // Flows out until `until`, when the rest of it is given up.
  const auto flow = [&](Units units, WallTime until) {
    const Units spent = std::min(units, free);
    free -= spent;
    const WallTime done = at + time_to_flow(units - spent, question.rate_per_s);
    at = std::max(at, std::min(done, until));
  };
  const int64_t own_slot = slot_of(question.deadline);
  for (const auto& [key, sum] : sums_) {
    const auto [priority, slot, class_id] = key;
    if (priority > question.priority || (priority == question.priority && slot > own_slot)) break;
    if (!question.counted[class_id]) continue;
    if (priority == question.priority && sum.latest > question.deadline) continue;
    flow(sum.units, sum.latest);
    if (at > question.deadline) return at;
  }
  return at + time_to_flow(question.cost - std::max(free, Units()), question.rate_per_s);
}

}  // namespace weir
