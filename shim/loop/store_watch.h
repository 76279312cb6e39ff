// SPDX-License-Identifier: Apache-2.0
//
// StoreWatch: what the engine is to hear of the store's health.
//
// The store tells of commits that fail. It cannot tell of one that does not come to its end,
// because its thread hangs in it: that is seen from outside, by looking how long the work under
// way has taken. The two are one health to the engine.
//
// The loop's thread; pure.
//
// What always holds: what it returns differs from what it returned before.
#pragma once

#include <optional>

#include "weir/event.h"

namespace weir {

class StoreWatch {
 public:
  // An OTP has 45 s; a commit takes milliseconds.
  static constexpr Duration kSlow = Duration::seconds(2);

  // The store's own word.
  std::optional<StoreHealth> hear(StoreHealth health);
  // A look at the store's work under way; zero: none is.
  std::optional<StoreHealth> look(Duration busy_for);

 private:
  std::optional<StoreHealth> tell();

  StoreHealth own_{StoreTrouble::kNone, {}};
  bool slow_ = false;
  StoreTrouble told_ = StoreTrouble::kNone;
};

}  // namespace weir
