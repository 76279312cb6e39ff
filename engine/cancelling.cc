// SPDX-License-Identifier: Apache-2.0
//
// What a person takes back.
//
// Method. The store is told first, ahead of everything that waits there (Cancel::begin): a claim
// that comes to it afterwards finds its batch cancelled, so nothing of it is sent from then on,
// whatever stands in memory. Messages that were on their way to disk at that moment are of it too:
// the slices begin when all of those have arrived. Each slice says what it cancelled, and the lanes
// drop that (withdrawn.h): at once where it comes to the front, the rest in sweeps of a bounded
// number of heads a step. Until a sweep has passed, the depth of the lane still counts it.
//
// What is under way when its slice comes is left alone. If its call turns out to have submitted
// nothing, it is cancelled in place of being tried again: pending first, then cancelled, because
// only that way is in the table.
#include <algorithm>

#include "weir/check.h"

#include "engine/batch_state.h"
#include "engine/state.h"

namespace weir {
namespace {

constexpr size_t kMostCancellations = 8;

// About 0.1 ms.
constexpr size_t kSweptAStep = 2'048;

// A sweep amid a cancel costs a look at every head, so it waits until it is worth it.
constexpr uint64_t kWorthASweep = 4'096;

std::string counts_text(const CancelCounts& counts) {
  return std::to_string(counts.batches) + " batches of " + std::to_string(counts.messages) +
         " messages";
}

}  // namespace

void Engine::State::on(Now now, CancelRequested& event, Effects& effects) {
  if (!commits(store_trouble) || draining) {
    effects.push_back(AnswerCancel{event.request, CancelResult::kNotWritten, {}});
    return;
  }
  if (cancellations.size() >= kMostCancellations) {
    effects.push_back(AnswerCancel{event.request, CancelResult::kBusy, {}});
    return;
  }
  settlements_open += 1;
  Cancellation one;
  one.command.request = event.request;
  one.command.target = std::move(event.target);
  one.command.before = next_message;
  one.command.at = now.wall;
  one.command.begin = true;
  one.arriving = inserting;
  effects.push_back(one.command);
  cancellations.push_back(std::move(one));
}

void Engine::State::on(Now, Cancelled& event, Effects& effects) {
  const auto it = std::find_if(
      cancellations.begin(), cancellations.end(),
      [&](const Cancellation& one) { return one.command.request == event.request && !one.over; });
  WEIR_CHECK(it != cancellations.end());
  Cancellation& one = *it;
  one.counts += event.counts;
  for (const BatchRange& range : event.batches) {
    one.withdrawn.add(range);
    note_not_sent(range.first, range.last);
  }
  for (BatchId batch : event.under_way) {
    const auto flying = in_flight.find(raw(batch));
    if (flying != in_flight.end()) {
      flying->second.cancelled = true;
    } else {
      one.withdrawn.recall(batch);  // it has ended meanwhile, or stands in its lane again
    }
  }
  if (!event.written) return end_cancel(one, CancelResult::kNotWritten, effects);
  if (event.done) {
    const CancelResult result = one.counts.batches > 0 ? CancelResult::kCancelled
                                : one.counts.found > 0 ? CancelResult::kTooLate
                                                       : CancelResult::kNone;
    return end_cancel(one, result, effects);
  }
  one.command.from = event.next;
  one.begun = true;
  if (one.arriving == 0) continue_cancel(one, effects);
}

void Engine::State::continue_cancel(Cancellation& one, Effects& effects) {
  // What is left is cancelled by whoever asks again, after the next start.
  if (draining) return end_cancel(one, CancelResult::kNotWritten, effects);
  one.command.begin = false;
  effects.push_back(one.command);
}

void Engine::State::end_cancel(Cancellation& one, CancelResult result, Effects& effects) {
  WEIR_CHECK(settlements_open > 0);
  settlements_open -= 1;
  one.over = true;
  if (one.counts.batches > 0) {
    const bool whole = result == CancelResult::kCancelled;
    effects.push_back(Note{whole ? Note::Level::kInfo : Note::Level::kWarning,
                           counts_text(one.counts) + " were cancelled by a person" +
                               (whole ? "" : "; the rest could not be, ask for it again")});
  }
  effects.push_back(AnswerCancel{one.command.request, result, one.counts});
}

// A message that a cancel may wait for is on disk, or will never be.
void Engine::State::arrived(const Message& message, Effects& effects) {
  inserting -= 1;
  for (Cancellation& one : cancellations) {
    if (one.arriving == 0 || raw(message.id) >= raw(one.command.before)) continue;
    one.arriving -= 1;
    if (one.arriving == 0 && one.begun && !one.over) continue_cancel(one, effects);
  }
}

void Engine::State::record_cancelled(Now now, BatchId batch, Effects& effects) {
  WEIR_CHECK(may_follow(BatchState::kPending, BatchState::kCancelled));
  Record record;
  record.batch = batch;
  record.from = BatchState::kPending;
  record.to = BatchState::kCancelled;
  record.at = now.wall;
  record.reason = kCancelledReason;
  records_open += 1;
  note_not_sent(batch, batch);
  effects.push_back(std::move(record));
}

// True: it was taken back, and must leave its lane.
bool Engine::State::taken_back(Now now, BatchId batch, Effects& effects) {
  for (const Cancellation& one : cancellations) {
    if (one.withdrawn.contains(batch)) return true;
    if (!one.withdrawn.recalls(batch)) continue;
    record_cancelled(now, batch, effects);
    return true;
  }
  return false;
}

uint32_t Engine::State::drop_taken_back(Now now, Lane lane, uint32_t most, Effects& effects) {
  if (cancellations.empty()) return 0;
  LaneQueue& queue = lanes[index(lane)].queue;
  uint32_t done = 0;
  for (; done < most; ++done) {
    const Head* front = queue.front();
    if (front == nullptr || !taken_back(now, front->id, effects)) break;
    queue.pop_front();
  }
  return done;
}

bool Engine::State::wants_sweep() const {
  uint64_t rows = 0;
  for (const LaneState& state : lanes)
    rows += static_cast<uint64_t>(state.queue.rows());
  const uint64_t enough = std::max(kWorthASweep, rows / 8);
  return std::any_of(cancellations.begin(), cancellations.end(), [enough](const Cancellation& one) {
    return one.over || one.withdrawn.unswept() >= enough;
  });
}

// True: there is more to sweep.
bool Engine::State::sweep_lanes(Now now, Effects& effects) {
  if (cancellations.empty()) return false;
  if (!sweep) {
    if (!wants_sweep()) return false;
    sweep.emplace();
    for (Cancellation& one : cancellations) {
      one.withdrawn.begin_sweep();
      one.leaves_with_sweep = one.over;
    }
  }
  const bool more = lanes[sweep->lane].queue.sweep(
      sweep->place, kSweptAStep,
      [&](const Head& head) { return taken_back(now, head.id, effects); });
  if (more) return true;
  sweep->place = {};
  sweep->lane += 1;
  if (sweep->lane < kLanes) return true;
  sweep.reset();
  for (Cancellation& one : cancellations)
    one.withdrawn.end_sweep();
  std::erase_if(cancellations, [](const Cancellation& one) { return one.leaves_with_sweep; });
  return !cancellations.empty() && wants_sweep();
}

}  // namespace weir
