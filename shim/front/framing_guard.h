// SPDX-License-Identifier: Apache-2.0
//
// What a request may look like before we believe where it ends.
//
// Beast 1.81 takes several kinds of request that two readers can cut differently (request
// smuggling): equal or listed Content-Lengths, a Transfer-Encoding that does not end in chunked,
// chunked in HTTP/1.0, folded fields, a missing or second Host. This guard refuses them, and what
// no honest client sends: targets that are not paths, methods that nobody has heard of, upgrades.
//
// Pure; called by the request parser, on the loop's thread.
//
// What always holds: a head that passes has exactly one reading of its body's length.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "shim/front/http_server.h"

namespace weir {

// A request that is answered without being understood. The texts live for ever.
struct HttpFault {
  std::string_view code;  // of problem.h
  std::string_view detail;
};

// Looks at the bytes of a head as they come in, from `from` on: bare line feeds and folded fields.
std::optional<HttpFault> check_head_bytes(std::string_view head, size_t from);

struct HeadFacts {
  std::string_view target;
  int minor_version = 1;  // of HTTP/1
  bool streamed = false;  // its body may be of any length
};

// Looks at the whole head. `request` holds its method and its headers.
std::optional<HttpFault> check_head(const HttpRequest& request, const HeadFacts& facts,
                                    const HttpLimits& limits);

}  // namespace weir
