// SPDX-License-Identifier: Apache-2.0
//
// What a client would like of its answer: the fields Prefer (RFC 7240) and Accept (RFC
// 9110, 12.5.1). A preference that is not understood is not heard; it is never an error.
//
// Pure.
#pragma once

#include "weir/time.h"

#include "shim/front/http_server.h"

namespace weir {

// `wait` in whole seconds, of the first preference that has it; zero: none.
Duration preferred_wait(const HttpRequest& request);

// Names text/event-stream.
bool accepts_event_stream(const HttpRequest& request);

}  // namespace weir
