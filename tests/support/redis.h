// SPDX-License-Identifier: Apache-2.0
//
// A real Redis on loopback, started and ended by the one who compares with it. It keeps nothing.
//
// One connection, one question at a time, answers of at most 512 bytes. Where redis-server is not
// installed start() is false, and the comparison says so and is left out.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace weir::test {

class Redis {
 public:
  Redis() = default;
  ~Redis();
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;

  bool start();
  // The answer as it stands on the wire; empty when the connection is gone.
  std::string ask(const std::vector<std::string>& words);

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
};

}  // namespace weir::test
