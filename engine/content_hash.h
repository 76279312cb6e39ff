// SPDX-License-Identifier: Apache-2.0
//
// The hash that tells a repeated submission from another one under the same key: FNV-1a with 128
// bits (Fowler, Noll, Vo) over everything that a producer can set. See ContentHash for what it is
// not.
#pragma once

#include "weir/message.h"

namespace weir {

// Recipients count as they are sent, not as they were spelt; the key itself is left out.
ContentHash content_hash(const Submission& submission, const std::vector<Recipient>& recipients);

}  // namespace weir
