// SPDX-License-Identifier: Apache-2.0
//
// message_key: the key of a message that a file has none for.
//
// It is the campaign's name and a hash of what is sent to whom, so the same file sent again names
// the same messages, and a row that was corrected is another one. What is not in it (the deadline,
// the sender) may not change between two runs: the API then says key_reused, and sends nothing
// twice.
//
// Pure. The hash of the same parts never changes, or a file that is sent again after an upgrade
// would be sent twice; a test pins it.
//
// Limits: two texts of one hash are not told apart here; the API does, and refuses the second.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weir {

// A key has at most 128 bytes; this is what a dash and the hash leave of it.
inline constexpr size_t kMostCampaignBytes = 95;

std::string message_key(std::string_view campaign, std::span<const std::string_view> parts);

}  // namespace weir
