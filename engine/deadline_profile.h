// SPDX-License-Identifier: Apache-2.0
//
// What of a lane goes before a message with this priority and deadline, and when its turn comes.
// A lane leaves by priority, then by earliest deadline; so a long queue says nothing of a reminder
// that overtakes all of it.
//
// The units that wait are summed by priority, deadline and class. Deadlines are rounded into slots,
// so that a million batches are a few hundred sums; what shares the slot of the one that asks is
// counted if none of it has a later deadline. So the answer may be early by what one slot holds,
// and is never late for it: it is for turning away what certainly comes too late.
//
// Called by the engine on its thread. Cost of turn_of(): one look at each slot in front, and it
// ends once the deadline is passed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>

#include "weir/message.h"
#include "weir/time.h"

namespace weir {

class DeadlineProfile {
 public:
  static constexpr Duration kSlot = Duration::seconds(10);

  struct Place {
    uint8_t priority = kDefaultPriority;
    WallTime deadline;
    ClassId class_id{};
  };
  void add(const Place& place, Units cost);
  void remove(const Place& place, Units cost);  // that were added

  struct Question {
    uint8_t priority = kDefaultPriority;
    WallTime deadline;
    Units cost;             // of what asks, if it is not here yet
    WallTime from;          // nothing leaves before
    Units at_once;          // the tokens that are there by then
    double rate_per_s = 1;  // above 0
    ClassSet counted;       // the classes that may be in front
  };
  // When the last unit of it leaves if nothing else comes. What is in front and expires before its
  // own turn is not waited for. Past the deadline it only says so: the true instant may be later.
  WallTime turn_of(const Question& question) const;

 private:
  struct Sum {
    Units units;
    WallTime latest;  // the last deadline that was ever in this sum
    int64_t rows = 0;
  };
  using Key = std::tuple<uint8_t, int64_t, size_t>;  // priority, slot, class
  static Key key_of(const Place& place);

  std::map<Key, Sum> sums_;
};

}  // namespace weir
