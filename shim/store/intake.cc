// SPDX-License-Identifier: Apache-2.0
#include "shim/store/intake.h"

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

bool Intake::quiet(MonoTime now) const {
  return !last_express_ || now - *last_express_ > kExpressMemory;
}

size_t Intake::row_limit(MonoTime now) const {
  return quiet(now) ? bulk_rows_ * kQuietFactor : bulk_rows_;
}

Group Intake::take(MonoTime now) {
  Group group;
  for (size_t left = kExpressPerGroup; left > 0; --left) {
    Line& line = !outcomes_.empty() ? outcomes_ : express_;
    if (line.empty()) break;
    put_into(group, take_front(line));
  }
  const size_t limit = row_limit(now);
  size_t rows = 0;
  while (!ordinary_.empty()) {
    rows += ordinary_draft(*ordinary_.front())->batches.size();
    if (rows > limit && rows != ordinary_draft(*ordinary_.front())->batches.size()) break;
    put_into(group, take_front(ordinary_));
  }
  if (!tends_.empty()) put_into(group, take_front(tends_));
  return group;
}

Group Intake::take_refusable() {
  Group group;
  for (Line* line : {&express_, &ordinary_, &tends_}) {
    while (!line->empty())
      put_into(group, take_front(*line));
  }
  return group;
}

}  // namespace weir
