// SPDX-License-Identifier: Apache-2.0
//
// What a gateway says that a text costs, read from its reply at the places that the profile's price
// section names.
//
// Pure; any thread may call it.
//
// Limits: an encoding's word of at most 64 printable ASCII characters; a length below 2^31; a
// credit from 0 to a million, to a millionth. What is beyond is no price.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/segments.h"
#include "weir/units.h"

#include "shim/egress/profile.h"

namespace weir {

struct GatewayPrice {
  std::string encoding_word;         // the gateway's own
  std::optional<Encoding> encoding;  // absent: a word that the profile does not know
  uint64_t length = 0;
  std::optional<uint64_t> remaining;
  Units credit;  // to one recipient
};

// Nothing: the reply is not JSON, or lacks the encoding, the length or the credit.
std::optional<GatewayPrice> parse_price(const PriceProfile& places, std::string_view reply);

}  // namespace weir
