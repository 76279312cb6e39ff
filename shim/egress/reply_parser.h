// SPDX-License-Identifier: Apache-2.0
//
// A gateway's reply: JSON -> code, reference, refused numbers, at the places that the profile
// names. It takes what stands there and judges nothing.
//
// Pure; any thread may call it.
//
// Limits: nesting of 32; a code or reference of at most 256 bytes (a longer one is no code); a
// number that is not 1 to 15 digits after an optional plus is passed over. Of two members of one
// name the last counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/recipients.h"

#include "shim/egress/profile.h"

namespace weir {

struct ParsedReply {
  // Why the reply has not the profile's shape, for people; empty: it has.
  std::string_view fault;
  std::string code;
  std::string gateway_ref;
  std::vector<Recipient> rejected;
};

ParsedReply parse_reply(const Profile& profile, std::string_view body);

// Whether a text of a profile is a JSON Pointer (RFC 6901).
bool is_json_pointer(std::string_view text);

}  // namespace weir
