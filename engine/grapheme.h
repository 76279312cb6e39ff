// SPDX-License-Identifier: Apache-2.0
//
// Where one visible character ends and the next begins, for operators that never cut one.
//
// Used by the counter under Straddle::kCluster only, on any thread; one object for each walk over a
// text. Feed the code points in order.
//
// Limits: close to the extended grapheme clusters of Unicode (UAX 29, Unicode 14) but without their
// prepended marks, and CR LF counts as two, because that is how it is billed.
#pragma once

#include <cstdint>

namespace weir {

class GraphemeBreaks {
 public:
  // True if a new visible character begins with this code point.
  bool breaks_before(char32_t code_point);

 private:
  enum class Kind : uint8_t {
    kStart,
    kControl,
    kMark,
    kLetter,
    kPictograph,
    kIndicator,
    // Hangul: leading consonant, vowel, trailing consonant, and the composed syllables.
    kLeading,
    kVowel,
    kTrailing,
    kOpenSyllable,
    kClosedSyllable,
  };

  static Kind kind_of(char32_t code_point);
  bool joins(Kind kind) const;

  Kind last_ = Kind::kStart;
  // The last code point was a zero width joiner.
  bool after_joiner_ = false;
  // The cluster is a pictograph, with nothing but marks after it.
  bool pictograph_ = false;
  // The cluster is one regional indicator, half of a flag.
  bool half_flag_ = false;
};

}  // namespace weir
