// SPDX-License-Identifier: Apache-2.0
//
// weir cost verify: whether the gateway counts as weir does.
//
// One row for each body: what weir counts by the profile's rules, what the gateway's price call
// says, and where the two differ. Rows are printed as they come, as a table or as one JSON object a
// line. Of a body its first 20 characters are shown; of the credentials nothing is.
#pragma once

#include <string>
#include <vector>

#include "weir/segments.h"
#include "weir/units.h"

#include "tools/weir/price_reply.h"

namespace weir {

// What weir believes that one recipient is billed.
struct OwnPrice {
  Counted counted;
  Units credit;
};

// "encoding", "length", "credit": what the gateway sees otherwise. Its remaining is not judged,
// because nobody says what it means beyond one segment.
std::vector<std::string> differences(const OwnPrice& own, const GatewayPrice& theirs);

}  // namespace weir
