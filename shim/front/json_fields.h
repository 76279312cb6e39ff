// SPDX-License-Identifier: Apache-2.0
//
// One JSON object, read in one pass into the places that a table of its fields names.
//
// All that is wrong with the fields is collected, each with its JSON Pointer, so that a producer
// mends a submission once and not field by field: unknown names (with the near one), names given
// twice, wrong types, numbers out of range, times that are none, what is missing or empty.
// A text that is not JSON at all is one finding, with the offset.
//
// Threads: any; pure. Boost.JSON parses and checks the UTF-8; nothing is built in between.
//
// Limits: kMostFieldErrors findings, 32 levels of nesting, and the bounds in the table. A number
// may be written 5, not 5.0, where it is not of units. null is a wrong type: a field that is not
// wanted is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "weir/refusal.h"
#include "weir/time.h"
#include "weir/units.h"

namespace weir {

// Enough to see what is wrong by; a list of 100,000 numbers instead of strings needs no more.
inline constexpr size_t kMostFieldErrors = 50;

struct TextField {
  std::string* into;
};
// One text, or a list of them.
struct TextListField {
  std::vector<std::string>* into;
  size_t most;
};
// An object of texts.
struct TextMapField {
  std::vector<std::pair<std::string, std::string>>* into;
  size_t most;
};
// An object of whole numbers, each from 1 to `highest`.
struct IntegerMapField {
  std::map<std::string, uint32_t>* into;
  uint32_t highest;
  size_t most;
};
struct IntegerField {
  std::optional<int64_t>* into;
  int64_t least;
  int64_t most;
};
// A decimal above 0, to a millionth, read as it is written: 0.35 is exact.
struct UnitsField {
  Units* into;
  Units most;
};
struct FlagField {
  bool* into;
};
struct TimeField {
  std::optional<WallTime>* into;
};

enum class Need : uint8_t { kOptional, kPresent, kFilled };

struct JsonField {
  std::string_view name;
  std::variant<TextField, TextListField, TextMapField, IntegerMapField, IntegerField, FlagField,
               TimeField, UnitsField>
      place;
  Need need = Need::kOptional;
};

struct FieldsRead {
  std::string malformed;  // why the text is not JSON; empty: it is
  std::vector<FieldError> errors;
  uint64_t seen = 0;  // bit i: fields[i] was there

  bool ok() const { return malformed.empty() && errors.empty(); }
  bool saw(size_t field) const { return (seen >> field & 1) != 0; }
};

// At most 64 fields.
FieldsRead read_fields(std::string_view json, std::span<const JsonField> fields);

}  // namespace weir
