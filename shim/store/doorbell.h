// SPDX-License-Identifier: Apache-2.0
//
// Doorbell: how the loop wakes the store's thread.
//
// ring() is called on the loop's thread, wait() on the store's. A ring is never lost, rings before
// the next wait() count as one, and ringing takes no lock: one atomic exchange, and a system call
// only for the first ring since the last wait().
//
// What is pushed to a queue before ring() is seen by whoever looks after wait() has returned.
//
// Limits: wait() may return without a ring; the caller looks for itself.
#pragma once

#include <atomic>
#include <optional>

#include "weir/time.h"

namespace weir {

class Doorbell {
 public:
  Doorbell();
  ~Doorbell();
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

  void ring();
  // Until a ring, or for `at_most`.
  void wait(std::optional<Duration> at_most);

 private:
  int descriptor_;
  std::atomic<bool> rung_{false};
};

}  // namespace weir
