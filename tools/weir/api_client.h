// SPDX-License-Identifier: Apache-2.0
//
// The command's side of the HTTP API: one blocking request to a running weir, by its socket or its
// address. It never opens the database of a running engine.
#pragma once

#include <cstdint>
#include <string>

#include "weir/result.h"

#include "tools/weir/commands.h"

namespace weir {

struct ApiReply {
  int status = 0;
  std::string body;
};

// Where a request goes.
struct ApiPlace {
  std::string socket;  // empty: by the url alone
  std::string url;     // without a path
  std::string key;     // empty: none

  const std::string& name() const { return socket.empty() ? url : socket; }
};

// An error: there is no key where one was named.
Result<ApiPlace> place_of(const ApiArgs& where);

// An error means that no weir answered; it says where it was looked for. Or that there is no key
// where one was named.
Result<ApiReply> call_api(const ApiArgs& where, const std::string& method, const std::string& path,
                          const std::string& body = "", int64_t most_seconds = 60);

// A value as it stands in a query.
std::string percent_encoded(const std::string& value);

// The exit code that goes with a refusal's status.
int exit_code_for(int http_status);

}  // namespace weir
