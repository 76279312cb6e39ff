// SPDX-License-Identifier: Apache-2.0
//
// The points at which weir is killed, as killer.cc names them, in the order of the straight line.
#pragma once

#include <cstdint>

namespace weir::test {

struct Point {
  const char* name;
  // The killer counts from the start of the process. Up to here a round gets: in a new file, where
  // making the tables counts too, and in one that an earlier round has left.
  uint32_t most_new;
  uint32_t most_old;
  // Passed when the log is folded into the file: by a start that finds a log, and by an orderly
  // stop. In between SQLite does it only at 8 MB of log, some twenty rounds.
  bool at_stop = false;
};

inline constexpr Point kPoints[] = {
    {"log.before", 200, 120},    {"log.torn", 200, 120},     {"log.after", 200, 120},
    {"commit.before", 24, 20},   {"commit.after", 24, 20},   {"answer.before", 20, 20},
    {"answer.torn", 20, 20},     {"answer.after", 20, 20},   {"connect.after", 6, 6},
    {"head.before", 20, 20},     {"head.torn", 20, 20},      {"head.after", 20, 20},
    {"body.torn", 20, 20},       {"body.after", 20, 20},     {"reply.after", 20, 20},
    {"fold.before", 3, 1, true}, {"fold.after", 3, 1, true}, {"page.torn", 12, 8, true},
    {"trim.before", 1, 1, true}, {"trim.after", 1, 1, true},
};

}  // namespace weir::test
