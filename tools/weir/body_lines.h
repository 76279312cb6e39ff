// SPDX-License-Identifier: Apache-2.0
//
// Bodies as the command reads them: one a line, as it stands or as a JSON string, so that a body
// may hold line ends.
//
// Called by the verbs of the command, on their only thread.
//
// Limits: a body of 1 MiB, which is far above any text message.
#pragma once

#include <string>

#include "weir/result.h"

namespace weir {

// The error says what is wrong with the line and repeats nothing of it.
Result<std::string> body_of_line(const std::string& line, bool json_strings);

}  // namespace weir
