// SPDX-License-Identifier: Apache-2.0
#include "shim/store/doorbell.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "weir/check.h"

namespace weir {

Doorbell::Doorbell() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  WEIR_CHECK(descriptor_ >= 0);
}

Doorbell::~Doorbell() {
  close(descriptor_);
}

void Doorbell::ring() {
  if (rung_.exchange(true)) return;
  const uint64_t one = 1;
  WEIR_CHECK(write(descriptor_, &one, sizeof one) == sizeof one);
}

void Doorbell::wait(std::optional<Duration> at_most) {
  constexpr int64_t kLongestPoll = 60'000;  // poll() takes an int
  const int timeout_ms =
      at_most ? static_cast<int>(std::clamp<int64_t>(at_most->ms_ceil(), 0, kLongestPoll)) : -1;
  pollfd entry{descriptor_, POLLIN, 0};
  const int ready = poll(&entry, 1, timeout_ms);
  WEIR_CHECK(ready >= 0 || errno == EINTR);
  if (ready <= 0) return;
  uint64_t rings = 0;
  WEIR_CHECK(read(descriptor_, &rings, sizeof rings) == sizeof rings);
  // After the read: a ring from here on writes again. An exchange, so that it sees what the ringer
  // did before.
  rung_.exchange(false);
}

}  // namespace weir
