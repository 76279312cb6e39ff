// SPDX-License-Identifier: Apache-2.0
//
// The address that the tests' sockets speak to: 127.0.0.1. Port 0 lets the system choose one.
#pragma once

#include <cstdint>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace weir::test {

inline sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace weir::test
