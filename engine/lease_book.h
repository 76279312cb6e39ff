// SPDX-License-Identifier: Apache-2.0
//
// LeaseBook: the grants that may still be given back.
//
// Always holds: a lease is closed at most once, so no grant is refunded twice; one that is older
// than its time, or was forgotten to make room, is as unknown as one that never was. Forgetting
// takes units from nobody: they are spent, as the application said when it asked.
//
// Ids rise by one and all leases live equally long, so the oldest stands in front and an id is a
// place in the book. The first id comes from the wall clock: what an application kept from an
// earlier run names no lease of this one.
//
// Called by the engine on its thread. At most `most` leases of 32 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "weir/time.h"
#include "weir/types.h"
#include "weir/units.h"

namespace weir {

struct Lease {
  // Where the units come from: a lane, or the private bucket at this index.
  std::optional<Lane> lane;
  ProducerId producer = kNoProducer;  // whose it is
  bool charged = false;               // to its quota
  uint32_t bucket = 0;
  Units cost;
};

class LeaseBook {
 public:
  LeaseBook(Now now, size_t most, Duration lease_time);

  LeaseId open(MonoTime now, const Lease& lease);
  // The lease, which is then no more; nothing when there is none by that id (any more), or it is
  // not `owner`'s. kNoProducer may close all.
  std::optional<Lease> close(MonoTime now, LeaseId id, ProducerId owner = kNoProducer);
  // Entries that are held, closed ones behind an open one among them.
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Lease lease;
    MonoTime until;
    bool open = true;
  };
  void forget(MonoTime now);
  void drop_front();

  const size_t most_;
  const Duration lease_time_;
  uint64_t first_;  // the id of entries_.front()
  std::deque<Entry> entries_;
};

}  // namespace weir
