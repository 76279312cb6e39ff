// SPDX-License-Identifier: Apache-2.0
//
// Sending windows: the hours of the day in which a class may be sent.
//
// A SendingWindow is what the operator writes, in the local time of a named zone. Openings are what
// follows from it as absolute times; whoever owns the host works them out (shim/calendar), because
// that takes a library and a file of time zones. The engine only asks whether an instant is inside.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/time.h"

namespace weir {

// What becomes at the close of the window of what was not sent.
enum class AtClose : uint8_t {
  kShed,       // the close is a deadline
  kCarryOver,  // it waits for the next opening while its deadline is ahead
};

// Minutes after midnight, 0 to 1439. A close that is not after the open is one of the next day.
struct SendingWindow {
  uint16_t open_minute = 0;
  uint16_t close_minute = 0;
  AtClose at_close = AtClose::kShed;
  std::string zone;  // of the tz database: Asia/Kolkata
  friend bool operator==(const SendingWindow&, const SendingWindow&) = default;
};

struct Opening {
  WallTime open;
  WallTime close;  // the first instant that is not inside any more
  friend bool operator==(const Opening&, const Opening&) = default;
};

// The openings of one window over some stretch of time. Outside of that stretch it is closed: what
// is not known is not sent.
class Openings {
 public:
  Openings() = default;
  // Sorted, none empty, none touching the inside of another.
  explicit Openings(std::vector<Opening> list);

  bool is_open(WallTime t) const;
  // The opening that `t` lies in, or else the next one; null: none is known.
  const Opening* at_or_after(WallTime t) const;
  // The first that begins after `t`; null: none is known.
  const Opening* after(WallTime t) const;
  // True: at `t` it was closed, and had been open before. What had until then could last be sent
  // before that close.
  bool closed_by(WallTime t) const;

 private:
  std::vector<Opening> list_;
};

// By class, in the order of EngineOptions::classes; of no meaning for one without a window.
using Calendar = std::vector<Openings>;

}  // namespace weir
