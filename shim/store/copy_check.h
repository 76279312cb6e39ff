// SPDX-License-Identifier: Apache-2.0
//
// Whether a copy of a database is whole: SQLite's own check of its pages, then weir's of what its
// rows say together (the counters against a recount, each message against its batches).
//
// It opens the copy by itself and may be called on any thread; it must not be called with the file
// of a running weir.
//
// Cost: it reads everything, seconds for each GiB.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shim/store/reports.h"

namespace weir {

struct CopyCheck {
  bool whole = false;
  std::vector<std::string> faults;  // the first 20, a sentence each
  uint64_t bytes = 0;
  uint64_t messages = 0;
  Tallies tallies{};  // by recount
};

CopyCheck check_copy(const std::string& path);

}  // namespace weir
