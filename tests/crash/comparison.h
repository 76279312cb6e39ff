// SPDX-License-Identifier: Apache-2.0
//
// What weir says of its messages, held against what the gateway took, recipient by recipient. weir
// runs and is idle meanwhile.
#pragma once

#include <cstdint>
#include <span>

#include "tests/crash/traffic.h"
#include "tests/e2e/rig.h"

namespace weir::test {

// Calls of each lane at once; the rig's weir is told the same.
constexpr uint32_t kSlots = 5;

struct Findings {
  size_t messages = 0;
  size_t batches = 0;
  size_t taken = 0;    // calls by the gateway
  size_t unknown = 0;  // batches
  size_t sent_twice = 0;
};

// Every acceptance is accounted for, nothing was sent twice, nothing that was taken is told as not
// sent or the other way round; and each of the `kills` left at most a lane's slots as unknown.
Findings compare_with_ledger(Rig& rig, std::span<const Submission> submissions, size_t kills);

// Over the whole file: every message that is there has come to its end, and those that no producer
// knows of can only be the ones in doubt. Its counters are what a recount says.
void compare_with_producers(Rig& rig, std::span<const Submission> submissions);

}  // namespace weir::test
