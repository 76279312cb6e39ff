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

// The lists of a sweep: the parked ones by class, those aside, those in line by priority.
constexpr size_t kClasses = 256;
constexpr size_t kAsideList = kClasses;
constexpr size_t kLists = kAsideList + 1 + kPriorities;

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

void LaneQueue::park_front() {
  const Head head = *front();
  const size_t place = index(head.class_id);
  if (parked_.size() <= place) parked_.resize(place + 1);
  parked_[place].push_back(head);
  std::push_heap(parked_[place].begin(), parked_[place].end(), leaves_later);
  std::vector<Head>& heap = ready_[head.priority];
  std::pop_heap(heap.begin(), heap.end(), leaves_later);
  heap.pop_back();
  parked_rows_ += 1;
  parked_units_ += head.cost;
}

bool LaneQueue::unpark(ClassId class_id, size_t most) {
  if (parked_.size() <= index(class_id)) return false;
  std::vector<Head>& heap = parked_[index(class_id)];
  for (size_t left = most; left > 0 && !heap.empty(); --left) {
    enqueue(heap.front());
    forget_parked(heap.front());
    std::pop_heap(heap.begin(), heap.end(), leaves_later);
    heap.pop_back();
  }
  return !heap.empty();
}

void LaneQueue::forget_parked(const Head& head) {
  parked_rows_ -= 1;
  parked_units_ -= head.cost;
}

std::optional<Head> LaneQueue::pop_expired(WallTime now) {
  for (std::vector<Head>& heap : parked_) {
    if (heap.empty() || heap.front().deadline > now) continue;
    const Head expired = heap.front();
    forget(expired);
    forget_parked(expired);
    std::pop_heap(heap.begin(), heap.end(), leaves_later);
    heap.pop_back();
    return expired;
  }
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
  if (list < kClasses) return list < parked_.size() ? parked_[list].size() : 0;
  return list == kAsideList ? aside_.size() : ready_[list - kAsideList - 1].size();
}

const Head& LaneQueue::head_at(size_t list, size_t place) const {
  if (list < kClasses) return parked_[list][place];
  return list == kAsideList ? aside_[place].head : ready_[list - kAsideList - 1][place];
}

void LaneQueue::take_out(size_t list, size_t place) {
  forget(head_at(list, place));
  if (list == kAsideList) return take_from(aside_, place, kWakesLater);
  if (list < kClasses) forget_parked(head_at(list, place));
  take_from(list < kClasses ? parked_[list] : ready_[list - kAsideList - 1], place, leaves_later);
}

// From the end, because what a pop moves comes from the end and goes up: it has been seen. What may
// still go into line comes first.
bool LaneQueue::sweep(Sweep& sweep, size_t most, const std::function<bool(const Head&)>& leaves) {
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
  for (const std::vector<Head>& heap : parked_) {
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
