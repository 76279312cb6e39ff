// SPDX-License-Identifier: Apache-2.0
//
// The head of an answer as bytes. Pure; called by a connection, on the loop's thread.
#pragma once

#include <cstdint>
#include <string>

#include "shim/front/http_server.h"

namespace weir {

enum class Persistence : uint8_t {
  kClose,     // said aloud
  kStream,    // the same, and the body ends with the connection: its length is not known
  kKeep,      // HTTP/1.1 keeps without a word
  kKeepSaid,  // HTTP/1.0 keeps only with one
};

std::string response_head(const HttpResponse& response, Persistence persistence);

}  // namespace weir
