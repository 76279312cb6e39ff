// SPDX-License-Identifier: Apache-2.0
#include "shim/config/yaml_tree.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/config/scratch.h"

namespace weir {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string errors_of(const std::string& text) {
  YamlErrors errors("a.yaml");
  parse_yaml(text, errors);
  return errors.text();
}

TEST(YamlTree, KeepsOrderTextAndPlaces) {
  YamlErrors errors("a.yaml");
  const auto root = parse_yaml("b: 0660\na:\n  - 'x: y'\n  -\n", errors);
  ASSERT_TRUE(root);
  EXPECT_EQ(errors.text(), "");
  ASSERT_EQ(root->children.size(), 2u);
  const YamlNode& b = root->children[0];
  EXPECT_EQ(b.key, "b");
  EXPECT_EQ(b.text, "0660");
  EXPECT_EQ(b.kind, YamlNode::Kind::kPlain);
  EXPECT_EQ(b.place, (YamlPlace{1, 4}));
  const YamlNode& a = root->children[1];
  EXPECT_EQ(a.key_place, (YamlPlace{2, 1}));
  ASSERT_EQ(a.children.size(), 2u);
  EXPECT_EQ(a.children[0].kind, YamlNode::Kind::kQuoted);
  EXPECT_EQ(a.children[0].text, "x: y");
  EXPECT_EQ(a.children[1].kind, YamlNode::Kind::kEmpty);
}

TEST(YamlTree, TheTopMustBeAMap) {
  EXPECT_THAT(errors_of(""), HasSubstr("a.yaml: is empty"));
  EXPECT_THAT(errors_of("# only a comment\n"), HasSubstr("is empty"));
  EXPECT_THAT(errors_of("~"), HasSubstr("is empty"));
  EXPECT_THAT(errors_of("- a\n- b\n"), HasSubstr("a.yaml:1:1: must be a map"));
  EXPECT_THAT(errors_of("just words\n"), HasSubstr("must be a map"));
  EXPECT_THAT(errors_of("a: 1\n---\nb: 2\n"), HasSubstr("a second document"));
}

TEST(YamlTree, ADuplicateKeyNamesTheFirst) {
  EXPECT_EQ(errors_of("a: 1\nb: 2\na: 3\n"),
            "a.yaml:3:1: this key stands twice in one map; the first is in line 1. Keep one of "
            "them");
  EXPECT_EQ(errors_of("a: {x: 1}\nb: {x: 1}\n"), "");
}

TEST(YamlTree, SyntaxErrorsHaveAPlace) {
  EXPECT_THAT(errors_of("a: 1\n\tb: 2\n"), HasSubstr("a.yaml:2:"));
  EXPECT_THAT(errors_of("a:\n\t- 1\n"), HasSubstr("a.yaml:2:"));
  EXPECT_THAT(errors_of("a: [1, 2\n"), HasSubstr("is not YAML here"));
  EXPECT_THAT(errors_of("a: 'open\nb: 1\n"), HasSubstr("is not YAML here"));
  EXPECT_THAT(errors_of("a: \"open\nb: 1\n\n"), HasSubstr("is not YAML here"));
  EXPECT_THAT(errors_of("? [a, b]\n: 1\n"), HasSubstr("a key must be a text"));
}

TEST(YamlTree, AnchorsAliasesAndTagsAreRefusedWithoutRepeatingThem) {
  EXPECT_THAT(errors_of("a: &hunter2 1\n"), HasSubstr("anchors (&) and aliases (*)"));
  EXPECT_THAT(errors_of("a: &hunter2 1\nb: *hunter2\n"), HasSubstr("a.yaml:2:"));
  EXPECT_THAT(errors_of("a: *hunter2\n"), HasSubstr("a.yaml:1:"));
  EXPECT_THAT(errors_of("a: !hunter2 1\n"), HasSubstr("tags (!)"));
  for (const char* text : {"a: &hunter2 1\nb: *hunter2\n", "a: *hunter2\n", "a: !hunter2 1\n",
                           "a: \"\\hunter2\"\n", "hunter2: 1\nhunter2: 2\n"}) {
    EXPECT_THAT(errors_of(text), Not(HasSubstr("hunter2"))) << text;
    EXPECT_NE(errors_of(text), "") << text;
  }
}

// Nine levels of nine references each: 387 million values, were they unfolded.
TEST(YamlTree, AnAliasBombStaysSmall) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int level = 1; level < 9; ++level) {
    const std::string n = std::to_string(level);
    std::string references;
    for (int i = 0; i < 9; ++i)
      references += (i ? ", *a" : "*a") + std::to_string(level - 1);
    bomb.append("a").append(n).append(": &a").append(n).append(" [").append(references);
    bomb += "]\n";
  }
  const std::string errors = errors_of(bomb);
  EXPECT_THAT(errors, HasSubstr("anchors (&) and aliases (*)"));
  EXPECT_THAT(errors, HasSubstr("more errors"));
  EXPECT_LT(errors.size(), 20'000u);
}

TEST(YamlTree, NestingIsBounded) {
  EXPECT_THAT(errors_of("a: " + std::string(100, '[') + std::string(100, ']')),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(errors_of("a: " + std::string(100'000, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(errors_of("a: " + std::string(100'000, '{')), HasSubstr("a.yaml:1:"));
}

TEST(YamlTree, FilesAreBoundedAndRegular) {
  const Scratch scratch;
  const auto error_for = [](const std::string& path) {
    YamlErrors errors(path);
    load_yaml(errors);
    return errors.text();
  };
  const std::string large = scratch.write("large.yaml", "a: " + std::string(2'000'000, 'x'));
  EXPECT_EQ(error_for(large), large + ": is larger than 1MiB");
  EXPECT_THAT(error_for(scratch.path("missing.yaml")), HasSubstr("cannot be read: No such file"));
  EXPECT_THAT(error_for(scratch.path("")), HasSubstr("is not a regular file"));
}

}  // namespace
}  // namespace weir
