// SPDX-License-Identifier: Apache-2.0
#include "engine/send_guard.h"

#include <algorithm>

#include "weir/check.h"

#include "engine/rng.h"

namespace weir {
namespace {

constexpr Duration kHour = Duration::seconds(3600);

std::string seconds_text(Duration duration) {
  return std::to_string((duration.ms_ceil() + 999) / 1000) + " s";
}

}  // namespace

uint64_t leading_digits(Recipient recipient, unsigned digits) {
  uint64_t bound = 1;
  for (unsigned i = 0; i < digits; ++i)
    bound *= 10;
  uint64_t rest = recipient.digits;
  while (rest >= bound)
    rest /= 10;
  return rest;
}

size_t SendGuard::Mix::operator()(uint64_t key) const {
  return Rng(key ^ seed).next();
}

SendGuard::SendGuard(const ClassOptions& options, uint64_t seed)
    : class_name_(options.name),
      options_(*options.guard),
      chains_{Chains(0, Mix{seed}), Chains(0, Mix{~seed})} {
  // A table that grows to a million would stand still for it.
  chains_[kRecipient].reserve(options_.max_per_hour);
  if (options_.max_per_prefix_per_hour > 0) chains_[kPrefix].reserve(options_.max_per_hour);
}

uint64_t SendGuard::key(By by, Recipient recipient) const {
  return by == kRecipient ? recipient.digits : leading_digits(recipient, options_.prefix_digits);
}

void SendGuard::link(By by, Place place) {
  Entry& own = entry(place);
  Chain& chain = chains_[by][key(by, own.recipient)];
  if (chain.entries == 0) chain.oldest = place;
  if (chain.entries > 0) {
    entry(chain.newest).links[by].after = place;
    own.links[by].before = chain.newest;
  }
  chain.newest = place;
  chain.entries += 1;
  own.linked[by] = true;
}

void SendGuard::unlink(By by, Place place) {
  Entry& own = entry(place);
  if (!own.linked[by]) return;
  own.linked[by] = false;
  const auto found = chains_[by].find(key(by, own.recipient));
  WEIR_CHECK(found != chains_[by].end());
  Chain& chain = found->second;
  chain.entries -= 1;
  if (chain.entries == 0) {
    chains_[by].erase(found);
    return;
  }
  const Link link = own.links[by];
  const bool oldest = chain.oldest == place;
  const bool newest = chain.newest == place;
  if (oldest) chain.oldest = link.after;
  if (newest) chain.newest = link.before;
  if (!oldest && !newest) {
    entry(link.before).links[by].after = link.after;
    entry(link.after).links[by].before = link.before;
  }
}

void SendGuard::add(MonoTime at, BatchId batch, Recipient recipient) {
  Entry one;
  one.at = at;
  one.batch = batch;
  one.recipient = recipient;
  one.sent = recipient.digits != 0;
  const auto place = static_cast<Place>(front_ + log_.size());
  log_.push_back(one);
  counted_ += 1;
  if (recipient.digits == 0) return;
  link(kRecipient, place);
  if (options_.max_per_prefix_per_hour > 0) link(kPrefix, place);
}

void SendGuard::void_entry(Place place) {
  for (By by : kBoth)
    unlink(by, place);
  counted_ -= entry(place).counts ? 1 : 0;
  entry(place).counts = false;
}

void SendGuard::drop_front() {
  void_entry(front_);
  log_.pop_front();
  front_ += 1;
}

void SendGuard::sweep(MonoTime now, size_t most) {
  for (; most > 0 && !log_.empty(); --most) {
    if (log_.front().counts && log_.front().at + kHour > now) return;
    drop_front();
  }
}

// Old entries stand at the front, so what is left of them when this ends does no harm.
void SendGuard::make_room(MonoTime now, size_t more) {
  while (!log_.empty() && (!log_.front().counts || log_.front().at + kHour <= now)) {
    const size_t most = options_.max_per_hour;
    if (counted_ + more <= most && log_.size() + more <= 2 * most) return;
    drop_front();
  }
}

// The chain of what counts now; null: nothing does.
SendGuard::Chain* SendGuard::find(MonoTime now, By by, Recipient recipient) {
  const uint64_t wanted = key(by, recipient);
  for (;;) {
    const auto found = chains_[by].find(wanted);
    if (found == chains_[by].end()) return nullptr;
    if (entry(found->second.oldest).at + kHour > now) return &found->second;
    unlink(by, found->second.oldest);
  }
}

// Until so many of the oldest of a chain are an hour old.
Duration SendGuard::until_gone(MonoTime now, By by, const Chain& chain, uint32_t entries) {
  Place place = chain.oldest;
  for (; entries > 1; --entries)
    place = entry(place).links[by].after;
  return entry(place).at + kHour - now;
}

SendGuard::Reason SendGuard::look_at_recipient(MonoTime now, Recipient recipient) {
  const Chain* chain = find(now, kRecipient, recipient);
  if (chain == nullptr) return {};
  Reason reason;
  const Entry& last = entry(chain->newest);
  if (last.sent && last.at + options_.resend_cooldown > now) {
    reason = {RefusalCode::kRecipientCooldown, last.at + options_.resend_cooldown - now};
  }
  const uint32_t most = options_.max_per_recipient_per_hour;
  if (most == 0 || chain->entries < most) return reason;
  const Duration wait = until_gone(now, kRecipient, *chain, chain->entries + 1 - most);
  return wait > reason.wait ? Reason{RefusalCode::kRecipientCap, wait} : reason;
}

// `more`: recipients of the message with this prefix, this one included.
SendGuard::Reason SendGuard::look_at_prefix(MonoTime now, Recipient recipient, uint32_t more) {
  const uint32_t most = options_.max_per_prefix_per_hour;
  const Chain* chain = find(now, kPrefix, recipient);
  const uint32_t had = chain == nullptr ? 0 : chain->entries;
  if (had + more <= most) return {};
  return {RefusalCode::kPrefixCap, until_gone(now, kPrefix, *chain, had + more - most)};
}

// Zero: the class has room.
Duration SendGuard::class_wait(MonoTime now, size_t more) const {
  if (log_.size() + more > 2 * size_t{options_.max_per_hour}) {
    return log_.front().at + kHour - now;
  }
  const size_t wanted = counted_ + more;
  if (wanted <= options_.max_per_hour) return Duration();
  size_t leave = wanted - options_.max_per_hour;
  for (const Entry& one : log_) {
    leave -= one.counts ? 1 : 0;
    if (leave == 0) return one.at + kHour - now;
  }
  WEIR_NEVER("more must leave than counts");
}

std::optional<SendGuard::Fault> SendGuard::check(MonoTime now,
                                                 std::span<const Recipient> recipients) {
  if (recipients.size() > options_.max_per_hour) return never_fits(std::nullopt);
  make_room(now, recipients.size());
  std::optional<Fault> fault;
  Duration longest;
  const auto note = [&](const Reason& reason, std::optional<size_t> recipient) {
    if (reason.wait == Duration()) return;
    if (!fault) fault = Fault{reason.code, recipient, text(reason.code), {}};
    longest = std::max(longest, reason.wait);
  };
  const uint32_t prefix_most = options_.max_per_prefix_per_hour;
  std::unordered_map<uint64_t, uint32_t, Mix> within(0, chains_[kPrefix].hash_function());
  for (size_t i = 0; i < recipients.size(); ++i) {
    Reason reason = look_at_recipient(now, recipients[i]);
    if (prefix_most > 0) {
      const uint32_t more = recipients.size() == 1 ? 1 : ++within[key(kPrefix, recipients[i])];
      if (more > prefix_most) return never_fits(i);
      const Reason block = look_at_prefix(now, recipients[i], more);
      if (block.wait > reason.wait) reason = block;
    }
    note(reason, i);
  }
  note({RefusalCode::kClassCap, class_wait(now, recipients.size())}, std::nullopt);
  if (fault) fault->wait = longest;
  return fault;
}

// Splitting the message is all that helps.
SendGuard::Fault SendGuard::never_fits(std::optional<size_t> recipient) const {
  const std::string setting = recipient ? "max_per_prefix_per_hour" : "max_per_hour";
  return {RefusalCode::kCostExceedsBucket, recipient,
          "it names more recipients" + std::string(recipient ? " whose numbers begin alike" : "") +
              " than class " + class_name_ +
              " may have in an hour; cut the list, or raise classes." + class_name_ + ".guard." +
              setting,
          Duration()};
}

std::string SendGuard::text(RefusalCode code) const {
  const std::string who = "class " + class_name_;
  switch (code) {
    case RefusalCode::kRecipientCooldown:
      return who + " sent to this recipient less than " + seconds_text(options_.resend_cooldown) +
             " ago";
    case RefusalCode::kRecipientCap:
      return who + " sends " + std::to_string(options_.max_per_recipient_per_hour) +
             " messages an hour to one recipient, and this one has had them";
    case RefusalCode::kPrefixCap:
      return who + " sends " + std::to_string(options_.max_per_prefix_per_hour) +
             " messages an hour to numbers with the same first " +
             std::to_string(options_.prefix_digits) +
             " digits, and those of this one have had them";
    default:
      return who + " has " + std::to_string(options_.max_per_hour) +
             " recipients an hour, and no room for this message";
  }
}

void SendGuard::count(MonoTime now, BatchId batch, std::span<const Recipient> recipients) {
  WEIR_CHECK(log_.empty() || log_.back().batch <= batch);
  for (Recipient one : recipients)
    add(now, batch, one);
}

// Where the entries of a batch begin in the log.
size_t SendGuard::first_of(BatchId batch) const {
  const auto found = std::lower_bound(log_.begin(), log_.end(), batch,
                                      [](const Entry& a, BatchId b) { return a.batch < b; });
  return static_cast<size_t>(found - log_.begin());
}

void SendGuard::take_back(BatchId first, BatchId last) {
  for (size_t i = first_of(first); i < log_.size() && log_[i].batch <= last; ++i)
    void_entry(static_cast<Place>(front_ + i));
  while (!log_.empty() && !log_.back().counts)
    log_.pop_back();
}

void SendGuard::not_sent(BatchId first, BatchId last) {
  for (size_t i = first_of(first); i < log_.size() && log_[i].batch <= last; ++i)
    log_[i].sent = false;
}

void SendGuard::restore(Now now, std::span<const Restored::Counted> counted) {
  WEIR_CHECK(log_.empty());
  if (counted.size() > options_.max_per_hour) counted = counted.last(options_.max_per_hour);
  MonoTime at = now.mono + kHour * -1;
  for (const Restored::Counted& one : counted) {
    const int64_t age_ms = std::max<int64_t>(now.wall.unix_ms() - one.accepted.unix_ms(), 0);
    if (age_ms >= kHour.ms()) continue;
    // Those of a clock that was set back between two of them are as old as the younger one.
    at = std::max(at, now.mono + Duration::millis(-age_ms));
    add(at, one.batch, one.recipient);
  }
}

}  // namespace weir
