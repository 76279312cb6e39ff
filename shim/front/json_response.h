// SPDX-License-Identifier: Apache-2.0
//
// A 200 with a JSON body, the answer of most routes.
#pragma once

#include <string>
#include <utility>

#include "shim/front/http_server.h"

namespace weir {

inline HttpResponse json_response(std::string json) {
  HttpResponse response;
  response.body = std::move(json);
  return response;
}

}  // namespace weir
