// SPDX-License-Identifier: Apache-2.0
//
// GatewayOptions: one gateway account as the operator's file describes it. Read once at start,
// immutable afterwards; the egress and its parts read it on the loop.
//
// Holds secrets: never logged, never part of an error.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "weir/time.h"

namespace weir {

struct GatewayOptions {
  std::string name = "primary";
  std::string url;                                  // scheme, host, port; the profile adds the path
  std::map<std::string, std::string> secrets;       // by the names that the profile uses
  std::string default_sender;                       // for submissions without one
  std::map<std::string, std::string> params;        // for {param:NAME} that a submission leaves out
  Duration connect_timeout = Duration::seconds(5);  // DNS, TCP and TLS together
  Duration total_timeout = Duration::seconds(30);
  // The call is taken from curl this long after total_timeout, should curl not have ended it. A
  // timer of curl's is late by milliseconds, so two seconds are never met while curl works.
  Duration watchdog_delay = Duration::seconds(2);
  // A connection that was idle for longer is not used again; counted in whole seconds, rounded
  // down. Servers commonly close at 5 s and some at 2 s. Zero: every call opens its own.
  Duration idle_timeout = Duration::seconds(3);
  uint32_t slots = 64;  // calls at once: the sum of the lanes' slots
  uint32_t max_reply_bytes = 64 * 1024;
  std::string ca_file = "/etc/ssl/certs/ca-certificates.crt";
};

}  // namespace weir
