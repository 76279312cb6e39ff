// SPDX-License-Identifier: Apache-2.0
//
// Method: the library's parser calls a builder for each event; the builder keeps the open lists and
// maps on a stack and hands each finished one to the one below. The library's own node type is not
// used: it loses the order of errors, merges duplicate keys and unfolds aliases.
#include "shim/config/yaml_tree.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "shim/config/file_text.h"
#include "shim/config/quantities.h"

namespace weir {
namespace {

constexpr size_t kMaxDepth = 32;
constexpr size_t kMaxErrors = 50;

YamlPlace place_of(const YAML::Mark& mark) {
  if (mark.line < 0 || mark.column < 0) return {};
  return {static_cast<uint32_t>(mark.line) + 1, static_cast<uint32_t>(mark.column) + 1};
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(YamlErrors& errors) : errors_(errors) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    finish(node(YamlNode::Kind::kEmpty, mark));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    errors_.add(place_of(mark), kNoAliases);
    finish(node(YamlNode::Kind::kEmpty, mark));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    YamlNode scalar = node(tag == "!" ? YamlNode::Kind::kQuoted : YamlNode::Kind::kPlain, mark);
    scalar.text = value;
    finish(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    open(node(YamlNode::Kind::kList, mark), mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    open(node(YamlNode::Kind::kMap, mark), mark);
  }
  void OnMapEnd() override { close(); }

  std::optional<YamlNode> take_root() { return std::move(root_); }

 private:
  static constexpr const char* kNoAliases =
      "anchors (&) and aliases (*) are not read here: write the value out, or put it in quotes if "
      "it only begins with that sign";

  // A list or map whose end has not come. In a map, keys and values take turns.
  struct Open {
    YamlNode node;
    std::optional<YamlNode> key;
    std::unordered_map<std::string, uint32_t> seen;  // key -> line
  };

  static YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark) {
    YamlNode made;
    made.kind = kind;
    made.place = place_of(mark);
    return made;
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) errors_.add(place_of(mark), kNoAliases);
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    errors_.add(place_of(mark),
                "tags (!) are not read here: leave it out, or put the value in "
                "quotes if it only begins with that sign");
  }

  void open(YamlNode started, const YAML::Mark& mark) {
    if (open_.size() >= kMaxDepth) throw YAML::ParserException(mark, "nested too deeply");
    open_.push_back({std::move(started), std::nullopt, {}});
  }

  void close() {
    YamlNode done = std::move(open_.back().node);
    open_.pop_back();
    finish(std::move(done));
  }

  void finish(YamlNode done) {
    if (open_.empty()) {
      root_ = std::move(done);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kList) {
      parent.node.children.push_back(std::move(done));
    } else if (!parent.key) {
      parent.key = std::move(done);
    } else {
      add_to_map(parent, std::move(done));
    }
  }

  void add_to_map(Open& map, YamlNode value) {
    YamlNode key = std::move(*std::exchange(map.key, std::nullopt));
    if (key.kind != YamlNode::Kind::kPlain && key.kind != YamlNode::Kind::kQuoted) {
      errors_.add(key.place, "a key must be a text");
      return;
    }
    const auto [first, is_new] = map.seen.emplace(key.text, key.place.line);
    if (!is_new) {
      errors_.add(key.place, "this key stands twice in one map; the first is in line " +
                                 std::to_string(first->second) + ". Keep one of them");
      return;
    }
    value.key = std::move(key.text);
    value.key_place = key.place;
    map.node.children.push_back(std::move(value));
  }

  YamlErrors& errors_;
  std::vector<Open> open_;
  std::optional<YamlNode> root_;
};

// The library's texts are fixed, except for what a few add after a colon.
std::string syntax_text(const YAML::Exception& error) {
  return "is not YAML here: " + error.msg.substr(0, error.msg.find(": "));
}

class NoDocument final : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    throw YAML::ParserException(mark, "a second document begins; the file must hold one");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {}
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {}
  void OnMapEnd() override {}
};

}  // namespace

void YamlErrors::add(YamlPlace place, std::string text) {
  if (errors_.size() < kMaxErrors) {
    errors_.push_back({place, std::move(text)});
  } else {
    ++more_;
  }
}

std::string YamlErrors::text() const {
  std::vector<One> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const One& a, const One& b) { return a.place < b.place; });
  std::string all;
  for (const One& error : sorted) {
    if (!all.empty()) all += '\n';
    all += file_ + ":";
    if (error.place.line > 0) {
      all += std::to_string(error.place.line) + ":" + std::to_string(error.place.column) + ":";
    }
    all += " " + error.text;
  }
  if (more_ > 0) all += "\n" + file_ + ": and " + std::to_string(more_) + " more errors";
  return all;
}

std::optional<YamlNode> parse_yaml(std::string_view text, YamlErrors& errors) {
  TreeBuilder builder(errors);
  // The library takes a quote that is never closed for a whole text if the file ends in a line
  // break, and swallows the settings after it; without the line break it says so.
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    NoDocument none;
    parser.HandleNextDocument(none);
  } catch (const YAML::Exception& error) {
    errors.add(place_of(error.mark), syntax_text(error));
    return std::nullopt;
  }
  std::optional<YamlNode> root = builder.take_root();
  if (!root || root->kind == YamlNode::Kind::kEmpty) {
    errors.add({}, "is empty: it must hold a map of settings (key: value)");
    return std::nullopt;
  }
  if (root->kind != YamlNode::Kind::kMap) {
    errors.add(root->place, "must be a map of settings (key: value) at its top");
    return std::nullopt;
  }
  return root;
}

std::optional<YamlNode> load_yaml(YamlErrors& errors) {
  Result<FileText> file = read_file_text(errors.file(), kMaxYamlBytes);
  if (!file) {
    errors.add({}, file.error().detail);
    return std::nullopt;
  }
  return parse_yaml(file->text, errors);
}

}  // namespace weir
