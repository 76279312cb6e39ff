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

// Of those that come due at once the most urgent is first, because only so many come due a turn.
bool LaneQueue::goes_later(const Aside& a, const Aside& b) {
  if (a.not_before != b.not_before) return a.not_before > b.not_before;
  if (a.head.priority != b.head.priority) return a.head.priority > b.head.priority;
  return leaves_later(a.head, b.head);
}

void LaneQueue::push(WallTime now, const Head& head, WallTime not_before) {
  WEIR_CHECK(head.priority < kPriorities);
  rows_ += 1;
  units_ += head.cost;
  by_class_[index(head.class_id)] += head.cost;
  eligible_[tenth(head.eligible)] += 1;
  if (not_before <= now) {
    enqueue(head);
    return;
  }
  aside_.push_back({not_before, head});
  std::push_heap(aside_.begin(), aside_.end(), goes_later);
}

void LaneQueue::enqueue(const Head& head) {
  const auto goes_before = [&](const Line& line) {
    return line.priority != head.priority ? line.priority < head.priority
                                          : line.class_id < head.class_id;
  };
  auto line = std::partition_point(lines_.begin(), lines_.end(), goes_before);
  if (line == lines_.end() || line->priority != head.priority || line->class_id != head.class_id) {
    line = lines_.insert(line, {head.priority, head.class_id, {}});
  }
  line->heap.push_back(head);
  std::push_heap(line->heap.begin(), line->heap.end(), leaves_later);
}

std::optional<Head> LaneQueue::promote_one(WallTime now) {
  if (aside_.empty() || aside_.front().not_before > now) return std::nullopt;
  const Head due = aside_.front().head;
  enqueue(due);
  std::pop_heap(aside_.begin(), aside_.end(), goes_later);
  aside_.pop_back();
  return due;
}

const LaneQueue::Line* LaneQueue::front_line() const {
  const Line* best = nullptr;
  for (const Line& line : lines_) {
    if (best != nullptr && line.priority > best->priority) break;
    if (line.heap.empty() || held_[index(line.class_id)]) continue;
    if (best == nullptr || leaves_later(best->heap.front(), line.heap.front())) best = &line;
  }
  return best;
}

Head LaneQueue::take_front(Line& line) {
  const Head head = line.heap.front();
  forget(head);
  std::pop_heap(line.heap.begin(), line.heap.end(), leaves_later);
  line.heap.pop_back();
  return head;
}

const Head* LaneQueue::front() const {
  const Line* line = front_line();
  return line == nullptr ? nullptr : &line->heap.front();
}

void LaneQueue::pop_front() {
  const Line* line = front_line();
  WEIR_CHECK(line != nullptr);
  take_front(lines_[static_cast<size_t>(line - lines_.data())]);
}

std::optional<Head> LaneQueue::pop_expired(WallTime now) {
  for (Line& line : lines_) {
    if (!line.heap.empty() && line.heap.front().deadline <= now) return take_front(line);
  }
  return std::nullopt;
}

std::optional<WallTime> LaneQueue::next_change() const {
  std::optional<WallTime> earliest;
  if (!aside_.empty()) earliest = aside_.front().not_before;
  for (const Line& line : lines_) {
    if (line.heap.empty()) continue;
    const WallTime deadline = line.heap.front().deadline;
    if (!earliest || deadline < *earliest) earliest = deadline;
  }
  return earliest;
}

void LaneQueue::forget(const Head& head) {
  rows_ -= 1;
  units_ -= head.cost;
  by_class_[index(head.class_id)] -= head.cost;
  const auto it = eligible_.find(tenth(head.eligible));
  WEIR_CHECK(it != eligible_.end());
  if (--it->second == 0) eligible_.erase(it);
}

std::optional<WallTime> LaneQueue::oldest(WallTime now) const {
  if (eligible_.empty() || eligible_.begin()->first > tenth(now)) return std::nullopt;
  return WallTime::from_unix_ms(eligible_.begin()->first * 100);
}

}  // namespace weir
