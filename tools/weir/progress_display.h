// SPDX-License-Identifier: Apache-2.0
//
// ProgressDisplay: shows on stderr how far a file has been handed in. On a terminal it is one line
// that is drawn again a few times a second; elsewhere a plain line now and then.
//
// No colours, and no control characters but the return on a terminal.
//
// Used by `weir send --file`, on its only thread.
#pragma once

#include <chrono>
#include <cstddef>

#include "tools/weir/send_progress.h"

namespace weir {

class ProgressDisplay {
 public:
  // `line_every`: where stderr is no terminal.
  explicit ProgressDisplay(std::chrono::milliseconds line_every);

  // It is time for show().
  bool is_due() const;
  void show(const SendProgress& at);
  // The line on a terminal stays; what is said next begins below.
  void end();

 private:
  void draw(const std::string& text);

  bool terminal_;
  std::chrono::milliseconds every_;
  std::chrono::steady_clock::time_point last_;
  size_t drawn_ = 0;  // characters
};

}  // namespace weir
