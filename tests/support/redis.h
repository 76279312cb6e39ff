// SPDX-License-Identifier: Apache-2.0
//
// A real Redis on loopback, started and ended by the one who compares with it. It keeps nothing.
//
// One connection, one question at a time, answers of at most 512 bytes. Blocking, on the caller's
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir::test {

class Process;

class Redis {
 public:
  Redis();
  ~Redis();
  Redis(const Redis&) = delete;
  Redis& operator=(const Redis&) = delete;

  enum class Start : uint8_t {
    kRunning,
    kNotInstalled,  // say so, and leave the comparison out
    kFailed,        // redis-server is there, and ended or could not be reached
  };
  Start start();
  // The answer as it stands on the wire; empty when the connection is gone.
  std::string ask(const std::vector<std::string>& words);

 private:
  std::unique_ptr<Process> process_;
  int socket_ = -1;
};

}  // namespace weir::test
