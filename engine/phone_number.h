// SPDX-License-Identifier: Apache-2.0
//
// Reading one telephone number. weir/recipients.h says which spellings there are.
//
// For recipients.cc, on any thread.
//
// Limits: what read_plain_number() does not know is not wrong; read_number() decides.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "weir/recipients.h"

namespace weir {

// The number if it is a plus and 8 to 15 digits, the first not 0; 0 for any other spelling.
uint64_t read_plain_number(std::string_view raw);

using ReadNumber = std::variant<Recipient, RecipientFault>;

// Any spelling, the plain one too.
ReadNumber read_number(std::string_view raw, const RecipientRules& rules);

}  // namespace weir
