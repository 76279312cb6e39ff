// SPDX-License-Identifier: Apache-2.0
//
// WEIR_CHECK: the one answer to "this cannot happen".
//
// It is always on, prints the expression and the place, and aborts. A restart is safe by
// construction (a 202 is on disk, a claim is on disk before its call), so stopping is the cheap
// way out of a state that nobody has thought about.
//
// Not for input, the disk, the network or anything else that the world can do to us: those are
// values (see result.h) or enumerators.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace weir {

[[noreturn]] inline void check_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "weir: %s:%d: check failed: %s\n", file, line, expression);
  std::abort();
}

}  // namespace weir

#define WEIR_CHECK(expression) \
  ((expression) ? static_cast<void>(0) : ::weir::check_failed(#expression, __FILE__, __LINE__))

// For the branch that no state leads to; `text` says which.
#define WEIR_NEVER(text) ::weir::check_failed(text, __FILE__, __LINE__)
