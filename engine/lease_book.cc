// SPDX-License-Identifier: Apache-2.0
#include "engine/lease_book.h"

#include "weir/check.h"

namespace weir {
namespace {

// No run gives more leases in a millisecond than this, so the ids of the next run are higher.
constexpr uint64_t kIdsAMillisecond = 1000;

}  // namespace

LeaseBook::LeaseBook(Now now, size_t most, Duration lease_time)
    : most_(most),
      lease_time_(lease_time),
      first_(static_cast<uint64_t>(now.wall.unix_ms()) * kIdsAMillisecond + 1) {
  WEIR_CHECK(most > 0);
}

void LeaseBook::drop_front() {
  entries_.pop_front();
  first_ += 1;
}

void LeaseBook::forget(MonoTime now) {
  while (!entries_.empty() && (!entries_.front().open || entries_.front().until <= now))
    drop_front();
}

LeaseId LeaseBook::open(MonoTime now, const Lease& lease) {
  forget(now);
  if (entries_.size() >= most_) drop_front();
  entries_.push_back({lease, now + lease_time_});
  return LeaseId{first_ + entries_.size() - 1};
}

std::optional<Lease> LeaseBook::close(MonoTime now, LeaseId id, ProducerId owner) {
  forget(now);
  if (raw(id) < first_ || raw(id) - first_ >= entries_.size()) return std::nullopt;
  Entry& entry = entries_[raw(id) - first_];
  if (!entry.open) return std::nullopt;
  if (owner != kNoProducer && entry.lease.producer != owner) return std::nullopt;
  entry.open = false;
  const Lease lease = entry.lease;
  forget(now);
  return lease;
}

}  // namespace weir
