// SPDX-License-Identifier: Apache-2.0
//
// The guard of one class, against programs that have messages sent to numbers which they earn from:
// what each recipient, each block of numbers and the class as a whole got within the last hour.
//
// What is accepted counts, from the moment it goes to disk; what turns out not to be stored is
// taken back. What is given up later counts on, because who asks for money does not care; but its
// recipients may be sent to again at once, because nothing came.
//
// Counts are exact, not slots of an hour: every accepted recipient is an entry of a log, and each
// recipient and each block of numbers is a chain through the log. Entries leave it an hour later, a
// few a step; a chain drops its own old entries when it is looked at, so what has not been swept
// yet counts nowhere.
//
// Time is monotonic: a wall clock that is set while weir runs changes nothing. What an earlier run
// accepted is of the age that the wall clock says at start, at least 0: with a clock that was set
// back meanwhile a wait begins anew, and is never longer than its window.
//
// Bounds: the log holds what the class may have accepted in an hour (GuardOptions::max_per_hour),
// and at most as many that were taken back; beyond, everything is refused with class_cap. 48 bytes
// each, and two hashed chains.
//
// Called by the engine on its thread.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/event.h"
#include "weir/options.h"
#include "weir/refusal.h"

namespace weir {

class SendGuard {
 public:
  // `seed`: so that nobody can choose numbers which meet in the table.
  SendGuard(const ClassOptions& options, uint64_t seed);

  // Why these recipients, each another one, cannot be accepted now; nothing: they can be.
  struct Fault {
    RefusalCode code = RefusalCode::kClassCap;
    std::optional<size_t> recipient;  // the first at fault; none: it is the class, or the number
    std::string detail;
    Duration wait;  // until all of them could be, if nothing else comes
  };
  std::optional<Fault> check(MonoTime now, std::span<const Recipient> recipients);

  // They were accepted. Batches rise from call to call.
  void count(MonoTime now, BatchId batch, std::span<const Recipient> recipients);
  // Those of these batches were not stored after all.
  void take_back(BatchId first, BatchId last);
  // These batches are given up, and nothing of them was sent for certain.
  void not_sent(BatchId first, BatchId last);

  // Once, before anything else is counted.
  void restore(Now now, std::span<const Restored::Counted> counted);

  // Forgets at most this many that are more than an hour old.
  void sweep(MonoTime now, size_t most);
  size_t entries() const { return log_.size(); }

 private:
  // What an entry is chained by.
  enum By : uint8_t { kRecipient, kPrefix };
  static constexpr std::array kBoth = {kRecipient, kPrefix};

  // Places in the log, as numbers that go on when the front leaves, and may wrap.
  using Place = uint32_t;
  struct Link {
    Place before = 0;
    Place after = 0;
  };
  struct Entry {
    MonoTime at;
    Recipient recipient;
    BatchId batch{};
    std::array<Link, 2> links{};
    std::array<bool, 2> linked{};
    bool counts = true;  // false: it was taken back
    bool sent = true;    // false: it is certain that it was not
  };
  struct Chain {
    Place oldest = 0;
    Place newest = 0;
    uint32_t entries = 0;
  };
  struct Mix {
    uint64_t seed;
    size_t operator()(uint64_t key) const;
  };
  using Chains = std::unordered_map<uint64_t, Chain, Mix>;

  // What stands against a recipient; a wait of zero: nothing.
  struct Reason {
    RefusalCode code = RefusalCode::kClassCap;
    Duration wait;
  };

  Entry& entry(Place place) { return log_[place - front_]; }
  uint64_t key(By by, Recipient recipient) const;
  void add(MonoTime at, BatchId batch, Recipient recipient);
  void link(By by, Place place);
  void unlink(By by, Place place);
  void void_entry(Place place);
  void drop_front();
  void make_room(MonoTime now, size_t more);
  Chain* find(MonoTime now, By by, Recipient recipient);
  Duration until_gone(MonoTime now, By by, const Chain& chain, uint32_t entries);
  Reason look_at_recipient(MonoTime now, Recipient recipient);
  Reason look_at_prefix(MonoTime now, Recipient recipient, uint32_t more);
  Duration class_wait(MonoTime now, size_t more) const;
  Fault never_fits(std::optional<size_t> recipient) const;
  std::string text(RefusalCode code) const;
  size_t first_of(BatchId batch) const;

  const std::string class_name_;
  const GuardOptions options_;
  std::deque<Entry> log_;  // rising by time and by batch
  Place front_ = 0;        // of log_.front()
  size_t counted_ = 0;     // entries that count, old ones that were not swept yet too
  std::array<Chains, 2> chains_;
};

// The first digits of a number, as a number; all of it, if it has fewer.
uint64_t leading_digits(Recipient recipient, unsigned digits);

}  // namespace weir
