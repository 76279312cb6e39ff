// SPDX-License-Identifier: Apache-2.0
#include "shim/store/writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weir {
namespace {

// Long enough that a full disk is not hammered, short enough that an OTP of the next second finds
// the store at work again.
constexpr Duration kFirstPause = Duration::millis(200);
constexpr Duration kLongestPause = Duration::seconds(1);

// The answer of what was not written and need not be kept.
StoreAnswer refusal(StoreCommand command) {
  if (auto* persist = std::get_if<Persist>(&command)) {
    return Persisted{persist->request, Persisted::Result::kFailed, std::move(persist->draft), {}};
  }
  if (auto* change = std::get_if<StoreTemplate>(&command)) {
    return TemplateStored{change->request, false, change->remove, std::move(change->content)};
  }
  if (const auto* claim = std::get_if<Claim>(&command)) {
    return Claimed{claim->batch, nullptr, false};
  }
  return CeilingSaved{};
}

// Persisted hands the draft back. It stays with the command until the commit is known.
void return_drafts(std::vector<CommandPtr>& writes, std::vector<StoreAnswer>& answers) {
  for (size_t i = 0; i < writes.size(); ++i) {
    if (auto* persist = std::get_if<Persist>(writes[i].get())) {
      std::get<Persisted>(answers[i]).draft = std::move(persist->draft);
    }
  }
}

}  // namespace

bool Writer::has_work(MonoTime now) const {
  if (writable_ || winding_up_) return !intake_.empty();
  return intake_.has_refusable() || now >= retry_at_;
}

std::optional<Duration> Writer::pause(MonoTime now) const {
  if (writable_) return std::nullopt;
  return std::max(retry_at_ - now, Duration());
}

Writer::Turn Writer::turn(MonoTime now) {
  Turn turn;
  const bool barred = !writable_ && !winding_up_;
  if (barred) {
    Group refused = intake_.take_refusable();
    refuse(std::move(refused.writes), turn);
    inquire(refused.inquiries, turn);
    if (now < retry_at_) return turn;
  }
  Group group = intake_.take(now);
  if (barred || !group.writes.empty()) {
    const bool written = write(group.writes, turn.answers);
    settle(written, group.writes.size(), now, turn);
    if (!written) refuse(std::move(group.writes), turn);
  }
  inquire(group.inquiries, turn);
  return turn;
}

// Appends one answer for each command, or none at all.
bool Writer::write(std::vector<CommandPtr>& writes, std::vector<StoreAnswer>& answers) {
  std::vector<StoreAnswer> written;
  bool good = journal_.begin();
  for (size_t i = 0; good && i < writes.size(); ++i) {
    std::optional<StoreAnswer> answer = write_one(*writes[i]);
    good = answer.has_value();
    if (good) written.push_back(std::move(*answer));
  }
  if (writes.empty()) good = good && journal_.probe();
  good = good && journal_.commit();
  if (!good) {
    failure_ = journal_.error();
    journal_.roll_back();
    return false;
  }
  return_drafts(writes, written);
  std::move(written.begin(), written.end(), std::back_inserter(answers));
  return true;
}

std::optional<StoreAnswer> Writer::write_one(const StoreCommand& command) {
  if (const auto* persist = std::get_if<Persist>(&command)) return journal_.persist(*persist);
  if (const auto* claim = std::get_if<Claim>(&command)) return journal_.claim(*claim);
  if (const auto* change = std::get_if<StoreTemplate>(&command)) {
    return journal_.store_template(*change);
  }
  if (const auto* rate = std::get_if<SaveRate>(&command)) return journal_.save(*rate);
  if (const auto* levels = std::get_if<SaveLevels>(&command)) return journal_.save(*levels);
  return journal_.record(std::get<Record>(command));
}

void Writer::settle(bool written, size_t commands, MonoTime now, Turn& turn) {
  if (written) {
    commits_.fetch_add(1, std::memory_order_relaxed);
    written_.fetch_add(commands, std::memory_order_relaxed);
    unmatched_records_.store(journal_.unmatched_records(), std::memory_order_relaxed);
    if (!writable_) turn.health = StoreHealth{true, {}};
    writable_ = true;
    return;
  }
  failed_commits_.fetch_add(1, std::memory_order_relaxed);
  if (writable_) {
    turn.health = StoreHealth{false, "the database cannot be written: " + failure_};
    next_pause_ = kFirstPause;
  }
  writable_ = false;
  retry_at_ = now + next_pause_;
  next_pause_ = std::min(next_pause_ * 2, kLongestPause);
}

void Writer::refuse(std::vector<CommandPtr> writes, Turn& turn) {
  std::vector<CommandPtr> outcomes;
  for (CommandPtr& command : writes) {
    if (!std::holds_alternative<Record>(*command)) {
      turn.answers.push_back(refusal(std::move(*command)));
    } else if (!winding_up_) {
      outcomes.push_back(std::move(command));
    }
  }
  intake_.put_back(std::move(outcomes));
}

void Writer::inquire(const std::vector<CommandPtr>& inquiries, Turn& turn) {
  for (const CommandPtr& command : inquiries) {
    if (const auto* message = std::get_if<FindMessage>(command.get())) {
      turn.answers.push_back(journal_.find(*message));
    } else {
      turn.answers.push_back(journal_.find(std::get<FindRates>(*command)));
    }
  }
}

StoreTotals Writer::totals() const {
  return {commits_.load(std::memory_order_relaxed), failed_commits_.load(std::memory_order_relaxed),
          written_.load(std::memory_order_relaxed),
          unmatched_records_.load(std::memory_order_relaxed)};
}

}  // namespace weir
