// SPDX-License-Identifier: Apache-2.0
#include "engine/lane_queue.h"

#include <algorithm>

#include "weir/check.h"

namespace weir {
namespace {

// Heaps keep the greatest in front, so "later" means "less urgent".
bool leaves_later(const Head& a, const Head& b) {
  if (a.deadline != b.deadline) return a.deadline > b.deadline;
  return raw(a.id) > raw(b.id);
}

int64_t tenth(WallTime t) {
  return t.unix_ms() / 100;
}

}  // namespace

void LaneQueue::push(WallTime now, const Head& head, WallTime not_before) {
  WEIR_CHECK(head.priority < kPriorities);
  rows_ += 1;
  units_ += head.cost;
  eligible_[tenth(head.eligible)] += 1;
  if (not_before <= now) {
    enqueue(head);
    return;
  }
  aside_.push_back({not_before, head});
  std::push_heap(aside_.begin(), aside_.end(),
                 [](const Aside& a, const Aside& b) { return a.not_before > b.not_before; });
}

void LaneQueue::enqueue(const Head& head) {
  std::vector<Head>& heap = ready_[head.priority];
  heap.push_back(head);
  std::push_heap(heap.begin(), heap.end(), leaves_later);
}

std::optional<Head> LaneQueue::promote_one(WallTime now) {
  if (aside_.empty() || aside_.front().not_before > now) return std::nullopt;
  const Head due = aside_.front().head;
  enqueue(due);
  std::pop_heap(aside_.begin(), aside_.end(),
                [](const Aside& a, const Aside& b) { return a.not_before > b.not_before; });
  aside_.pop_back();
  return due;
}

const Head* LaneQueue::front() const {
  for (const std::vector<Head>& heap : ready_) {
    if (!heap.empty()) return &heap.front();
  }
  return nullptr;
}

void LaneQueue::pop_front() {
  for (std::vector<Head>& heap : ready_) {
    if (heap.empty()) continue;
    forget(heap.front());
    std::pop_heap(heap.begin(), heap.end(), leaves_later);
    heap.pop_back();
    return;
  }
  WEIR_NEVER("pop_front of an empty lane");
}

std::optional<Head> LaneQueue::pop_expired(WallTime now) {
  for (std::vector<Head>& heap : ready_) {
    if (heap.empty() || heap.front().deadline > now) continue;
    const Head expired = heap.front();
    forget(expired);
    std::pop_heap(heap.begin(), heap.end(), leaves_later);
    heap.pop_back();
    return expired;
  }
  return std::nullopt;
}

std::optional<WallTime> LaneQueue::next_change() const {
  std::optional<WallTime> earliest;
  if (!aside_.empty()) earliest = aside_.front().not_before;
  for (const std::vector<Head>& heap : ready_) {
    if (heap.empty()) continue;
    if (!earliest || heap.front().deadline < *earliest) earliest = heap.front().deadline;
  }
  return earliest;
}

void LaneQueue::forget(const Head& head) {
  rows_ -= 1;
  units_ -= head.cost;
  const auto it = eligible_.find(tenth(head.eligible));
  WEIR_CHECK(it != eligible_.end());
  if (--it->second == 0) eligible_.erase(it);
}

std::optional<WallTime> LaneQueue::oldest(WallTime now) const {
  if (eligible_.empty() || eligible_.begin()->first > tenth(now)) return std::nullopt;
  return WallTime::from_unix_ms(eligible_.begin()->first * 100);
}

}  // namespace weir
