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

constexpr auto kWakesLater = [](const auto& a, const auto& b) {
  return a.not_before > b.not_before;
};

// The last one takes the place, and goes up or down to where it belongs.
template <typename T, typename Later>
void take_from(std::vector<T>& heap, size_t place, Later later) {
  heap[place] = heap.back();
  heap.pop_back();
  if (place == heap.size()) return;
  size_t at = place;
  while (at > 0 && later(heap[(at - 1) / 2], heap[at])) {
    std::swap(heap[(at - 1) / 2], heap[at]);
    at = (at - 1) / 2;
  }
  for (size_t child = 2 * at + 1; child < heap.size(); child = 2 * at + 1) {
    if (child + 1 < heap.size() && later(heap[child], heap[child + 1])) ++child;
    if (!later(heap[at], heap[child])) return;
    std::swap(heap[at], heap[child]);
    at = child;
  }
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
  std::push_heap(aside_.begin(), aside_.end(), kWakesLater);
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
  std::pop_heap(aside_.begin(), aside_.end(), kWakesLater);
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

size_t LaneQueue::length(size_t list) const {
  return list == 0 ? aside_.size() : ready_[list - 1].size();
}

const Head& LaneQueue::head_at(size_t list, size_t place) const {
  return list == 0 ? aside_[place].head : ready_[list - 1][place];
}

void LaneQueue::take_out(size_t list, size_t place) {
  forget(head_at(list, place));
  if (list == 0) return take_from(aside_, place, kWakesLater);
  take_from(ready_[list - 1], place, leaves_later);
}

// From the end, because what a pop moves comes from the end and goes up: it has been seen. Those
// that stand aside first, because they go into line.
bool LaneQueue::sweep(Sweep& sweep, size_t most, const std::function<bool(const Head&)>& leaves) {
  constexpr size_t kLists = 1 + kPriorities;
  while (most > 0 && sweep.list < kLists) {
    sweep.left = std::min(sweep.left, length(sweep.list));
    if (sweep.left == 0) {
      sweep = {sweep.list + 1};
      continue;
    }
    most -= 1;
    const size_t place = sweep.left - 1;
    if (leaves(head_at(sweep.list, place))) {
      take_out(sweep.list, place);  // what is there now has not been seen
    } else {
      sweep.left = place;
    }
  }
  return sweep.list < kLists;
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
