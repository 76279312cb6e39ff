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
  by_producer_[index(head.producer)] += head.cost;
  profile_.add({head.priority, head.deadline, head.class_id}, head.cost);
  eligible_[tenth(head.eligible)] += 1;
  if (not_before <= now) {
    enqueue(head);
    return;
  }
  aside_.push_back({not_before, head});
  std::push_heap(aside_.begin(), aside_.end(), goes_later);
}

// Above 0, in the order of the lines.
uint32_t LaneQueue::key_of(uint8_t priority, ClassId class_id) {
  return 1 + 256 * uint32_t{priority} + static_cast<uint32_t>(index(class_id));
}

// The first line whose key is not below.
std::vector<LaneQueue::Line>::iterator LaneQueue::line_from(uint32_t key) {
  return std::partition_point(lines_.begin(), lines_.end(), [key](const Line& line) {
    return key_of(line.priority, line.class_id) < key;
  });
}

void LaneQueue::enqueue(const Head& head) {
  const uint32_t key = key_of(head.priority, head.class_id);
  auto line = line_from(key);
  if (line == lines_.end() || key_of(line->priority, line->class_id) != key) {
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

// From the end, because what a pop moves comes from the end and goes up: it has been seen. What may
// still go into line comes first.
bool LaneQueue::sweep(Sweep& sweep, size_t most, const std::function<bool(const Head&)>& leaves) {
  const auto sweep_list = [&](auto& heap, auto head_of, auto later) {
    sweep.left = std::min(sweep.left, heap.size());
    for (; most > 0 && sweep.left > 0; --most) {
      const size_t place = sweep.left - 1;
      if (leaves(head_of(heap[place]))) {
        forget(head_of(heap[place]));
        take_from(heap, place, later);  // what is there now has not been seen
        sweep.left = std::min(sweep.left, heap.size());
      } else {
        sweep.left = place;
      }
    }
    return sweep.left == 0;
  };
  if (sweep.list == 0) {
    const auto head_of = [](const Aside& one) -> const Head& { return one.head; };
    if (!sweep_list(aside_, head_of, goes_later)) return true;
    sweep = {1};
  }
  for (auto line = line_from(sweep.list); line != lines_.end(); line = line_from(sweep.list)) {
    const auto head_of = [](const Head& one) -> const Head& { return one; };
    if (!sweep_list(line->heap, head_of, leaves_later)) return true;
    sweep = {key_of(line->priority, line->class_id) + 1};
  }
  return false;
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
  by_producer_[index(head.producer)] -= head.cost;
  profile_.remove({head.priority, head.deadline, head.class_id}, head.cost);
  const auto it = eligible_.find(tenth(head.eligible));
  WEIR_CHECK(it != eligible_.end());
  if (--it->second == 0) eligible_.erase(it);
}

std::optional<WallTime> LaneQueue::oldest(WallTime now) const {
  if (eligible_.empty() || eligible_.begin()->first > tenth(now)) return std::nullopt;
  return WallTime::from_unix_ms(eligible_.begin()->first * 100);
}

}  // namespace weir
