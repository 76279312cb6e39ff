// SPDX-License-Identifier: Apache-2.0
#include "shim/loop/clocks.h"

#include <fstream>

#include <time.h>

namespace weir {

Now read_clocks() {
  timespec mono{};
  timespec wall{};
  clock_gettime(CLOCK_MONOTONIC, &mono);
  clock_gettime(CLOCK_REALTIME, &wall);
  return {MonoTime::from_ns(mono.tv_sec * 1'000'000'000 + mono.tv_nsec),
          WallTime::from_unix_ms(wall.tv_sec * 1000 + wall.tv_nsec / 1'000'000)};
}

std::string read_boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

}  // namespace weir
