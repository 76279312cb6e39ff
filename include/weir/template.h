// SPDX-License-Identifier: Apache-2.0
//
// Templates: a body with named places, its provider's ids, and what it may cost.
//
// A place is {{name}}; a name is a small letter, then small letters, digits or underscores. Nothing
// else is special, and there is no way to write two opening braces that are not a place. Rendering
// is plain replacement, done once: a value that holds {{other}} stays as it is.
//
// Pure; any thread may call these. The engine keeps the templates and renders at admission, so a
// send never asks anybody for a price.
//
// Limits: kMaxVariables places; sizes are EngineOptions' affair.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "weir/refusal.h"
#include "weir/segments.h"

namespace weir {

inline constexpr size_t kMaxVariables = 50;
// 255 segments of UCS-2, and room for the places.
inline constexpr size_t kMaxTemplateBytes = 64 * 1024;
// What a {#var#} of an Indian DLT template may hold, and a sensible guess elsewhere.
inline constexpr uint32_t kDefaultVariableChars = 30;

struct Template {
  std::string id;
  std::string body;
  std::string class_name;  // empty: the submission names one
  std::string sender;      // empty: the submission's, else the gateway's
  std::vector<std::pair<std::string, std::string>> params;  // the provider's ids
  // How many characters a variable may have at most; those not named: kDefaultVariableChars.
  std::map<std::string, uint32_t> max_chars;
  uint32_t max_segments = 0;  // a dearer message is refused; 0: no limit of its own
  bool smart = false;         // rewrite to GSM-7 where that is safe (rewrite.h)
};

// By id.
using Templates = std::map<std::string, Template, std::less<>>;

// The names in `body`, in the order in which they first stand there, or what is wrong with it.
std::variant<std::vector<std::string>, FieldError> variables_of(std::string_view body);

// Everything that is wrong with a template by itself; empty: it can be used.
std::vector<FieldError> check_template(const Template& one, const CountingRules& rules);

// What messages of a checked template can cost, in segments for one recipient.
struct CostRange {
  Counted shortest;      // every variable empty
  Counted longest_gsm7;  // every variable at its limit, in letters that keep the encoding
  Counted longest_ucs2;  // the same, and one character in a variable forces UCS-2
};
CostRange cost_range(const Template& one, const CountingRules& rules);

using Vars = std::vector<std::pair<std::string, std::string>>;

// The body with its places filled, or every variable that is missing, unknown or too long.
std::variant<std::string, std::vector<FieldError>> render(const Template& one, const Vars& vars);

}  // namespace weir
