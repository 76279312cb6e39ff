// SPDX-License-Identifier: Apache-2.0
//
// What `weir send --file` is asked for, made of its arguments before anything is read or sent.
//
// Pure. Errors name the option that mends it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weir/result.h"

#include "tools/weir/bulk_lines.h"
#include "tools/weir/commands.h"

namespace weir {

enum class BulkFormat { kCsv, kNdjson };

// By --format, else by the end of the file's name.
Result<BulkFormat> bulk_format(const SendFileArgs& args);

// The campaign is --campaign, else the file's name without folder and ending.
Result<BulkForm> bulk_form(const SendFileArgs& args, BulkFormat format);

// The places of a text of ours.
Result<std::vector<std::string>> places_of(const std::string& text);

}  // namespace weir
