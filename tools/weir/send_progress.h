// SPDX-License-Identifier: Apache-2.0
//
// How far a file has been handed in, as a line: with a bar for a terminal, without for a log.
//
// Pure: no clock, no terminal. Plain ASCII without control characters; whoever draws it sees to
// the redrawing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "weir/time.h"

namespace weir {

struct SendProgress {
  Duration elapsed;
  uint64_t messages = 0;                // handed over
  uint64_t bytes = 0;                   // of the file
  std::optional<uint64_t> bytes_total;  // nothing: it is a pipe
  bool all_handed = false;              // weir has it all and reads on
  std::string pressure;                 // empty: not known
};

// At most `width` characters. What does not fit is left out, the least needed first: the bar, the
// pressure, the rate.
std::string progress_bar(const SendProgress& at, size_t width);

std::string progress_line(const SendProgress& at);

// The lanes that are not clear, as "promotional pause"; or "clear". Of the answer of
// GET /v1/pressure; empty when it is none.
std::string pressure_words(const std::string& answer);

}  // namespace weir
