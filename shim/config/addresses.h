// SPDX-License-Identifier: Apache-2.0
//
// Addresses in the configuration: where weir listens, and where the gateway is.
//
// Pure; called at start. An error does not repeat the text, because a URL may hold credentials.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weir/result.h"

namespace weir {

struct TcpAddress {
  std::string address;  // numeric, without brackets
  uint16_t port = 0;
  bool loopback = true;  // only this machine reaches it
};

// "127.0.0.1:8025" or "[::1]:8025"; port 0 takes a free one.
Result<TcpAddress> parse_tcp_address(std::string_view text);

// "https://host" or "http://host:port", without user, path or query. A slash at the end is dropped.
Result<std::string> parse_base_url(std::string_view text);

// Whether the host of such a URL is this machine.
bool is_loopback_url(std::string_view url);

}  // namespace weir
