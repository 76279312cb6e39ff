// SPDX-License-Identifier: Apache-2.0
//
// The two blobs of the database: a batch's recipients, and a message's params. SCHEMA.md has their
// layout; each begins with a version, so that a later layout can stand beside it.
//
// Pure; any thread may call it.
//
// Limits: unpacking answers nothing for bytes that are not the layout; it repairs nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/recipients.h"

namespace weir {

using Params = std::vector<std::pair<std::string, std::string>>;

std::string pack_recipients(std::span<const Recipient> recipients);
std::optional<std::vector<Recipient>> unpack_recipients(std::string_view bytes);

std::string pack_params(const Params& params);
std::optional<Params> unpack_params(std::string_view bytes);

}  // namespace weir
