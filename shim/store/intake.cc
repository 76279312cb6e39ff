// SPDX-License-Identifier: Apache-2.0
#include "shim/store/intake.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weir {
namespace {

constexpr Duration kExpressMemory = Duration::seconds(1);

// Null for everything else.
const Draft* ordinary_draft(const StoreCommand& command) {
  const auto* persist = std::get_if<Persist>(&command);
  return persist != nullptr && !persist->draft->claim_first ? persist->draft.get() : nullptr;
}

bool has_direct_insert(const Group& group) {
  return std::any_of(group.writes.begin(), group.writes.end(), [](const CommandPtr& command) {
    const auto* persist = std::get_if<Persist>(command.get());
    return persist != nullptr && persist->draft->claim_first;
  });
}

CommandPtr take_front(std::deque<CommandPtr>& line) {
  CommandPtr command = std::move(line.front());
  line.pop_front();
  return command;
}

void put_into(Group& group, CommandPtr command) {
  const bool inquiry = std::holds_alternative<FindMessage>(*command) ||
                       std::holds_alternative<ListMessages>(*command) ||
                       std::holds_alternative<FindRates>(*command) ||
                       std::holds_alternative<ReadStats>(*command);
  (inquiry ? group.inquiries : group.writes).push_back(std::move(command));
}

}  // namespace

void Intake::add(CommandPtr command, MonoTime now) {
  if (ordinary_draft(*command) != nullptr) {
    ordinary_.push_back(std::move(command));
    return;
  }
  if (const auto* cancel = std::get_if<Cancel>(command.get()); cancel && !cancel->begin) {
    cancels_.push_back(std::move(command));
    return;
  }
  if (std::holds_alternative<Tend>(*command)) {
    tends_.push_back(std::move(command));
    return;
  }
  last_express_ = now;
  const bool outcome = std::holds_alternative<Record>(*command);
  (outcome ? outcomes_ : express_).push_back(std::move(command));
}

void Intake::put_back(std::vector<CommandPtr> outcomes) {
  outcomes_.insert(outcomes_.begin(), std::make_move_iterator(outcomes.begin()),
                   std::make_move_iterator(outcomes.end()));
}

Hurry Intake::hurry(MonoTime now) const {
  if (!outcomes_.empty() || !express_.empty()) return Hurry::kWaiting;
  const bool lately = last_express_ && now - *last_express_ <= kExpressMemory;
  return lately ? Hurry::kLately : Hurry::kNone;
}

Group Intake::take(MonoTime now) {
  Group group;
  const size_t limit = hurry(now) == Hurry::kNone ? bulk_rows_ * kQuietFactor : bulk_rows_;
  for (size_t left = kExpressPerGroup; left > 0; --left) {
    Line& line = !outcomes_.empty() ? outcomes_ : express_;
    if (line.empty()) break;
    put_into(group, take_front(line));
  }
  ordinary_waited_ = !ordinary_waited_ && has_direct_insert(group);
  if (ordinary_waited_) return group;
  size_t rows = 0;
  while (!ordinary_.empty()) {
    const size_t more = ordinary_draft(*ordinary_.front())->batches.size();
    if (rows > 0 && rows + more > limit) break;
    rows += more;
    put_into(group, take_front(ordinary_));
  }
  if (!cancels_.empty()) put_into(group, take_front(cancels_));
  if (!tends_.empty()) put_into(group, take_front(tends_));
  return group;
}

Group Intake::take_refusable() {
  Group group;
  for (Line* line : {&express_, &ordinary_, &cancels_, &tends_}) {
    while (!line->empty())
      put_into(group, take_front(*line));
  }
  return group;
}

}  // namespace weir
