// SPDX-License-Identifier: Apache-2.0
//
// When a class may be sent. What comes while its window is closed stands aside until the opening;
// what is in line when it closes keeps its place and is passed by. Judged by the wall clock of each
// step, so that a clock that is stepped opens and closes windows as well.
#include <algorithm>

#include "weir/check.h"

#include "engine/admission.h"
#include "engine/prediction.h"
#include "engine/state.h"

namespace weir {
namespace {

// The calendar reaches further than any deadline, so this is for one that was never told.
constexpr Duration kUnknownOpening = Duration::seconds(3600);

}  // namespace

void Engine::State::on(Now now, CalendarRead& event, Effects&) {
  WEIR_CHECK(event.calendar.size() == options.classes.size());
  calendar = std::move(event.calendar);
  look_at_holds(now);
}

void Engine::State::look_at_holds(Now now) {
  closed_now.reset();
  for (size_t i = 0; i < options.classes.size(); ++i) {
    closed_now[i] = options.classes[i].window && !calendar[i].is_open(now.wall);
  }
  standing = closed_now;
  for (size_t i = 0; i < class_stops.size(); ++i) {
    if (class_stops[i].mode == StopMode::kPaused) standing.set(i);
  }
  for (LaneState& state : lanes)
    state.queue.hold(standing);
}

// When a batch of this class that is there at `at` could be sent.
WallTime Engine::State::first_chance(ClassId one, WallTime at) const {
  if (one == kNoClass || !options.classes[index(one)].window) return at;
  const Opening* opening = calendar[index(one)].at_or_after(at);
  return opening == nullptr ? at : std::max(at, opening->open);
}

// Of a class that is held.
MonoTime Engine::State::reopens(Now now, ClassId one) const {
  const Opening* next = calendar[index(one)].after(now.wall);
  return now.mono + (next == nullptr ? kUnknownOpening : next->open - now.wall);
}

// A head does not say what its deadline was made of, and need not: whatever it was, a deadline that
// falls into closed hours was missed because the window closed before it.
ShedReason Engine::State::why_late(const Head& head) const {
  const bool windowed =
      head.class_id != kNoClass && options.classes[index(head.class_id)].window.has_value();
  return windowed && calendar[index(head.class_id)].closed_by(head.deadline)
             ? ShedReason::kWindow
             : ShedReason::kDeadline;
}

Units Engine::State::held_units(Lane lane) const {
  Units all;
  for (size_t i = 0; i < options.classes.size(); ++i) {
    if (standing[i]) all += lanes[index(lane)].queue.units_of(static_cast<ClassId>(i));
  }
  return all;
}

// Of the classes that stand still in this lane.
std::optional<WallTime> Engine::State::next_opening(Now now, Lane lane) const {
  std::optional<WallTime> earliest;
  for (size_t i = 0; i < options.classes.size(); ++i) {
    if (!closed_now[i] || lanes[index(lane)].queue.units_of(static_cast<ClassId>(i)) <= Units())
      continue;
    const Opening* next = calendar[i].after(now.wall);
    if (next != nullptr && (!earliest || next->open < *earliest)) earliest = next->open;
  }
  return earliest;
}

std::vector<WindowView> Engine::State::windows(Now now) const {
  std::vector<WindowView> all;
  for (size_t i = 0; i < options.classes.size(); ++i) {
    const ClassOptions& one = options.classes[i];
    if (!one.window) continue;
    WindowView out;
    out.class_name = one.name;
    out.lane = one.lane;
    const Opening* here = calendar[i].at_or_after(now.wall);
    const Opening* next = calendar[i].after(now.wall);
    out.open = here != nullptr && here->open <= now.wall;
    if (out.open) out.closes_at = here->close;
    if (next != nullptr) out.opens_at = next->open;
    all.push_back(std::move(out));
  }
  return all;
}

}  // namespace weir
