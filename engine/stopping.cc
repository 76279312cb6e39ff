// SPDX-License-Identifier: Apache-2.0
//
// What a person stops: a lane or a class is paused or drained until it is resumed.
//
// Method. A stop holds from the commit that keeps it. Of a paused lane nothing is claimed; a paused
// class is held in its lane (windows.cc), so that the others pass and it keeps its place. It still
// counts in the lane's depth and is still shed at its deadline. What drains is refused at the door
// and goes out as ever.
//
// Leases are not kept by anybody, so those of what is paused or drains are denied, with the wait of
// somebody who does not know how long it will be; who waits in line when it is stopped is denied
// then.
#include "weir/check.h"

#include "engine/admission.h"
#include "engine/state.h"

namespace weir {
namespace {

// A person resumes, and nobody knows when.
constexpr Duration kStoppedRetry = Duration::seconds(30);

std::string subject(const StopOrder& order) {
  return order.lane ? "lane " + std::string(name(*order.lane)) : "class " + order.class_name;
}

std::string stop_text(const StopOrder& order) {
  if (order.stop.mode == StopMode::kNone) return subject(order) + " was resumed by a person";
  return subject(order) + " is " + std::string(name(order.stop.mode)) + ": " + order.stop.reason;
}

Refusal takes_nothing(RefusalCode code, std::string what, const Stop& stop) {
  Refusal refusal;
  refusal.code = code;
  refusal.detail = what + " is being drained and takes nothing new: " + stop.reason;
  refusal.retry_after = kStoppedRetry;
  return refusal;
}

}  // namespace

const Stop& Engine::State::stop_of(ClassId class_id) const {
  // A class that is not configured any more cannot be named, so it cannot be stopped.
  static const Stop kGone;
  return index(class_id) < class_stops.size() ? class_stops[index(class_id)] : kGone;
}

bool Engine::State::is_paused(Lane lane, ClassId class_id) const {
  return lanes[index(lane)].stop.mode == StopMode::kPaused ||
         stop_of(class_id).mode == StopMode::kPaused;
}

std::optional<Refusal> Engine::State::turn_away_drained(Lane lane, ClassId class_id) const {
  const Stop& of_lane = lanes[index(lane)].stop;
  const Stop& of_class = stop_of(class_id);
  if (of_lane.mode == StopMode::kDraining) {
    return takes_nothing(RefusalCode::kLaneDraining, "lane " + std::string(name(lane)), of_lane);
  }
  if (of_class.mode == StopMode::kDraining) {
    return takes_nothing(RefusalCode::kClassDraining,
                         "class " + options.classes[index(class_id)].name, of_class);
  }
  return std::nullopt;
}

// When a lease of what is stopped may be asked for again; nothing: it is not stopped.
std::optional<MonoTime> Engine::State::stopped_until(Now now, const Waiter& waiter) const {
  if (!waiter.wanted.lane) return std::nullopt;
  const bool stopped = lanes[index(*waiter.wanted.lane)].stop.mode != StopMode::kNone ||
                       stop_of(class_named(options, waiter.class_name)).mode != StopMode::kNone;
  return stopped ? std::optional(now.mono + kStoppedRetry) : std::nullopt;
}

void Engine::State::on(Now now, StopRequested& event, Effects& effects) {
  StopOrder& order = event.order;
  WEIR_CHECK(order.lane.has_value() == order.class_name.empty());
  if (!order.lane && class_named(options, order.class_name) == kNoClass) {
    effects.push_back(AnswerStop{event.request, StopResult::kNone, std::move(order)});
    return;
  }
  if (!commits(store_trouble) || draining) {
    effects.push_back(AnswerStop{event.request, StopResult::kNotWritten, std::move(order)});
    return;
  }
  order.stop.since = now.wall;
  settlements_open += 1;
  effects.push_back(StoreStop{event.request, std::move(order)});
}

void Engine::State::on(Now now, StopStored& event, Effects& effects) {
  WEIR_CHECK(settlements_open > 0);
  settlements_open -= 1;
  if (!event.written) {
    effects.push_back(AnswerStop{event.request, StopResult::kNotWritten, std::move(event.order)});
    return;
  }
  stop(event.order, effects);
  for (LaneState& state : lanes) {
    const auto is_stopped = [&](const Waiter& one) { return stopped_until(now, one).has_value(); };
    while (const auto waiter = state.desk.line.pop_where(is_stopped)) {
      give_back_quota(waiter->wanted);
      deny(now, *waiter, *stopped_until(now, *waiter), effects);
    }
  }
  effects.push_back(AnswerStop{event.request, StopResult::kDone, std::move(event.order)});
}

void Engine::State::stop(const StopOrder& order, Effects& effects) {
  const ClassId class_id = order.lane ? kNoClass : class_named(options, order.class_name);
  std::string text = stop_text(order);
  if (order.lane) {
    lanes[index(*order.lane)].stop = order.stop;
  } else if (class_id != kNoClass) {
    class_stops[index(class_id)] = order.stop;
  } else {
    text += "; it is not configured any more";
  }
  const bool resumed = order.stop.mode == StopMode::kNone;
  effects.push_back(Note{resumed ? Note::Level::kInfo : Note::Level::kWarning, std::move(text)});
}

}  // namespace weir
