// SPDX-License-Identifier: Apache-2.0
//
// CopyWork: after the store has made a copy of the database, looks whether the copy is whole, then
// gives a backup its name or takes a mere check's copy away.
//
// The loop's thread, except for the look itself, which reads all of the copy: that is done by one
// of libuv's worker threads, on a file that nobody else uses.
#pragma once

#include <functional>
#include <string>

#include "shim/front/api.h"

struct uv_loop_s;

namespace weir {

// `part` is the copy; it has become `checked.path`, or is gone, when `done` is called, on the
// loop's thread. `checked` says whose it is and whether it is kept.
void check_and_place(uv_loop_s* loop, std::string part, CopyChecked checked,
                     std::function<void(CopyChecked)> done);

}  // namespace weir
