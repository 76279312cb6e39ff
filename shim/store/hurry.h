// SPDX-License-Identifier: Apache-2.0
//
// Hurry: how much of what the store is asked for cannot wait: outcomes, claims, direct inserts and
// inquiries. What may be long (a large transaction, folding the log) is shorter, or later, the more
// there is of it.
#pragma once

#include <cstdint>

namespace weir {

enum class Hurry : uint8_t {
  kIdle,     // nothing waits at all
  kNone,     // only ordinary inserts, and nothing hurried came within the last second
  kLately,   // something hurried came within the last second, none of it waits
  kWaiting,  // some of it waits
};

}  // namespace weir
