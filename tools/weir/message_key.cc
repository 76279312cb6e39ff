// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/message_key.h"

#include <cinttypes>
#include <cstdio>

#include "weir/fnv128.h"

namespace weir {

std::string message_key(std::string_view campaign, std::span<const std::string_view> parts) {
  Fnv128 hash;
  for (std::string_view part : parts)
    hash.text(part);
  char hex[33];
  std::snprintf(hex, sizeof hex, "%016" PRIx64 "%016" PRIx64, hash.high(), hash.low());
  return std::string(campaign) + '-' + hex;
}

}  // namespace weir
