// SPDX-License-Identifier: Apache-2.0
//
// What the classes with a guard accepted within the last hour, so that a restart opens no guard.
//
// There is no table of its own for it: a message knows its class and when it was accepted, and a
// batch keeps its recipients unless it was refused, shed or cancelled. Those count for the class,
// and for nobody.
//
// At start, before the store's thread runs.
//
// Cost: ids rise with time, so the first message of the hour is found by bisection; from there on
// every message is looked at, of other classes too, about 0.3 s for a million. Of a class at most
// `most` recipients are read, the newest.
//
// Limits: where the wall clock was set back within the hour, bisection may begin too late, and what
// was accepted before does not count.
#pragma once

#include <vector>

#include "weir/event.h"

#include "shim/store/statements.h"
#include "shim/store/store.h"

namespace weir {

// False: the database cannot be read.
bool read_guarded(Statements& statements, const std::vector<GuardedName>& classes, WallTime now,
                  std::vector<Restored::GuardedClass>& found);

}  // namespace weir
