// SPDX-License-Identifier: Apache-2.0
//
// The egress: makes the calls to one gateway with curl's multi interface on the loop.
//
// It reports what happened on the wire (GatewayReply) and judges nothing. What it guarantees:
//   - a request's body leaves at most once; curl's own second try is vetoed;
//   - a reused connection that has ended, failed or holds bytes nobody asked for carries no call;
//   - every call ends, by its time limits or by the watchdog behind them;
//   - an answer is reported from a plain loop callback, never from inside send().
//
// Threads: the loop's, for everything. Limits: `slots` calls at once, checked; replies above
// max_reply_bytes are cut and reported as incomplete.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "weir/event.h"
#include "weir/message.h"
#include "weir/result.h"

#include "shim/egress/gateway_options.h"
#include "shim/egress/profile.h"

struct uv_loop_s;

namespace weir {

// What of the two the egress could not work with, in words that name the place: a placeholder that
// does not exist, a way in whose secrets are not set, a URL without a scheme.
Status check_gateway(const GatewayOptions& options, const Profile& profile);

class Egress {
 public:
  using OnReply = std::function<void(Replied)>;

  // The two have passed check_gateway(). The first one also sets up curl for the process and has
  // SIGPIPE ignored.
  Egress(uv_loop_s* loop, GatewayOptions options, Profile profile, OnReply on_reply);
  ~Egress();  // after close() has called back
  Egress(const Egress&) = delete;
  Egress& operator=(const Egress&) = delete;

  void send(std::unique_ptr<Payload> payload);
  // Sent and not yet reported.
  uint32_t in_flight() const;

  // Ends every call now; each is reported, in a later turn, as what it had come to.
  void abandon();
  // Releases every handle of the loop, then calls back. No call may be under way.
  void close(std::function<void()> closed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
