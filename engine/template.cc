// SPDX-License-Identifier: Apache-2.0
#include "weir/template.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "engine/utf8.h"

namespace weir {
namespace {

constexpr size_t kMaxName = 40;
constexpr size_t kMaxId = 64;

bool is_small(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName && is_small(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_small(c) || is_digit(c) || c == '_'; });
}

// One piece of a body: text as it is, or a place.
struct Piece {
  std::string_view text;
  bool place = false;
};

FieldError wrong_place(size_t offset, std::string_view what) {
  return {"/body", "byte " + std::to_string(offset) + ": " + std::string(what)};
}

std::variant<std::vector<Piece>, FieldError> pieces(std::string_view body) {
  std::vector<Piece> found;
  size_t at = 0;
  while (at < body.size()) {
    const size_t open = body.find("{{", at);
    if (open == std::string_view::npos) {
      found.push_back({body.substr(at), false});
      break;
    }
    if (open > at) found.push_back({body.substr(at, open - at), false});
    const size_t close = body.find("}}", open + 2);
    if (close == std::string_view::npos) {
      return wrong_place(open, "{{ is not closed by }}");
    }
    const std::string_view name = body.substr(open + 2, close - open - 2);
    if (!is_name(name)) {
      return wrong_place(open,
                         "between {{ and }} stands a name: a small letter, then small letters, "
                         "digits or underscores, at most 40");
    }
    found.push_back({name, true});
    at = close + 2;
  }
  return found;
}

// `fill` says what stands in a place.
std::string filled(const std::vector<Piece>& parts,
                   const std::function<std::string(std::string_view)>& fill) {
  std::string text;
  for (const Piece& part : parts)
    text += part.place ? fill(part.text) : std::string(part.text);
  return text;
}

uint32_t limit_of(const Template& one, std::string_view name) {
  const auto found = one.max_chars.find(std::string(name));
  return found == one.max_chars.end() ? kDefaultVariableChars : found->second;
}

Counted counted(const std::string& text, const CountingRules& rules) {
  const CountResult result = count(text, rules);
  const auto* good = std::get_if<Counted>(&result);
  return good == nullptr ? Counted() : *good;
}

size_t characters(std::string_view utf8) {
  size_t total = 0;
  for (size_t at = 0; at < utf8.size(); ++total)
    at += decode(utf8, at).length;
  return total;
}

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= kMaxId &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_small(c) || is_digit(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
                  c == '.';
         });
}

void check_variables(const Template& one, const std::vector<std::string>& names,
                     std::vector<FieldError>& errors) {
  if (names.size() > kMaxVariables) {
    errors.push_back({"/body", std::to_string(names.size()) + " variables; at most 50"});
  }
  for (const auto& [name, most] : one.max_chars) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      errors.push_back({"/max_chars/" + name, "is not a variable of the body"});
    } else if (most == 0 || most > 1000) {
      errors.push_back({"/max_chars/" + name, "is not from 1 to 1000"});
    }
  }
}

}  // namespace

std::variant<std::vector<std::string>, FieldError> variables_of(std::string_view body) {
  const auto parts = pieces(body);
  if (const auto* error = std::get_if<FieldError>(&parts)) return *error;
  std::vector<std::string> names;
  for (const Piece& part : std::get<std::vector<Piece>>(parts)) {
    if (part.place && std::find(names.begin(), names.end(), part.text) == names.end()) {
      names.emplace_back(part.text);
    }
  }
  return names;
}

std::vector<FieldError> check_template(const Template& one, const CountingRules& rules) {
  std::vector<FieldError> errors;
  if (!is_id(one.id)) {
    errors.push_back({"/id", "is not 1 to 64 letters, digits, dots, dashes or underscores"});
  }
  if (one.body.empty()) errors.push_back({"/body", "is empty; there is nothing to send"});
  const CountResult text = count(one.body, rules);
  if (const auto* invalid = std::get_if<InvalidText>(&text)) {
    errors.push_back({"/body", describe(*invalid)});
    return errors;
  }
  const auto names = variables_of(one.body);
  if (const auto* error = std::get_if<FieldError>(&names)) {
    errors.push_back(*error);
    return errors;
  }
  check_variables(one, std::get<std::vector<std::string>>(names), errors);
  if (!errors.empty() || one.max_segments == 0) return errors;
  const uint64_t least = cost_range(one, rules).shortest.needed_segments;
  if (least > one.max_segments) {
    errors.push_back({"/max_segments", "is " + std::to_string(one.max_segments) +
                                           ", but the body needs " + std::to_string(least) +
                                           " segments with every variable empty"});
  }
  return errors;
}

CostRange cost_range(const Template& one, const CountingRules& rules) {
  const auto parts = pieces(one.body);
  const auto* good = std::get_if<std::vector<Piece>>(&parts);
  if (good == nullptr) return {};
  const auto letters = [&](std::string_view name) { return std::string(limit_of(one, name), 'n'); };
  bool first = true;
  const auto one_foreign = [&](std::string_view name) {
    std::string value = letters(name);
    // A Devanagari letter: one unit, and no way back to GSM-7.
    if (std::exchange(first, false)) value.replace(0, 1, "\u0928");
    return value;
  };
  return {counted(filled(*good, [](std::string_view) { return std::string(); }), rules),
          counted(filled(*good, letters), rules), counted(filled(*good, one_foreign), rules)};
}

std::variant<std::string, std::vector<FieldError>> render(const Template& one, const Vars& vars) {
  std::vector<FieldError> errors;
  const auto parts = pieces(one.body);
  if (const auto* error = std::get_if<FieldError>(&parts)) return std::vector{*error};
  const auto& good = std::get<std::vector<Piece>>(parts);
  const auto value_of = [&](std::string_view name) {
    return std::find_if(vars.begin(), vars.end(),
                        [&](const auto& pair) { return pair.first == name; });
  };
  const auto names = std::get<std::vector<std::string>>(variables_of(one.body));
  for (const std::string& name : names) {
    const auto value = value_of(name);
    if (value == vars.end()) {
      errors.push_back({"/vars/" + name, "is missing; template " + one.id + " needs it"});
    } else if (const size_t length = characters(value->second); length > limit_of(one, name)) {
      errors.push_back({"/vars/" + name, "has " + std::to_string(length) + " characters; at most " +
                                             std::to_string(limit_of(one, name))});
    }
  }
  for (const auto& [name, value] : vars) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      errors.push_back({"/vars/" + name, "is not a variable of template " + one.id});
    }
  }
  if (!errors.empty()) return errors;
  return filled(good, [&](std::string_view name) { return value_of(name)->second; });
}

}  // namespace weir
