// SPDX-License-Identifier: Apache-2.0
//
// The world's part in what a person stops: the simulated store of cancels, pauses and drains.
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {

RequestId World::cancel(CancelTarget target) {
  const auto request = static_cast<RequestId>(++requests_);
  step(CancelRequested{request, std::move(target)});
  return request;
}

const AnswerCancel* World::cancel_answer(RequestId request) const {
  const auto it = cancel_answers_.find(raw(request));
  return it == cancel_answers_.end() ? nullptr : &it->second;
}

void World::carry_out(AnswerCancel& effect) {
  EXPECT_FALSE(cancel_answers_.contains(raw(effect.request))) << "answered twice";
  cancel_answers_[raw(effect.request)] = effect;
}

void World::carry_out(Cancel& effect) {
  at(commit_time, [this, command = effect]() -> Event { return commit_cancel(command); });
}

Cancelled World::commit_cancel(const Cancel& command) {
  Cancelled answer;
  answer.request = command.request;
  answer.written = disk_works;
  cancels_.erase(raw(command.request));
  if (!disk_works) return answer;
  if (command.begin) cancels_[raw(command.request)] = command;
  if (command.begin) return answer;
  answer.next = command.from;
  size_t looked_at = 0;
  for (auto row = disk_.upper_bound(raw(command.from.batch)); row != disk_.end(); ++row) {
    auto& [id, one] = *row;
    if (!covers(command, one.message)) continue;
    if (looked_at++ == cancel_slice) {
      cancels_[raw(command.request)] = command;
      return answer;
    }
    if (one.message.id != answer.next.message) {
      answer.next.counted = false;
      answer.counts.found += 1;
    }
    answer.next.message = one.message.id;
    answer.next.batch = one.cut.id;
    const bool by_claim = one.state == BatchState::kCancelled && one.done_at == command.at;
    if (one.state == BatchState::kPending) {
      change(one, BatchState::kCancelled);
      answer.batches.push_back({one.cut.id, one.cut.id});
    } else if (!by_claim) {
      answer.counts.left[index(one.state)] += 1;
      if (one.state == BatchState::kClaimed) answer.under_way.push_back(one.cut.id);
      continue;
    }
    answer.counts.batches += 1;
    answer.counts.cost += one.cut.cost;
    answer.counts.messages += answer.next.counted ? 0 : 1;
    answer.next.counted = true;
  }
  answer.done = true;
  return answer;
}

RequestId World::stop_lane(Lane lane, StopMode mode) {
  const auto request = static_cast<RequestId>(++requests_);
  step(StopRequested{request, {lane, "", {mode, "the test says so", {}}}});
  return request;
}

RequestId World::stop_class(std::string class_name, StopMode mode) {
  const auto request = static_cast<RequestId>(++requests_);
  step(StopRequested{request, {{}, std::move(class_name), {mode, "the test says so", {}}}});
  return request;
}

const AnswerStop* World::stop_answer(RequestId request) const {
  const auto it = stop_answers_.find(raw(request));
  return it == stop_answers_.end() ? nullptr : &it->second;
}

void World::carry_out(StoreStop& effect) {
  at(commit_time, [this, command = effect]() -> Event {
    const StopOrder& order = command.order;
    const std::string subject =
        order.lane ? "lane " + std::string(name(*order.lane)) : "class " + order.class_name;
    if (disk_works && order.stop.mode == StopMode::kNone) stops_.erase(subject);
    if (disk_works && order.stop.mode != StopMode::kNone) stops_[subject] = order;
    return StopStored{command.request, disk_works, order};
  });
}

void World::carry_out(AnswerStop& effect) {
  stop_answers_[raw(effect.request)] = std::move(effect);
}

bool World::covers(const Cancel& command, const Message& message) {
  const CancelTarget& target = command.target;
  if (raw(message.id) >= raw(command.before)) return false;
  if (target.message) return message.id == *target.message;
  return target.key.empty() ? message.tag == target.tag : message.key == target.key;
}

}  // namespace weir::test
