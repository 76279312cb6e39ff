// SPDX-License-Identifier: Apache-2.0
//
// Method: the rules of UAX 29 need the last code point and two facts about the cluster so far, so
// one forward walk decides each place.
#include "engine/grapheme.h"

#include "engine/grapheme_table.h"

namespace weir {
namespace {

constexpr char32_t kZeroWidthJoiner = 0x200D;

bool within(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

bool is_control(char32_t c) {
  return c < 0x20 || within(c, 0x7F, 0x9F) || c == 0xAD || c == 0x200B || within(c, 0x2028, 0x2029);
}

// Composed syllables come in runs of 28: one without, and 27 with a trailing consonant.
constexpr char32_t kFirstSyllable = 0xAC00;
constexpr char32_t kLastSyllable = 0xD7A3;
constexpr char32_t kTrailingForms = 28;

}  // namespace

GraphemeBreaks::Kind GraphemeBreaks::kind_of(char32_t c) {
  if (is_control(c)) return Kind::kControl;
  if (c < 0xA9) return Kind::kLetter;
  if (is_mark(c)) return Kind::kMark;
  if (within(c, 0x1F1E6, 0x1F1FF)) return Kind::kIndicator;
  if (within(c, 0x1100, 0x115F) || within(c, 0xA960, 0xA97C)) return Kind::kLeading;
  if (within(c, 0x1160, 0x11A7) || within(c, 0xD7B0, 0xD7C6)) return Kind::kVowel;
  if (within(c, 0x11A8, 0x11FF) || within(c, 0xD7CB, 0xD7FB)) return Kind::kTrailing;
  if (within(c, kFirstSyllable, kLastSyllable)) {
    const bool open = (c - kFirstSyllable) % kTrailingForms == 0;
    return open ? Kind::kOpenSyllable : Kind::kClosedSyllable;
  }
  return is_pictograph(c) ? Kind::kPictograph : Kind::kLetter;
}

bool GraphemeBreaks::joins(Kind kind) const {
  switch (kind) {
    case Kind::kMark: return last_ != Kind::kStart && last_ != Kind::kControl;
    case Kind::kPictograph: return pictograph_ && after_joiner_;
    case Kind::kIndicator: return half_flag_ && last_ == Kind::kIndicator;
    case Kind::kVowel:
      return last_ == Kind::kLeading || last_ == Kind::kVowel || last_ == Kind::kOpenSyllable;
    case Kind::kTrailing:
      return last_ == Kind::kVowel || last_ == Kind::kTrailing || last_ == Kind::kOpenSyllable ||
             last_ == Kind::kClosedSyllable;
    case Kind::kLeading:
    case Kind::kOpenSyllable:
    case Kind::kClosedSyllable: return last_ == Kind::kLeading;
    case Kind::kStart:
    case Kind::kControl:
    case Kind::kLetter: return false;
  }
  return false;
}

bool GraphemeBreaks::breaks_before(char32_t code_point) {
  const Kind kind = kind_of(code_point);
  const bool joined = joins(kind);
  half_flag_ = kind == Kind::kIndicator && !joined;
  pictograph_ = kind == Kind::kPictograph || (kind == Kind::kMark && joined && pictograph_);
  after_joiner_ = code_point == kZeroWidthJoiner;
  last_ = kind;
  return !joined;
}

}  // namespace weir
