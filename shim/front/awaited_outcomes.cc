// SPDX-License-Identifier: Apache-2.0
#include "shim/front/awaited_outcomes.h"

#include <iterator>
#include <utility>

#include "weir/check.h"

#include "shim/front/json_response.h"
#include "shim/front/message_json.h"

namespace weir {
namespace {

bool is_open(BatchState state) {
  return state == BatchState::kPending || state == BatchState::kClaimed;
}

bool any_open(const MessageReport& report) {
  return report.states[static_cast<size_t>(BatchState::kPending)].batches > 0 ||
         report.states[static_cast<size_t>(BatchState::kClaimed)].batches > 0;
}

bool shows_all(const MessageReport& report) {
  uint64_t batches = 0;
  for (const StateCount& state : report.states)
    batches += state.batches;
  return batches == report.batches.size();
}

}  // namespace

AwaitedOutcomes::AwaitedOutcomes(uv_loop_t* loop, Find find, Answer answer)
    : loop_(loop), find_(std::move(find)), answer_(std::move(answer)) {
  WEIR_CHECK(uv_timer_init(loop, &timer_) == 0);
  timer_.data = this;
}

void AwaitedOutcomes::begin(RequestId request, MessageId message, HttpResponse accepted,
                            Duration wait) {
  uv_update_time(loop_);
  const uint64_t until_ms = uv_now(loop_) + static_cast<uint64_t>(wait.ms_ceil());
  held_.emplace(request, Held{message, std::move(accepted), until_ms, {}});
  by_time_.emplace(until_ms, request);
  arm();
  find_(request, message);
}

void AwaitedOutcomes::found(const Found& found) {
  const auto at = held_.find(found.request);
  WEIR_CHECK(at != held_.end());
  Held& held = at->second;
  if (found.result != Found::Result::kFound || !shows_all(found.report)) {
    return finish(found.request, std::move(held.accepted));
  }
  if (!any_open(found.report)) {
    HttpResponse outcome = json_response(report_json(found.report));
    outcome.headers = std::move(held.accepted.headers);
    return finish(found.request, std::move(outcome));
  }
  wait_for(found.request, held, found.report);
}

void AwaitedOutcomes::wait_for(RequestId request, Held& held, const MessageReport& report) {
  for (const BatchReport& batch : report.batches) {
    if (!is_open(batch.state)) continue;
    held.open.insert(batch.id);
    by_batch_.emplace(batch.id, request);
  }
}

void AwaitedOutcomes::recorded(BatchId batch) {
  const auto [first, last] = by_batch_.equal_range(batch);
  std::vector<RequestId> look_up;
  for (auto one = first; one != last; ++one) {
    Held& held = held_.at(one->second);
    held.open.erase(batch);
    if (held.open.empty()) look_up.push_back(one->second);
  }
  by_batch_.erase(first, last);
  for (RequestId request : look_up)
    find_(request, held_.at(request).message);
}

void AwaitedOutcomes::finish(RequestId request, HttpResponse response) {
  const auto at = held_.find(request);
  for (BatchId batch : at->second.open) {
    const auto [first, last] = by_batch_.equal_range(batch);
    for (auto one = first; one != last;)
      one = one->second == request ? by_batch_.erase(one) : std::next(one);
  }
  const auto [first, last] = by_time_.equal_range(at->second.until_ms);
  for (auto one = first; one != last;)
    one = one->second == request ? by_time_.erase(one) : std::next(one);
  held_.erase(at);
  arm();
  answer_(request, std::move(response));
}

void AwaitedOutcomes::arm() {
  if (by_time_.empty()) {
    uv_timer_stop(&timer_);
    return;
  }
  const uint64_t now_ms = uv_now(loop_);
  const uint64_t first_ms = by_time_.begin()->first;
  const auto late = [](uv_timer_t* timer) {
    static_cast<AwaitedOutcomes*>(timer->data)->give_up_late_ones();
  };
  uv_timer_start(&timer_, late, first_ms > now_ms ? first_ms - now_ms : 0, 0);
}

void AwaitedOutcomes::give_up_late_ones() {
  const uint64_t now_ms = uv_now(loop_);
  while (!by_time_.empty() && by_time_.begin()->first <= now_ms) {
    const RequestId request = by_time_.begin()->second;
    finish(request, std::move(held_.at(request).accepted));
  }
}

void AwaitedOutcomes::give_up() {
  while (!held_.empty()) {
    const RequestId request = held_.begin()->first;
    finish(request, std::move(held_.begin()->second.accepted));
  }
}

void AwaitedOutcomes::close(std::function<void()> closed) {
  held_.clear();
  by_batch_.clear();
  by_time_.clear();
  closed_ = std::move(closed);
  uv_close(reinterpret_cast<uv_handle_t*>(&timer_), [](uv_handle_t* handle) {
    // It may end this object.
    auto done = std::move(static_cast<AwaitedOutcomes*>(handle->data)->closed_);
    done();
  });
}

}  // namespace weir
