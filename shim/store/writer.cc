// SPDX-License-Identifier: Apache-2.0
#include "shim/store/writer.h"

#include <algorithm>
#include <iterator>
#include <string_view>
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
  if (const auto* resolve = std::get_if<Resolve>(&command)) {
    return Resolved{resolve->request, ResolveResult::kNotWritten, 0, resolve->to};
  }
  if (const auto* release = std::get_if<Release>(&command))
    return Released{release->request, false};
  if (auto* stop = std::get_if<StoreStop>(&command)) {
    return StopStored{stop->request, false, std::move(stop->order)};
  }
  if (const auto* cancel = std::get_if<Cancel>(&command)) {
    Cancelled failed;
    failed.request = cancel->request;
    return failed;
  }
  if (std::holds_alternative<Tend>(command)) return Tended{false};
  return CeilingSaved{};
}

constexpr size_t kPurgedAmidOthers = 20;
constexpr size_t kPurgedAlone = 500;

// Of a cancel. Dearer than a purge by what it writes, and its lane waits for it.
constexpr size_t kCancelledAmidOthers = 20;
constexpr size_t kCancelledAlone = 200;

std::string_view words_for(StoreTrouble trouble) {
  switch (trouble) {
    case StoreTrouble::kDiskFull: return "the disk is full";
    case StoreTrouble::kReadOnly: return "the file system is read-only";
    case StoreTrouble::kIoError: return "the disk reports an error";
    case StoreTrouble::kCorrupt:
      return "the database is damaged and is not written to any more; stop weir, keep the file and "
             "its -wal, and restore a backup or try the .recover command of the sqlite3 shell";
    default: return "the database cannot be written";
  }
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
  return intake_.has_refusable() || now >= retry_at_;  // never, once the file is damaged
}

std::optional<Duration> Writer::pause(MonoTime now) const {
  if (writable_ || retry_at_ == MonoTime::never()) return std::nullopt;
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
  if (failed_of_ == StoreTrouble::kCorrupt && !writable_) {
    refuse(std::move(group.writes), turn);
  } else if (barred || !group.writes.empty()) {
    const bool written = write(group.writes, turn.answers);
    settle(written, group.writes.size(), now, turn);
    if (!written) refuse(std::move(group.writes), turn);
  }
  inquire(group.inquiries, turn);
  return turn;
}

// Appends one answer for each command, or none at all. A savepoint around each message would cost a
// fifth of all accepts, and a row that breaks a rule of the tables is somebody's mistake: only a
// transaction that met one is written again with them.
bool Writer::write(std::vector<CommandPtr>& writes, std::vector<StoreAnswer>& answers) {
  std::vector<StoreAnswer> written;
  Tried tried = try_to_write(writes, false, written);
  if (tried == Tried::kRowRefused) tried = try_to_write(writes, true, written);
  if (tried != Tried::kWritten) return false;
  return_drafts(writes, written);
  std::move(written.begin(), written.end(), std::back_inserter(answers));
  return true;
}

Writer::Tried Writer::try_to_write(const std::vector<CommandPtr>& writes, bool apart,
                                   std::vector<StoreAnswer>& answers) {
  answers.clear();
  bool good = journal_.begin();
  for (size_t i = 0; good && i < writes.size(); ++i) {
    std::optional<StoreAnswer> answer = write_one(*writes[i], writes.size() == 1, apart);
    good = answer.has_value();
    if (good) answers.push_back(std::move(*answer));
  }
  if (writes.empty()) good = good && journal_.probe();
  good = good && journal_.commit();
  if (good) return Tried::kWritten;
  const Tried tried = journal_.row_refused() ? Tried::kRowRefused : Tried::kFailed;
  failure_ = journal_.error();
  failed_of_ = journal_.trouble();
  journal_.roll_back();
  return tried;
}

std::optional<StoreAnswer> Writer::write_one(const StoreCommand& command, bool alone, bool apart) {
  if (const auto* persist = std::get_if<Persist>(&command))
    return journal_.persist(*persist, apart);
  if (const auto* claim = std::get_if<Claim>(&command)) return journal_.claim(*claim);
  if (const auto* change = std::get_if<StoreTemplate>(&command)) {
    return journal_.store_template(*change);
  }
  if (const auto* rate = std::get_if<SaveRate>(&command)) return journal_.save(*rate);
  if (const auto* levels = std::get_if<SaveLevels>(&command)) return journal_.save(*levels);
  if (const auto* resolve = std::get_if<Resolve>(&command)) return journal_.resolve(*resolve);
  if (const auto* release = std::get_if<Release>(&command)) return journal_.release(*release);
  if (const auto* stop = std::get_if<StoreStop>(&command)) return journal_.store_stop(*stop);
  if (const auto* cancel = std::get_if<Cancel>(&command)) {
    return journal_.cancel(*cancel, alone ? kCancelledAlone : kCancelledAmidOthers);
  }
  if (const auto* tend = std::get_if<Tend>(&command)) {
    look_at_space();
    return journal_.tend(*tend, alone ? kPurgedAlone : kPurgedAmidOthers);
  }
  return journal_.record(std::get<Record>(command));
}

// With a margin, so that what frees a little and takes a little does not flap.
void Writer::look_at_space() {
  const Journal::Space space = journal_.space();
  totals_.file_bytes = space.file_bytes;
  totals_.log_bytes = space.log_bytes;
  totals_.disk_free_bytes = space.disk_free_bytes;
  const uint64_t enough = low_space_ ? min_free_bytes_ + min_free_bytes_ / 4 : min_free_bytes_;
  low_space_ = space.disk_free_bytes < enough;
}

void Writer::tell_health(Turn& turn) {
  StoreTrouble now = low_space_ ? StoreTrouble::kLowSpace : StoreTrouble::kNone;
  if (!writable_) now = failed_of_;
  if (now == told_) return;
  told_ = now;
  StoreHealth health{now, ""};
  if (now == StoreTrouble::kLowSpace) {
    health.detail = std::to_string(totals_.disk_free_bytes >> 20) +
                    " MiB of the disk are free, less than store.min_free";
  } else if (now != StoreTrouble::kNone) {
    health.detail = std::string(words_for(now)) + ": " + failure_;
  }
  turn.health = std::move(health);
}

void Writer::note_time(Duration took) {
  const double seconds = took.as_seconds();
  size_t place = 0;
  while (place < StoreTotals::kCommitBounds.size() && seconds > StoreTotals::kCommitBounds[place]) {
    ++place;
  }
  totals_.commit_times[place] += 1;
  totals_.commit_seconds += seconds;
}

void Writer::settle(bool written, size_t commands, MonoTime now, Turn& turn) {
  turn.committed = written;
  if (written) {
    totals_.commits += 1;
    totals_.written += commands;
    totals_.unmatched_records = journal_.unmatched_records();
    totals_.purged_batches = journal_.purged();
    totals_.tallies = journal_.tallies();
    totals_.oldest_unknown = journal_.oldest_unknown();
    writable_ = true;
    return tell_health(turn);
  }
  totals_.failed_commits += 1;
  if (writable_) next_pause_ = kFirstPause;
  writable_ = false;
  tell_health(turn);
  const bool over = failed_of_ == StoreTrouble::kCorrupt;
  retry_at_ = over ? MonoTime::never() : now + next_pause_;
  next_pause_ = std::min(next_pause_ * 2, kLongestPause);
}

void Writer::refuse(std::vector<CommandPtr> writes, Turn& turn) {
  std::vector<CommandPtr> outcomes;
  for (CommandPtr& command : writes) {
    if (const auto* cancel = std::get_if<Cancel>(command.get())) {
      journal_.give_up_cancel(cancel->request);
    }
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
    } else if (const auto* list = std::get_if<ListMessages>(command.get())) {
      turn.answers.push_back(journal_.list(*list));
    } else if (const auto* stats = std::get_if<ReadStats>(command.get())) {
      turn.answers.push_back(journal_.stats(*stats));
    } else {
      turn.answers.push_back(journal_.find(std::get<FindRates>(*command)));
    }
  }
}

}  // namespace weir
