// SPDX-License-Identifier: Apache-2.0
//
// EgressTest: a loop, an egress, and the replies that came. Every test that uses it also tests that
// close() leaves no handle on the loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <uv.h>

#include "shim/egress/egress.h"
#include "tests/support/raw_gateway.h"

namespace weir::test {

// What a test's message says is its number, and a gateway answers with it as the reference.
std::string text_of(int64_t id);
std::string ok_json(const std::string& request_body);
// Answers every request of the connection as a gateway should.
void serve(RawConnection& connection);

class EgressTest : public testing::Test {
 protected:
  EgressTest();
  ~EgressTest() override;

  void open(const std::string& url);
  // Takes what is under way back, closes, and checks that the loop is empty.
  void close();

  void send(int64_t id, const std::string& more_text = "");
  // Turns the loop until so many replies have come in all; fails after half a minute.
  void run_until(size_t replies);
  // One call from its sending to its reply.
  GatewayReply call(int64_t id, const std::string& more_text = "");
  // Turns the loop for so long, for what is about idling itself.
  void idle_for(Duration time);
  // One turn that waits for nothing.
  void turn() { uv_run(&loop_, UV_RUN_NOWAIT); }

  static size_t open_descriptors();

  uv_loop_t loop_{};
  GatewayOptions options_;
  Profile profile_;
  std::unique_ptr<Egress> egress_;
  std::vector<Replied> replies_;
  std::function<void(const Replied&)> on_reply_;  // after it was kept

 private:
  void start_guard(uint64_t ms);

  uv_timer_t guard_{};
  bool too_late_ = false;  // the guard has rung
};

}  // namespace weir::test
