// SPDX-License-Identifier: Apache-2.0
#include "shim/loop/store_watch.h"

#include <utility>

namespace weir {

std::optional<StoreHealth> StoreWatch::hear(StoreHealth health) {
  own_ = std::move(health);
  return tell();
}

std::optional<StoreHealth> StoreWatch::look(Duration busy_for) {
  slow_ = busy_for >= kSlow;
  return tell();
}

// A commit that hangs is the worse of the two: nothing can be said of the disk until it ends.
std::optional<StoreHealth> StoreWatch::tell() {
  StoreHealth now = own_;
  if (slow_) now = {StoreTrouble::kSlowDisk, "its thread has been at one write for more than 2 s"};
  if (now.trouble == told_) return std::nullopt;
  told_ = now.trouble;
  return now;
}

}  // namespace weir
