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
#include <map>
#include <memory>
#include <string>

#include "shim/egress/profile.h"
#include "weir/event.h"
#include "weir/message.h"
#include "weir/time.h"

struct uv_loop_s;

namespace weir {

struct GatewayOptions {
  std::string name = "primary";
  std::string url;                             // scheme, host, port; the profile adds the path
  std::map<std::string, std::string> secrets;  // by the names that the profile uses
  std::string default_sender;                  // for submissions without one
  std::map<std::string, std::string> params;   // for {param:NAME} that a submission leaves out
  Duration connect_timeout = Duration::seconds(5);  // DNS, TCP and TLS together
  Duration total_timeout = Duration::seconds(30);
  Duration idle_timeout = Duration::seconds(3);  // an idle connection older than this is not used
  uint32_t slots = 64;                           // calls at once: the sum of the lanes' slots
  uint32_t max_reply_bytes = 64 * 1024;
  std::string ca_file = "/etc/ssl/certs/ca-certificates.crt";
};

class Egress {
 public:
  using OnReply = std::function<void(Replied)>;

  Egress(uv_loop_s* loop, GatewayOptions options, Profile profile, OnReply on_reply);
  ~Egress();  // after close() has called back
  Egress(const Egress&) = delete;
  Egress& operator=(const Egress&) = delete;

  void send(std::unique_ptr<Payload> payload);
  uint32_t in_flight() const;

  // Ends every call now; each is reported as what it had come to.
  void abandon();
  // Releases every handle of the loop, then calls back. No call may be under way.
  void close(std::function<void()> closed);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
