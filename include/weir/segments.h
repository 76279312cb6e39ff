// SPDX-License-Identifier: Apache-2.0
//
// What a body costs: its encoding, its units, its segments, and where they are cut.
//
// Pure functions of their arguments; any thread may call them. The engine prices every submission
// with count(); the command, the templates and the 202 answer show the same figures.
//
// A unit here is a septet of GSM-7 or a 16-bit unit of UCS-2. (The unit that is billed is a segment
// to one recipient: units.h, and cost() at the end of this file.) Segments are filled greedily and
// counted by packing: an escape pair or a surrogate pair is never cut, so a part may have to close
// one unit short. Dividing the units by the capacity of a part counts too few of those bodies; no
// packed count is ever below the divided one.
//
// What counts as text:
//   - Bytes that are not UTF-8 (overlong, encoded surrogate, cut short, above U+10FFFF) are refused
//     with the offset. Nothing is repaired: a repaired body is not what the producer wrote.
//   - An empty body is GSM7, 0 units, 1 segment. Whether one may be sent is for the caller to say.
//   - LF and CR are GSM-7 characters, so CR LF is two units in both encodings, as it is billed.
//   - NUL, tab, ESC, DEL and every other control except form feed make the body UCS-2, one unit
//     each. (Septet 0 is the at sign, and septet 1B is the escape itself, not a character.)
//   - A byte order mark is the character U+FEFF: one unit, and it makes the body UCS-2.
//   - Nothing is normalised: a letter followed by a combining mark is two characters.
//
// Limits: one message has at most 255 segments, because the total in its header is one octet.
// Port addressing and other headers than concatenation and national tables are not modelled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/units.h"

namespace weir {

enum class Encoding : uint8_t { kGsm7, kUcs2 };

// "GSM7" or "UCS2": the spelling of every API field, log line and metric.
std::string_view encoding_name(Encoding encoding);

enum class Alphabet : uint8_t {
  // The GSM 03.38 default alphabet, and its ten extension characters at two septets each.
  kGsm,
  // Seven-bit ASCII as some short codes take it: U+0020 to U+007E, LF and CR, one septet each.
  // It is reported as GSM7, because it is billed by the septet.
  kAscii,
};

enum class Straddle : uint8_t {
  // A part closes early rather than cut an escape pair or a surrogate pair.
  kAware,
  // Units divided by the capacity of a part, rounded up. For operators that cut blindly.
  kDivided,
  // As kAware, and what a reader sees as one character (base and marks, flag, joined emoji) stays
  // whole. A cluster longer than a part is cut between its code points.
  kCluster,
};

// The size of the reference in the concatenation header: 153 and 67 units a part, or 152 and 66.
enum class ConcatReference : uint8_t { k8Bits, k16Bits };

// What the operator does with a body of more segments than it takes.
enum class PastMax : uint8_t { kReject, kTruncate };

// National language identifiers of 3GPP TS 23.038; the values are those on the wire.
enum class Language : uint8_t {
  kNone = 0,
  kTurkish = 1,
  kSpanish = 2,
  kPortuguese = 3,
  kBengali = 4,
  kGujarati = 5,
  kHindi = 6,
  kKannada = 7,
  kMalayalam = 8,
  kOriya = 9,
  kPunjabi = 10,
  kTamil = 11,
  kTelugu = 12,
  kUrdu = 13,
};

// How one provider counts. The defaults are those of the standard and of most HTTP gateways.
struct CountingRules {
  Alphabet alphabet = Alphabet::kGsm;
  // Characters that the provider lacks in its alphabet, in any order. Each makes a body UCS-2.
  std::vector<char32_t> excluded;
  ConcatReference concat_reference = ConcatReference::k8Bits;
  Straddle straddle = Straddle::kAware;
  // 1 to 255.
  uint8_t max_segments = 255;
  PastMax past_max = PastMax::kReject;
  // Tables that the operator may use. They take room in every header, so they are used only where
  // they give fewer segments than the default alphabet and UCS-2 do; the fewer tables win a draw.
  // Spanish has no locking table; asking for it is the same as kNone.
  Language locking_table = Language::kNone;
  Language single_shift_table = Language::kNone;
};

enum class Fit : uint8_t { kWhole, kTooLong, kTruncated };

// `units`, `segments` and `remaining` describe what goes on the wire. That is the whole body,
// except that a truncated one is described as the operator cuts it.
struct Counted {
  Encoding encoding = Encoding::kGsm7;
  Fit fit = Fit::kWhole;
  // The national tables that the count relies on.
  Language locking_table = Language::kNone;
  Language single_shift_table = Language::kNone;
  uint64_t units = 0;
  uint64_t segments = 1;
  // Room in the last segment, in units.
  uint64_t remaining = 0;
  // What the whole body needs; above max_segments unless `fit` is kWhole.
  uint64_t needed_segments = 1;
  // How much of the body is sent: all of it, unless `fit` is kTruncated.
  size_t kept_bytes = 0;

  friend bool operator==(const Counted&, const Counted&) = default;
};

enum class TextFault : uint8_t {
  kStrayContinuation,  // 80 to BF where a character should begin.
  kCutShort,           // A sequence that lacks its last bytes.
  kOverlong,           // More bytes than the character needs.
  kSurrogate,          // U+D800 to U+DFFF, which exist in UTF-16 only.
  kAboveUnicode,       // Beyond U+10FFFF.
  kNeverUtf8,          // F8 to FF.
};

struct InvalidText {
  size_t byte_offset = 0;
  TextFault fault = TextFault::kStrayContinuation;

  friend bool operator==(const InvalidText&, const InvalidText&) = default;
};

// What was found, where, and how to mend it; holds nothing of the text.
std::string describe(const InvalidText& invalid);

using CountResult = std::variant<Counted, InvalidText>;

CountResult count(std::string_view utf8, const CountingRules& rules);

// Bytes [begin, end) of the body.
struct ByteRange {
  size_t begin = 0;
  size_t end = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

using BoundariesResult = std::variant<std::vector<ByteRange>, InvalidText>;

// The bytes of each segment. There are as many ranges as count() says segments, and joined they are
// the body (its kept_bytes when it is truncated). Under kDivided a cut may fall inside a character;
// it is shown with the segment it begins in, so the last range can then be empty.
BoundariesResult boundaries(std::string_view utf8, const CountingRules& rules);

// What a message is billed: segments x recipients x the weight of a segment, exactly.
Units cost(const Counted& counted, size_t recipients, Units per_segment = Units::of(1));

}  // namespace weir
