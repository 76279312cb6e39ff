// SPDX-License-Identifier: Apache-2.0
#include "shim/config/yaml_reader.h"

#include <algorithm>
#include <type_traits>

#include "shim/config/did_you_mean.h"
#include "shim/config/quantities.h"

namespace weir {
namespace {

const char* kind_found(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kEmpty: return "is empty";
    case YamlNode::Kind::kPlain: return "is a plain value";
    case YamlNode::Kind::kQuoted: return "is a text in quotes";
    case YamlNode::Kind::kList: return "is a list";
    case YamlNode::Kind::kMap: return "is a map";
  }
  return "is something else";
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  });
}

// Keys are the operator's bytes: bounded and printable before they go into an error.
std::string shown_key(const std::string& key) {
  std::string shown = key.substr(0, 40);
  for (char& c : shown) {
    if (c < 0x20 || c > 0x7E) c = '?';
  }
  return shown;
}

bool knows(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

YamlValue::YamlValue(YamlReading& reading, const YamlNode& node, std::string name)
    : reading_(&reading), node_(&node), name_(std::move(name)) {}

void YamlValue::fault(const std::string& text) const {
  reading_->errors.add(node_->place, name_.empty() ? text : name_ + ": " + text);
}

void YamlValue::key_fault(const std::string& text) const {
  reading_->errors.add(node_->key_place, name_.empty() ? text : name_ + ": " + text);
}

std::optional<std::string> YamlValue::scalar(std::string_view wanted) const {
  if (node_->kind == YamlNode::Kind::kPlain || node_->kind == YamlNode::Kind::kQuoted) {
    return node_->text;
  }
  fault(std::string(kind_found(*node_)) + "; " + std::string(wanted));
  return std::nullopt;
}

std::optional<std::string> YamlValue::text(size_t max_bytes) const {
  std::optional<std::string> found = scalar("write a text (\"\" for none)");
  if (!found) return std::nullopt;
  if (found->size() > max_bytes) {
    fault("is longer than " + std::to_string(max_bytes) + " bytes");
    return std::nullopt;
  }
  if (has_control_character(*found)) {
    fault("holds a line break or another control character; take it out");
    return std::nullopt;
  }
  return found;
}

// A quantity must be plain: one in quotes was meant to be a text somewhere else.
template <typename T, typename Parse, typename Format>
std::optional<T> YamlValue::quantity(Range<T> range, Parse parse, Format format) const {
  // Any text asks the parser for its advice.
  const auto parsed = parse(node_->kind == YamlNode::Kind::kPlain ? node_->text : "");
  if (!parsed) {
    const bool plain = node_->kind == YamlNode::Kind::kPlain;
    fault((plain ? "cannot be read" : kind_found(*node_)) + ("; " + parsed.error().detail));
    return std::nullopt;
  }
  if (*parsed < range.least || *parsed > range.most) {
    fault("is out of range; write " + format(range.least) + " to " + format(range.most));
    return std::nullopt;
  }
  return *parsed;
}

std::optional<int64_t> YamlValue::integer(Range<int64_t> range) const {
  return quantity(range, parse_integer, [](int64_t value) { return std::to_string(value); });
}

std::optional<uint64_t> YamlValue::size(Range<uint64_t> range) const {
  return quantity(range, parse_size, format_size);
}

std::optional<Duration> YamlValue::duration(Range<Duration> range) const {
  return quantity(range, parse_duration, format_duration);
}

std::optional<double> YamlValue::share() const {
  return quantity(Range<double>{0, 1}, parse_share,
                  [](double value) { return value > 0 ? std::string("1") : std::string("0"); });
}

std::optional<Units> YamlValue::units(Range<Units> range) const {
  return quantity(range, parse_units, format_units);
}

std::optional<bool> YamlValue::flag() const {
  const bool plain = node_->kind == YamlNode::Kind::kPlain;
  if (plain && node_->text == "true") return true;
  if (plain && node_->text == "false") return false;
  fault((plain ? "cannot be read" : std::string(kind_found(*node_))) + "; write true or false");
  return std::nullopt;
}

std::optional<size_t> YamlValue::one_of(std::span<const std::string> words) const {
  std::string wanted;
  for (size_t i = 0; i < words.size(); ++i) {
    wanted += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  const std::optional<std::string> found = scalar("write " + wanted);
  if (!found) return std::nullopt;
  const auto word = std::find(words.begin(), words.end(), *found);
  if (word != words.end()) return static_cast<size_t>(word - words.begin());
  fault("is not one of the words it can be: write " + wanted + did_you_mean(*found, words));
  return std::nullopt;
}

void YamlValue::map(const std::function<void(YamlMap&)>& read) const {
  if (node_->kind != YamlNode::Kind::kMap) {
    fault(std::string(kind_found(*node_)) + "; write a map (key: value), or leave it out");
    return;
  }
  YamlMap map(*this);
  read(map);
  map.finish();
}

void YamlValue::each(const std::function<void(const YamlValue&)>& read) const {
  if (node_->kind != YamlNode::Kind::kList) {
    fault(std::string(kind_found(*node_)) + "; write a list, like [first, second]");
    return;
  }
  size_t count = 0;
  for (const YamlNode& item : node_->children) {
    read(YamlValue(*reading_, item, name_ + "[" + std::to_string(count++) + "]"));
  }
}

std::string YamlMap::name_of(const std::string& key) const {
  return value_.name().empty() ? key : value_.name() + "." + key;
}

std::optional<YamlValue> YamlMap::find(const std::string& key) {
  asked_.push_back(key);
  for (const YamlNode& child : value_.node().children) {
    if (child.key == key) return YamlValue(value_.reading(), child, name_of(key));
  }
  value_.reading().left_out.push_back(name_of(key));
  return std::nullopt;
}

std::optional<YamlValue> YamlMap::need(const std::string& key) {
  std::optional<YamlValue> found = find(key);
  if (!found) value_.fault("lacks " + key + ", which has no default");
  return found;
}

void YamlMap::text(const std::string& key, std::string& out, size_t max_bytes) {
  const std::optional<YamlValue> found = find(key);
  if (const auto value = found ? found->text(max_bytes) : std::nullopt) out = *value;
}

void YamlMap::flag(const std::string& key, bool& out) {
  const std::optional<YamlValue> found = find(key);
  if (const auto value = found ? found->flag() : std::nullopt) out = *value;
}

void YamlMap::duration(const std::string& key, Duration& out, Range<Duration> range) {
  const std::optional<YamlValue> found = find(key);
  if (const auto value = found ? found->duration(range) : std::nullopt) out = *value;
}

void YamlMap::share(const std::string& key, double& out) {
  const std::optional<YamlValue> found = find(key);
  if (const auto value = found ? found->share() : std::nullopt) out = *value;
}

void YamlMap::units(const std::string& key, Units& out, Range<Units> range) {
  const std::optional<YamlValue> found = find(key);
  if (const auto value = found ? found->units(range) : std::nullopt) out = *value;
}

void YamlMap::section(const std::string& key, const std::function<void(YamlMap&)>& read) {
  if (const std::optional<YamlValue> found = find(key)) found->map(read);
}

void YamlMap::each(const std::function<void(const YamlValue&)>& read) {
  all_known_ = true;
  for (const YamlNode& child : value_.node().children) {
    // shown_key: these keys become part of the names in errors.
    read(YamlValue(value_.reading(), child, name_of(shown_key(child.key))));
  }
}

void YamlMap::finish() {
  if (all_known_) return;
  for (const YamlNode& child : value_.node().children) {
    if (knows(asked_, child.key)) continue;
    const YamlValue unknown(value_.reading(), child, value_.name());
    const std::string key = keys_hidden_ ? "a key here" : "the key " + shown_key(child.key);
    unknown.key_fault(key + " is unknown" + did_you_mean(child.key, asked_));
  }
}

}  // namespace weir
