// SPDX-License-Identifier: Apache-2.0
//
// Method: one walk. The body is packed as GSM-7 until a character has no septets; every character
// up to there is one UCS-2 unit, so the UCS-2 packing can start from their number alone and the
// walk goes on from the same byte. Whether the body fits a single part is decided at the end:
// packing for parts costs nothing where it does.
//
// National tables are tried after that, one walk for each pair that the rules allow, because which
// pair is cheapest depends on the whole body.
#include "weir/segments.h"

#include <array>
#include <optional>

#include "weir/check.h"

#include "engine/capacity.h"
#include "engine/clusters.h"
#include "engine/gsm_alphabet.h"
#include "engine/national_tables.h"
#include "engine/packer.h"
#include "engine/parts.h"
#include "engine/septets.h"
#include "engine/utf8.h"

namespace weir {
namespace {

// The default alphabet, with the fast way through runs of plain text.
struct DefaultAlphabet {
  unsigned septets(char32_t code_point) const { return gsm::septets(code_point); }
  size_t run(std::string_view body, size_t at) const { return gsm::plain_run(body, at); }
};

struct RuledAlphabet {
  Septets rules;
  unsigned septets(char32_t code_point) const { return rules.of(code_point); }
  size_t run(std::string_view, size_t) const { return 0; }
};

struct Walk {
  Packer packer;
  uint64_t units = 0;
  size_t characters = 0;
  // Where it stopped: the end of the body, a character without septets, or bytes that are no text.
  size_t at = 0;
  std::optional<InvalidText> invalid = std::nullopt;
};

template <typename AlphabetRead>
Walk walk_septets(std::string_view body, uint64_t part, const AlphabetRead& alphabet) {
  Walk walk{Packer(part)};
  size_t try_run_at = 0;
  while (walk.at < body.size()) {
    if (walk.at >= try_run_at) {
      const size_t run = alphabet.run(body, walk.at);
      walk.packer.add_singles(run);
      walk.units += run;
      walk.characters += run;
      walk.at += run;
      // The block that ended the run is read byte by byte before another run is tried.
      try_run_at = walk.at + gsm::kBlock;
      if (walk.at == body.size()) break;
    }
    const Decoded decoded = decode(body, walk.at);
    if (!decoded.valid) {
      walk.invalid = InvalidText{walk.at, decoded.fault};
      break;
    }
    const unsigned width = alphabet.septets(decoded.code_point);
    if (width == 0) break;
    walk.packer.add(width);
    walk.units += width;
    ++walk.characters;
    walk.at += decoded.length;
  }
  return walk;
}

// Continues a walk that met a character without septets. All before it were one unit each.
void walk_ucs2(std::string_view body, Straddle straddle, Walk& walk) {
  walk.units = walk.characters;
  if (straddle == Straddle::kCluster) {
    // The character before may be the base of a mark, so the clusters begin with it. It is GSM-7,
    // hence at most three bytes long.
    size_t begin = walk.at;
    while (begin > 0 && (static_cast<uint8_t>(body[--begin]) & 0xC0) == 0x80) {
    }
    const bool has_base = walk.at > 0;
    walk.packer.add_singles(walk.characters - has_base);
    walk.units -= has_base;
    const auto pack = [&walk](const Chunk& chunk) {
      walk.packer.add(chunk.width);
      walk.units += chunk.width;
    };
    walk.invalid = for_each_cluster(body, {begin, walk.packer.capacity()}, utf16_units, pack);
    return;
  }
  walk.packer.add_singles(walk.characters);
  while (walk.at < body.size()) {
    const Decoded decoded = decode(body, walk.at);
    if (!decoded.valid) {
      walk.invalid = InvalidText{walk.at, decoded.fault};
      return;
    }
    const unsigned width = utf16_units(decoded.code_point);
    walk.packer.add(width);
    walk.units += width;
    walk.at += decoded.length;
  }
}

void fill(Counted& counted, Walk& walk, Capacity capacity, Straddle straddle) {
  counted.units = walk.units;
  if (walk.units <= capacity.single) {
    counted.segments = 1;
    counted.remaining = capacity.single - walk.units;
  } else if (straddle == Straddle::kDivided) {
    counted.segments = (walk.units + capacity.part - 1) / capacity.part;
    counted.remaining = counted.segments * capacity.part - walk.units;
  } else {
    counted.segments = walk.packer.parts();
    counted.remaining = walk.packer.room();
  }
}

template <typename AlphabetRead>
std::optional<InvalidText> count_default(std::string_view body, const CountingRules& rules,
                                         const AlphabetRead& alphabet, Counted& counted) {
  const Capacity septets = capacity_of(Encoding::kGsm7, rules.concat_reference, 0);
  Walk walk = walk_septets(body, septets.part, alphabet);
  if (walk.invalid) return walk.invalid;
  if (walk.at == body.size()) {
    fill(counted, walk, septets, rules.straddle);
    return std::nullopt;
  }
  counted.encoding = Encoding::kUcs2;
  const Capacity ucs2 = capacity_of(Encoding::kUcs2, rules.concat_reference, 0);
  walk.packer = Packer(ucs2.part);
  walk_ucs2(body, rules.straddle, walk);
  fill(counted, walk, ucs2, rules.straddle);
  return walk.invalid;
}

// A cheaper count by the national tables that the rules allow, if there is one.
void try_tables(std::string_view body, const CountingRules& rules, Counted& best) {
  const Language locking =
      has_locking_table(rules.locking_table) ? rules.locking_table : Language::kNone;
  const Language single = rules.single_shift_table;
  const std::array<Tables, 3> pairs = {
      {{Language::kNone, single}, {locking, Language::kNone}, {locking, single}}};
  for (const Tables& tables : pairs) {
    if (tables.announced() == 0) continue;
    const Capacity capacity =
        capacity_of(Encoding::kGsm7, rules.concat_reference, tables.announced());
    Walk walk = walk_septets(body, capacity.part, RuledAlphabet{{rules, tables}});
    if (walk.at != body.size()) continue;
    Counted counted;
    counted.locking_table = tables.locking;
    counted.single_shift_table = tables.single_shift;
    fill(counted, walk, capacity, rules.straddle);
    if (counted.segments < best.segments) best = counted;
  }
}

// The commonest body: nothing but characters of one septet, which need no packing.
bool count_plain(std::string_view body, const CountingRules& rules, Counted& counted) {
  if (!gsm::all_plain(body)) return false;
  const Capacity capacity = capacity_of(Encoding::kGsm7, rules.concat_reference, 0);
  counted.units = body.size();
  if (body.size() <= capacity.single) {
    counted.remaining = capacity.single - body.size();
  } else {
    counted.segments = (body.size() + capacity.part - 1) / capacity.part;
    counted.remaining = counted.segments * capacity.part - body.size();
  }
  return true;
}

// What is true of a body before the operator cuts it.
std::optional<InvalidText> count_whole(std::string_view body, const CountingRules& rules,
                                       Counted& counted) {
  const bool standard = rules.alphabet == Alphabet::kGsm && rules.excluded.empty();
  // No table can better a plain body: a part with one holds fewer septets.
  if (standard && count_plain(body, rules, counted)) return std::nullopt;
  const auto invalid = standard
                           ? count_default(body, rules, DefaultAlphabet{}, counted)
                           : count_default(body, rules, RuledAlphabet{{rules, Tables{}}}, counted);
  if (invalid) return invalid;
  const bool tables =
      rules.locking_table != Language::kNone || rules.single_shift_table != Language::kNone;
  if (tables && rules.alphabet == Alphabet::kGsm) try_tables(body, rules, counted);
  return std::nullopt;
}

void truncate(std::string_view body, const CountingRules& rules, Counted& counted) {
  counted.fit = Fit::kTruncated;
  const std::vector<Part> parts = sent_parts(body, rules, counted);
  const Capacity capacity = capacity_of(counted, rules);
  counted.segments = rules.max_segments;
  counted.kept_bytes = parts.back().bytes.end;
  counted.units = 0;
  for (const Part& part : parts) {
    counted.units += part.units;
  }
  counted.remaining =
      (rules.max_segments == 1 ? capacity.single : capacity.part) - parts.back().units;
}

std::string_view fault_name(TextFault fault) {
  switch (fault) {
    case TextFault::kStrayContinuation:
      return "a continuation byte without a character to continue";
    case TextFault::kCutShort: return "a character that is cut short";
    case TextFault::kOverlong: return "a character in more bytes than it needs";
    case TextFault::kSurrogate: return "an encoded UTF-16 surrogate";
    case TextFault::kAboveUnicode: return "a character beyond U+10FFFF";
    case TextFault::kNeverUtf8: return "a byte that UTF-8 never uses";
  }
  return "an unknown fault";
}

}  // namespace

std::string_view encoding_name(Encoding encoding) {
  return encoding == Encoding::kGsm7 ? "GSM7" : "UCS2";
}

std::string describe(const InvalidText& invalid) {
  return "not UTF-8: " + std::string(fault_name(invalid.fault)) + " at byte " +
         std::to_string(invalid.byte_offset) +
         "; encode the text as UTF-8 where it is read or made";
}

CountResult count(std::string_view utf8, const CountingRules& rules) {
  WEIR_CHECK(rules.max_segments >= 1);
  // Filled where it is returned: copying it about took longer than counting a plain body.
  CountResult result{std::in_place_type<Counted>};
  Counted& counted = *std::get_if<Counted>(&result);
  if (const auto invalid = count_whole(utf8, rules, counted)) return *invalid;
  counted.needed_segments = counted.segments;
  counted.kept_bytes = utf8.size();
  if (counted.segments > rules.max_segments) {
    if (rules.past_max == PastMax::kTruncate) {
      truncate(utf8, rules, counted);
    } else {
      counted.fit = Fit::kTooLong;
    }
  }
  return result;
}

BoundariesResult boundaries(std::string_view utf8, const CountingRules& rules) {
  const CountResult result = count(utf8, rules);
  if (const auto* invalid = std::get_if<InvalidText>(&result)) return *invalid;
  std::vector<ByteRange> ranges;
  for (const Part& part : sent_parts(utf8, rules, std::get<Counted>(result))) {
    ranges.push_back(part.bytes);
  }
  return ranges;
}

Units cost(const Counted& counted, size_t recipients, Units per_segment) {
  return per_segment * static_cast<int64_t>(counted.segments) * static_cast<int64_t>(recipients);
}

}  // namespace weir
