// SPDX-License-Identifier: Apache-2.0
//
// Typed, strict reading of a YAML tree: every wrong value becomes one error with its place and the
// dotted name of the setting, and reading goes on, so that a file's errors all show at once.
//
// A reader names the keys that it knows by asking for them; when it is done with a map, the keys
// that nobody asked for are errors, with the near name among those that were. So what can be
// written in a file is exactly what the code reads.
//
// Values are never repeated in an error, keys are (a mistyped key has to be found), except where a
// map holds secrets.
//
// Called at start. A YamlValue or YamlMap lives no longer than the tree it looks into.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/time.h"
#include "weir/units.h"

#include "shim/config/yaml_tree.h"

namespace weir {

// Both inclusive.
template <typename T>
struct Range {
  T least;
  T most;
};

// What one reading of a file shares.
struct YamlReading {
  YamlErrors& errors;
  std::vector<std::string> left_out;  // dotted names that were asked for and are not in the file
};

class YamlMap;

class YamlValue {
 public:
  YamlValue(YamlReading& reading, const YamlNode& node, std::string name);

  const std::string& name() const { return name_; }  // "lanes.otp.slots"
  const std::string& key() const { return node_->key; }
  const YamlNode& node() const { return *node_; }
  YamlReading& reading() const { return *reading_; }
  void fault(const std::string& text) const;      // at the value
  void key_fault(const std::string& text) const;  // at its key

  // Each adds a fault and gives nothing when the value is not what is asked for.
  std::optional<std::string> text(size_t max_bytes) const;
  std::optional<bool> flag() const;
  std::optional<int64_t> integer(Range<int64_t> range) const;
  std::optional<uint64_t> size(Range<uint64_t> range) const;
  std::optional<Duration> duration(Range<Duration> range) const;
  std::optional<double> share() const;
  std::optional<Units> units(Range<Units> range) const;
  // The index of the word.
  std::optional<size_t> one_of(std::span<const std::string> words) const;
  void map(const std::function<void(YamlMap&)>& read) const;
  void each(const std::function<void(const YamlValue&)>& read) const;  // of a list

 private:
  template <typename T, typename Parse, typename Format>
  std::optional<T> quantity(Range<T> range, Parse parse, Format format) const;
  std::optional<std::string> scalar(std::string_view wanted) const;

  YamlReading* reading_;
  const YamlNode* node_;
  std::string name_;
};

class YamlMap {
 public:
  explicit YamlMap(const YamlValue& value) : value_(value) {}
  YamlMap(const YamlMap&) = delete;
  YamlMap& operator=(const YamlMap&) = delete;

  const YamlValue& value() const { return value_; }

  // The value of a key, if it is there.
  std::optional<YamlValue> find(const std::string& key);
  // As find, and a fault when it is not there.
  std::optional<YamlValue> need(const std::string& key);

  // Each sets `out` when the key is there and its value is right, and leaves it alone otherwise.
  void text(const std::string& key, std::string& out, size_t max_bytes = kMaxText);
  void flag(const std::string& key, bool& out);
  template <std::integral T>
  void integer(const std::string& key, T& out, Range<int64_t> range) {
    const std::optional<YamlValue> found = find(key);
    const std::optional<int64_t> value = found ? found->integer(range) : std::nullopt;
    if (value) out = static_cast<T>(*value);
  }
  template <std::unsigned_integral T>
  void size(const std::string& key, T& out, Range<uint64_t> range) {
    const std::optional<YamlValue> found = find(key);
    const std::optional<uint64_t> value = found ? found->size(range) : std::nullopt;
    if (value) out = static_cast<T>(*value);
  }
  void duration(const std::string& key, Duration& out, Range<Duration> range);
  void share(const std::string& key, double& out);
  void units(const std::string& key, Units& out, Range<Units> range);
  template <typename E>
  void word(const std::string& key, E& out,
            std::initializer_list<std::pair<std::string_view, E>> words) {
    const std::optional<YamlValue> found = find(key);
    std::vector<std::string> names;
    for (const auto& word : words)
      names.emplace_back(word.first);
    const std::optional<size_t> chosen = found ? found->one_of(names) : std::nullopt;
    if (chosen) out = (words.begin() + *chosen)->second;
  }
  void section(const std::string& key, const std::function<void(YamlMap&)>& read);

  // For maps whose keys are names that the operator gives; every key counts as known.
  void each(const std::function<void(const YamlValue&)>& read);
  // Keys of this map may be secrets written in the wrong place: no error repeats one.
  void hide_keys() { keys_hidden_ = true; }
  // Faults for keys that nobody asked for. Called once, by YamlValue::map().
  void finish();

  // Long enough for a path or a header, short enough for an error to stay readable.
  static constexpr size_t kMaxText = 1024;

 private:
  std::string name_of(const std::string& key) const;

  const YamlValue& value_;
  std::vector<std::string> asked_;
  bool all_known_ = false;
  bool keys_hidden_ = false;
};

}  // namespace weir
