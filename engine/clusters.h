// SPDX-License-Identifier: Apache-2.0
//
// Walking a text by what a reader sees as one character.
//
// For the counter and for cutting under Straddle::kCluster, on any thread; both use this one walk,
// so that they cannot disagree.
//
// Limits: those of grapheme.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "weir/segments.h"

#include "engine/grapheme.h"
#include "engine/utf8.h"

namespace weir {

// What may not be cut, from byte `begin` on: a code point, or a cluster of them.
struct Chunk {
  size_t begin = 0;
  uint64_t width = 0;
};

// From which byte on, and how many units may stay together: a longer cluster is cut.
struct ClusterWalk {
  size_t begin = 0;
  uint64_t longest = 0;
};

// Calls visit(chunk) for each run of code points that stays together. Where the bytes are no text
// it stops and says so; the chunks before have been visited.
template <typename Width, typename Visit>
std::optional<InvalidText> for_each_cluster(std::string_view body, ClusterWalk walk,
                                            const Width& width, const Visit& visit) {
  Chunk open{walk.begin, 0};
  GraphemeBreaks breaks;
  for (size_t at = open.begin; at < body.size();) {
    const Decoded decoded = decode(body, at);
    if (!decoded.valid) return InvalidText{at, decoded.fault};
    const uint64_t added = width(decoded.code_point);
    const bool breaks_here = breaks.breaks_before(decoded.code_point);
    if ((breaks_here || open.width + added > walk.longest) && open.width > 0) {
      visit(open);
      open = {at, 0};
    }
    open.width += added;
    at += decoded.length;
  }
  if (open.width > 0) visit(open);
  return std::nullopt;
}

}  // namespace weir
