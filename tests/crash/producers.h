// SPDX-License-Identifier: Apache-2.0
//
// The producers of a round: four at once, each handing in what is next, until everything is handed
// in or weir is gone. What they learn is written into the submissions.
//
// A producer behaves as the API asks of it: what was refused for now or never tried it hands in
// later; what it had no answer for it hands in again only under a key.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tests/crash/traffic.h"
#include "tests/e2e/rig.h"

namespace weir::test {

// What a producer would still hand in.
std::vector<Submission*> to_hand_in(std::vector<Submission>& all);

// Returns when everything was tried once or weir no longer answers. `on_accepted` is called on the
// producers' threads with the number of 202s so far.
void hand_in(
    Rig& rig, const std::vector<Submission*>& which,
    const std::function<void(size_t)>& on_accepted = [](size_t) {});

// The same request again, which was accepted under its key: the same answer.
void hand_in_again(Rig& rig, const Submission& accepted);

}  // namespace weir::test
