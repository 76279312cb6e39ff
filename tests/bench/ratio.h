// SPDX-License-Identifier: Apache-2.0
//
// How a benchmark compares: both sides in turn, several times, and the middle of the ratios. A
// machine that others use slows both sides of a pair; it does not slow their ratio.
//
// A ratio that misses its bar by less than a fifth is told and fails nothing: that is as far as
// runs on such a machine lie apart.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace weir::bench {

enum class Bar { kAtLeast, kAtMost };

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The value below which `part` of all lie.
inline double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto place = static_cast<size_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place),
                   values.end());
  return values[place];
}

inline double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

// Prints the figure beside its bar. False: it missed it clearly.
inline bool report(const char* what, double figure, Bar bar, double bound) {
  const bool most = bar == Bar::kAtMost;
  const bool held = most ? figure <= bound : figure >= bound;
  const bool near = most ? figure <= bound * 1.2 : figure >= bound / 1.2;
  std::printf("%-58s %8.2f  (bar %s %.2f: %s)\n", what, figure, most ? "<=" : ">=", bound,
              held   ? "held"
              : near ? "missed, within the noise"
                     : "MISSED");
  std::fflush(stdout);
  return near;
}

}  // namespace weir::bench
