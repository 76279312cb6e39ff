// SPDX-License-Identifier: Apache-2.0
//
// A YAML file as a tree of plain values, each with its place, and the list of what is wrong in it.
//
// Called at start, by the readers of weir.yaml and of profiles. yaml_tree.cc is the only user of
// the YAML library; nothing that it throws gets out.
//
// What is refused, with line and column: a key that stands twice in one map, keys that are not
// texts, more than one document, explicit tags, anchors and aliases. Without aliases the tree is
// never larger than the file, so a small file cannot unfold into gigabytes.
//
// Limits: files up to 1 MiB, 32 levels deep, and the first 50 errors of a file. Every value is kept
// as the text that was written; what it means is for the reader to say (so 0660 stays 0660).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

inline constexpr size_t kMaxYamlBytes = 1024 * 1024;

// Both from 1. Line 0 means the file as a whole.
struct YamlPlace {
  uint32_t line = 0;
  uint32_t column = 0;

  friend auto operator<=>(const YamlPlace&, const YamlPlace&) = default;
};

struct YamlNode {
  enum class Kind : uint8_t { kEmpty, kPlain, kQuoted, kList, kMap };
  Kind kind = Kind::kEmpty;
  YamlPlace place;
  std::string text;                // of kPlain and kQuoted
  std::string key;                 // of a map's child
  YamlPlace key_place;             // of a map's child
  std::vector<YamlNode> children;  // of kList and kMap, in the order of the file
};

// What is wrong in one file, one line an error: "FILE:LINE:COLUMN: what".
class YamlErrors {
 public:
  explicit YamlErrors(std::string file) : file_(std::move(file)) {}

  void add(YamlPlace place, std::string text);
  bool empty() const { return errors_.empty(); }
  const std::string& file() const { return file_; }
  // By place. Without a newline at the end.
  std::string text() const;

 private:
  struct One {
    YamlPlace place;
    std::string text;
  };
  std::string file_;
  std::vector<One> errors_;  // the first ones
  size_t more_ = 0;
};

// Nothing when the text is not one YAML map; `errors` then says why.
std::optional<YamlNode> parse_yaml(std::string_view text, YamlErrors& errors);

// Reads errors.file().
std::optional<YamlNode> load_yaml(YamlErrors& errors);

}  // namespace weir
