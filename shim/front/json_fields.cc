// SPDX-License-Identifier: Apache-2.0
//
// Method: Boost.JSON calls a handler for each token. The handler knows three places: the object
// itself (depth 1), the elements of one list or map field (depth 2), and everything else, which is
// skipped: what an unknown field holds, and what stands where another type is wanted.

#include "shim/front/json_fields.h"

#include <algorithm>

#include <boost/json/basic_parser_impl.hpp>

#include "weir/check.h"

#include "shim/config/did_you_mean.h"
#include "shim/config/quantities.h"
#include "shim/front/timestamps.h"

namespace weir {
namespace {

namespace json = boost::json;
using ErrorCode = json::error_code;

constexpr size_t kNoField = SIZE_MAX;
// A name in a pointer is the producer's own; a longer one is cut, because no field of ours is near.
constexpr size_t kLongestName = 64;

template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

// RFC 6901: ~ and / are escaped.
std::string pointer_to(std::string_view name) {
  std::string pointer = "/";
  for (char c : name.substr(0, kLongestName)) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

std::string_view wanted(const JsonField& field) {
  return std::visit(Overloaded{[](const TextField&) { return "a string"; },
                               [](const TextListField&) { return "a string or a list of strings"; },
                               [](const TextMapField&) { return "an object of strings"; },
                               [](const IntegerMapField&) { return "an object of whole numbers"; },
                               [](const IntegerField&) { return "a whole number"; },
                               [](const FlagField&) { return "true or false"; },
                               [](const TimeField&) { return "a string with a time"; },
                               [](const UnitsField&) { return "a number"; }},
                    field.place);
}

class Handler {
 public:
  // The body is bounded before it comes here, and so is everything in it.
  static constexpr size_t max_array_size = SIZE_MAX;
  static constexpr size_t max_object_size = SIZE_MAX;
  static constexpr size_t max_string_size = SIZE_MAX;
  static constexpr size_t max_key_size = SIZE_MAX;

  Handler(std::span<const JsonField> fields, FieldsRead& read) : fields_(fields), read_(read) {}

  bool on_document_begin(ErrorCode&) { return true; }
  bool on_document_end(ErrorCode&) { return true; }
  bool on_comment_part(json::string_view, ErrorCode&) { return true; }
  bool on_comment(json::string_view, ErrorCode&) { return true; }

  bool on_object_begin(ErrorCode&) { return open(Container::kObject); }
  bool on_object_end(size_t, ErrorCode&) { return close(); }
  bool on_array_begin(ErrorCode&) { return open(Container::kArray); }
  bool on_array_end(size_t, ErrorCode&) { return close(); }

  bool on_key_part(json::string_view part, size_t, ErrorCode&) { return collect(part); }
  bool on_key(json::string_view last, size_t, ErrorCode&) {
    take_key(whole(last));
    scratch_.clear();
    return true;
  }
  bool on_string_part(json::string_view part, size_t, ErrorCode&) { return collect(part); }
  bool on_string(json::string_view last, size_t, ErrorCode&) {
    if (const JsonField* field = target("a string")) take_text(*field, whole(last));
    scratch_.clear();
    return end_value();
  }
  bool on_number_part(json::string_view part, ErrorCode&) { return collect(part); }
  bool on_int64(int64_t value, json::string_view last, ErrorCode&) {
    const JsonField* field = target("a number");
    if (field != nullptr && !take_units(*field, whole(last))) take_integer(*field, value);
    scratch_.clear();
    return end_value();
  }
  bool on_uint64(uint64_t value, json::string_view last, ErrorCode&) {
    // Above what an int64 holds it is out of every range.
    return on_int64(static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX)), last, ignored_);
  }
  bool on_double(double, json::string_view last, ErrorCode&) {
    const JsonField* field = target("a fraction");
    if (field != nullptr && !take_units(*field, whole(last))) mismatch("a fraction", depth_);
    scratch_.clear();
    return end_value();
  }
  bool on_bool(bool value, ErrorCode&) {
    if (const JsonField* field = target("true or false")) take_flag(*field, value);
    return end_value();
  }
  bool on_null(ErrorCode&) { return wrong_scalar("null"); }

  void add(std::string pointer, std::string detail) {
    if (read_.errors.size() < kMostFieldErrors) {
      read_.errors.push_back({std::move(pointer), std::move(detail)});
    }
  }

 private:
  enum class Container : uint8_t { kObject, kArray };

  bool skipping() const { return skipped_depth_ != 0; }

  bool collect(json::string_view part) {
    scratch_.append(part.data(), part.size());
    return true;
  }
  // The token that ends with `last`: as it lies in the input if it came in one piece.
  std::string_view whole(json::string_view last) {
    if (scratch_.empty()) return {last.data(), last.size()};
    scratch_.append(last.data(), last.size());
    return scratch_;
  }

  bool open(Container container) {
    const std::string_view found = container == Container::kObject ? "an object" : "a list";
    ++depth_;
    if (skipping()) return true;
    if (depth_ == 1 && container == Container::kObject) return true;
    if (depth_ == 2 && field_ != kNoField && takes(container)) {
      element_ = 0;
      return true;
    }
    if (depth_ == 1 || field_ != kNoField) mismatch(found, depth_ - 1);
    skipped_depth_ = depth_;
    return true;
  }

  bool takes(Container container) const {
    return container == Container::kArray
               ? std::holds_alternative<TextListField>(fields_[field_].place)
               : is_map();
  }

  bool is_map() const {
    return std::holds_alternative<TextMapField>(fields_[field_].place) ||
           std::holds_alternative<IntegerMapField>(fields_[field_].place);
  }

  bool close() {
    if (skipped_depth_ == depth_) skipped_depth_ = 0;
    --depth_;
    return end_value();
  }

  bool end_value() {
    if (depth_ == 2) ++element_;
    return true;
  }

  void take_key(std::string_view name) {
    if (skipping()) return;
    if (depth_ == 2) {
      key_ = name;
      return;
    }
    field_ = kNoField;
    const auto found = std::find_if(fields_.begin(), fields_.end(),
                                    [&](const JsonField& field) { return field.name == name; });
    if (found == fields_.end()) return unknown(name);
    const auto i = static_cast<size_t>(found - fields_.begin());
    if (read_.saw(i)) return add(pointer_to(name), "is given twice; leave one of the two out");
    read_.seen |= uint64_t{1} << i;
    field_ = i;
  }

  void unknown(std::string_view name) {
    std::vector<std::string> known;
    for (const JsonField& field : fields_)
      known.emplace_back(field.name);
    add(pointer_to(name), "is not a field of this request" + did_you_mean(name, known));
  }

  // The field that a scalar belongs to; null if it is to be skipped.
  const JsonField* target(std::string_view found) {
    if (skipping()) return nullptr;
    if (depth_ == 0) mismatch(found, 0);
    return depth_ == 0 || field_ == kNoField ? nullptr : &fields_[field_];
  }

  bool wrong_scalar(std::string_view found) {
    if (target(found) != nullptr) mismatch(found, depth_);
    return end_value();
  }

  // Where we are, for a value that is not what is wanted there.
  std::string here(int depth) const {
    if (depth == 0) return "";
    std::string pointer = pointer_to(fields_[field_].name);
    if (depth == 1) return pointer;
    return pointer + (is_map() ? pointer_to(key_) : "/" + std::to_string(element_));
  }

  void mismatch(std::string_view found, int depth) {
    std::string_view want = "one JSON object";
    if (depth == 1) want = wanted(fields_[field_]);
    if (depth == 2) {
      want = std::holds_alternative<IntegerMapField>(fields_[field_].place) ? "a whole number"
                                                                            : "a string";
    }
    std::string detail = "must be " + std::string(want) + ", and is " + std::string(found);
    if (found == "null") detail += "; leave the field out instead";
    add(here(depth), std::move(detail));
  }

  void take_text(const JsonField& field, std::string_view text) {
    std::visit(Overloaded{
                   [&](const TextField& place) { *place.into = text; },
                   [&](const TextListField& place) { take_element(place, text); },
                   [&](const TextMapField& place) { take_pair(place, text); },
                   [&](const IntegerMapField&) { mismatch("a string", depth_); },
                   [&](const IntegerField&) { mismatch("a string", depth_); },
                   [&](const FlagField&) { mismatch("a string", depth_); },
                   [&](const TimeField& place) { take_time(place, text); },
                   [&](const UnitsField&) { mismatch("a string", depth_); },
               },
               field.place);
  }

  void take_time(const TimeField& place, std::string_view text) {
    Result<WallTime> time = parse_timestamp(text);
    if (time) {
      *place.into = *time;
    } else {
      add(here(1), time.error().detail);
    }
  }

  // False: the field is not one of units.
  bool take_units(const JsonField& field, std::string_view written) {
    const auto* place = std::get_if<UnitsField>(&field.place);
    if (place == nullptr || depth_ != 1) return false;
    const Result<Units> units = parse_units(written);
    if (units && *units > Units() && *units <= place->most) {
      *place->into = *units;
    } else {
      add(here(1), "must be above 0 and at most " + format_units(place->most) +
                       ", written as a decimal with up to six digits after the point");
    }
    return true;
  }

  void take_element(const TextListField& place, std::string_view text) {
    if (place.into->size() < place.most) {
      place.into->emplace_back(text);
    } else if (element_ == place.most) {
      add(here(1), "has more than " + std::to_string(place.most) +
                       " entries; cut the list into several requests");
    }
  }

  void take_pair(const TextMapField& place, std::string_view text) {
    if (depth_ != 2) return mismatch("a string", depth_);
    if (place.into->size() >= place.most) {
      if (element_ == place.most) {
        add(here(1), "has more than " + std::to_string(place.most) + " entries");
      }
      return;
    }
    const bool twice = std::any_of(place.into->begin(), place.into->end(),
                                   [&](const auto& pair) { return pair.first == key_; });
    if (twice) return add(here(2), "is given twice; leave one of the two out");
    place.into->emplace_back(key_, text);
  }

  void take_flag(const JsonField& field, bool value) {
    const auto* place = std::get_if<FlagField>(&field.place);
    if (place == nullptr || depth_ != 1) return mismatch("true or false", depth_);
    *place->into = value;
  }

  void take_number_pair(const IntegerMapField& place, int64_t value) {
    if (value < 1 || value > place.highest) {
      return add(here(2), "must be from 1 to " + std::to_string(place.highest));
    }
    if (place.into->size() >= place.most) {
      return add(here(1), "has more than " + std::to_string(place.most) + " entries");
    }
    if (!place.into->emplace(key_, static_cast<uint32_t>(value)).second) {
      add(here(2), "is given twice; leave one of the two out");
    }
  }

  void take_integer(const JsonField& field, int64_t value) {
    if (const auto* map = std::get_if<IntegerMapField>(&field.place); map && depth_ == 2) {
      return take_number_pair(*map, value);
    }
    const auto* place = std::get_if<IntegerField>(&field.place);
    if (place == nullptr || depth_ != 1) return mismatch("a number", depth_);
    if (value < place->least || value > place->most) {
      return add(here(1), "must be from " + std::to_string(place->least) + " to " +
                              std::to_string(place->most));
    }
    *place->into = value;
  }

  std::span<const JsonField> fields_;
  FieldsRead& read_;
  ErrorCode ignored_;
  std::string scratch_;    // the pieces of a token with escapes in it
  std::string key_;        // of the map's element that comes
  int depth_ = 0;          // containers that are open
  int skipped_depth_ = 0;  // the depth at which skipping began; 0: nothing is skipped
  size_t field_ = kNoField;
  size_t element_ = 0;
};

bool is_empty(const JsonField& field) {
  return std::visit(Overloaded{[](const TextField& place) { return place.into->empty(); },
                               [](const TextListField& place) {
                                 return place.into->empty() ||
                                        (place.into->size() == 1 && place.into->front().empty());
                               },
                               [](const TextMapField& place) { return place.into->empty(); },
                               [](const auto&) { return false; }},
                    field.place);
}

// A field with a finding of its own is not called empty as well.
bool has_error_under(const FieldsRead& read, const std::string& pointer) {
  return std::any_of(read.errors.begin(), read.errors.end(), [&](const FieldError& error) {
    return error.pointer.compare(0, pointer.size(), pointer) == 0 &&
           (error.pointer.size() == pointer.size() || error.pointer[pointer.size()] == '/');
  });
}

void check_needs(std::span<const JsonField> fields, Handler& handler, const FieldsRead& read) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].need == Need::kOptional) continue;
    const std::string pointer = pointer_to(fields[i].name);
    if (!read.saw(i)) {
      handler.add(pointer, "is missing; it must be " + std::string(wanted(fields[i])));
    } else if (fields[i].need == Need::kFilled && is_empty(fields[i]) &&
               !has_error_under(read, pointer)) {
      handler.add(pointer, "must not be empty");
    }
  }
}

std::string not_json(const std::string& what, size_t offset) {
  return "The body is not JSON in UTF-8: " + what + " at byte " + std::to_string(offset) + ".";
}

}  // namespace

FieldsRead read_fields(std::string_view text, std::span<const JsonField> fields) {
  WEIR_CHECK(fields.size() <= 64);
  FieldsRead read;
  if (text.empty()) {
    read.malformed = "There is no body; send one JSON object.";
    return read;
  }
  json::basic_parser<Handler> parser(json::parse_options{}, fields, read);
  ErrorCode error;
  const size_t taken = parser.write_some(false, text.data(), text.size(), error);
  if (error) {
    read.malformed = not_json(error.message(), taken);
  } else if (taken < text.size()) {
    read.malformed = not_json("something follows the end of the object", taken);
  } else if (text[text.find_first_not_of(" \t\r\n")] == '{') {
    check_needs(fields, parser.handler(), read);
  }
  return read;
}

}  // namespace weir
