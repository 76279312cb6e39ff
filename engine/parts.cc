// SPDX-License-Identifier: Apache-2.0
//
// Method: greedy, as the counter packs. Under division a character may be cut through; it is shown
// with the part it begins in, and its second unit is carried over.
#include "engine/parts.h"

#include "engine/capacity.h"
#include "engine/clusters.h"
#include "engine/septets.h"
#include "engine/utf8.h"

namespace weir {
namespace {

// Cuts a counted body into parts of `capacity` units.
class Cutter {
 public:
  Cutter(std::string_view body, const CountingRules& rules, const Counted& counted)
      : body_(body),
        rules_(rules),
        encoding_(counted.encoding),
        septets_(rules, {counted.locking_table, counted.single_shift_table}) {}

  std::vector<Part> cut(uint64_t capacity) const {
    const auto width = [this](char32_t c) -> uint64_t {
      return encoding_ == Encoding::kGsm7 ? septets_.of(c) : utf16_units(c);
    };
    std::vector<Part> parts{Part{}};
    const auto place = [&](const Chunk& chunk) { place_chunk(parts, capacity, chunk); };
    if (rules_.straddle == Straddle::kCluster && encoding_ == Encoding::kUcs2) {
      for_each_cluster(body_, {0, capacity}, width, place);
    } else {
      for (size_t at = 0; at < body_.size();) {
        const Decoded decoded = decode(body_, at);
        place({at, width(decoded.code_point)});
        at += decoded.length;
      }
    }
    parts.back().bytes.end = body_.size();
    // Under division the second half of the last character may need a part of its own.
    if (parts.back().units > capacity) {
      const uint64_t spilt = parts.back().units - capacity;
      parts.back().units = capacity;
      parts.push_back({{body_.size(), body_.size()}, spilt});
    }
    return parts;
  }

 private:
  void place_chunk(std::vector<Part>& parts, uint64_t capacity, const Chunk& chunk) const {
    const uint64_t used = parts.back().units;
    const bool divided = rules_.straddle == Straddle::kDivided;
    const bool opens = divided ? used >= capacity : used + chunk.width > capacity;
    if (!opens) {
      parts.back().units += chunk.width;
      return;
    }
    // What was cut through leaves its second unit to the new part.
    const uint64_t spilt = divided ? used - capacity : 0;
    parts.back().units -= spilt;
    parts.back().bytes.end = chunk.begin;
    parts.push_back({{chunk.begin, chunk.begin}, chunk.width + spilt});
  }

  std::string_view body_;
  const CountingRules& rules_;
  Encoding encoding_;
  Septets septets_;
};

}  // namespace

std::vector<Part> sent_parts(std::string_view body, const CountingRules& rules,
                             const Counted& counted) {
  const Capacity capacity = capacity_of(counted, rules);
  const bool single =
      counted.needed_segments == 1 || (counted.fit == Fit::kTruncated && rules.max_segments == 1);
  std::vector<Part> parts =
      Cutter(body, rules, counted).cut(single ? capacity.single : capacity.part);
  if (counted.fit == Fit::kTruncated) parts.resize(rules.max_segments);
  return parts;
}

}  // namespace weir
