// SPDX-License-Identifier: Apache-2.0
//
// The loop: one thread, one libuv loop, and the turn that joins the engine to the world.
//
// A turn reads the clocks once, takes the events that have gathered (from the front door, the
// store, the egress, the timer), steps the engine with each, carries the effects out, and arms one
// timer for next_wake(). It never blocks: the disk is the store thread's, names are resolved by
// curl's own threads.
//
// Stopping: the first SIGTERM or SIGINT stops intake and claims; what is in flight may finish
// within drain_timeout, then it is ended and recorded as what it had come to. A second signal ends
// the process at once: what was accepted is on disk, what was claimed is found as unknown.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weir/result.h"

#include "shim/config/settings.h"

namespace weir {

class Log;

class Loop {
 public:
  // Opens the store, listens. An error is a sentence for the operator; nothing is left behind.
  static Result<std::unique_ptr<Loop>> start(const Settings& settings, Log& log,
                                             const std::string& version);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // The port that the system chose, when the settings left it open.
  uint16_t tcp_port() const;

  // Until weir has been told to stop and has stopped.
  void run();

 private:
  struct State;
  explicit Loop(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir
