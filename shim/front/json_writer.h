// SPDX-License-Identifier: Apache-2.0
//
// JSON text, written front to back into one string.
//
// For answers: the order of the fields is the order of the calls, and units are exact decimals
// (0.35, not 3.5E-1 or 0.34999999). Every string may be handed in: what is not UTF-8 (a provider's
// own code, say) comes out as U+FFFD, so that the answer is always valid JSON.
//
// Threads: any; an object of its own for each answer.
//
// Limits: nothing is checked for balance or for keys that occur twice; a test reads every answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "weir/time.h"
#include "weir/units.h"

namespace weir {

class JsonWriter {
 public:
  // Inside of an object: before each value.
  JsonWriter& key(std::string_view name);

  JsonWriter& open_object();
  JsonWriter& close_object();
  JsonWriter& open_array();
  JsonWriter& close_array();

  JsonWriter& text(std::string_view value);
  JsonWriter& integer(int64_t value);
  JsonWriter& natural(uint64_t value);
  JsonWriter& units(Units value);
  // A measured rate, to three decimals.
  JsonWriter& rate(double value);
  JsonWriter& flag(bool value);
  JsonWriter& null();
  JsonWriter& time(WallTime value);

  std::string take() { return std::move(out_); }

 private:
  void separate();

  std::string out_;
  bool comma_ = false;  // a value stands before this place
};

}  // namespace weir
