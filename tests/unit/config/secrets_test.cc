// SPDX-License-Identifier: Apache-2.0
#include "shim/config/secrets.h"

#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/unit/config/scratch.h"

namespace weir {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Read {
  std::map<std::string, std::string> secrets;
  std::string errors;
};

Read read(const std::string& yaml) {
  YamlErrors errors("a.yaml");
  YamlReading reading{errors, {}};
  Read result;
  const auto root = parse_yaml(yaml, errors);
  if (root) {
    YamlValue(reading, *root, "").map([&](YamlMap& map) {
      map.section("secrets", [&](YamlMap& secrets) { read_secrets(secrets, result.secrets); });
    });
  }
  result.errors = errors.text();
  return result;
}

TEST(Secrets, ComeFromAFileWithoutTheLineBreakAtItsEnd) {
  const Scratch scratch;
  EXPECT_EQ(*secret_from_file(scratch.write("a", "hunter2\n")), "hunter2");
  EXPECT_EQ(*secret_from_file(scratch.write("b", "hunter2\r\n")), "hunter2");
  EXPECT_EQ(*secret_from_file(scratch.write("c", " hunter 2 ")), " hunter 2 ");
  EXPECT_EQ(*secret_from_file(scratch.write("d", "hunter2", 0640)), "hunter2");
}

TEST(Secrets, AFileThatOthersCanReadOrWriteIsRefused) {
  const Scratch scratch;
  for (unsigned mode : {0644u, 0604u, 0602u, 0666u}) {
    const Result<std::string> secret = secret_from_file(scratch.write("a", "hunter2", mode));
    ASSERT_FALSE(secret) << mode;
    EXPECT_THAT(secret.error().detail, HasSubstr("chmod o-rwx"));
  }
}

TEST(Secrets, FilesThatHoldNoSecretAreRefused) {
  const Scratch scratch;
  EXPECT_THAT(secret_from_file(scratch.write("a", "\n")).error().detail, HasSubstr("is empty"));
  EXPECT_THAT(secret_from_file(scratch.write("b", "one\ntwo\n")).error().detail,
              HasSubstr("more than one line"));
  EXPECT_THAT(secret_from_file(scratch.write("c", std::string(5000, 'x'))).error().detail,
              HasSubstr("is larger than 4KiB"));
  EXPECT_THAT(secret_from_file(scratch.path("none")).error().detail, HasSubstr("No such file"));
  EXPECT_THAT(secret_from_file(scratch.path("")).error().detail, HasSubstr("not a regular file"));
}

TEST(Secrets, ANamedPipeDoesNotHangTheStart) {
  const Scratch scratch;
  ASSERT_EQ(::mkfifo(scratch.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(secret_from_file(scratch.path("pipe")));
}

TEST(Secrets, ComeFromTheEnvironment) {
  ASSERT_EQ(::setenv("WEIR_TEST_SECRET", "hunter2", 1), 0);
  EXPECT_EQ(read("secrets: {api_key: {env: WEIR_TEST_SECRET}}").secrets.at("api_key"), "hunter2");
  ASSERT_EQ(::setenv("WEIR_TEST_SECRET", "", 1), 0);
  EXPECT_THAT(read("secrets: {api_key: {env: WEIR_TEST_SECRET}}").errors, HasSubstr("is empty"));
  ASSERT_EQ(::unsetenv("WEIR_TEST_SECRET"), 0);
  EXPECT_THAT(read("secrets: {api_key: {env: WEIR_TEST_SECRET}}").errors, HasSubstr("is not set"));
}

TEST(Secrets, ASecretWrittenIntoTheYamlIsRefusedWithTheWayToDoIt) {
  const Read result = read("secrets:\n  api_key: hunter2\n");
  EXPECT_THAT(result.errors, HasSubstr("a.yaml:2:12: secrets entry 1"));
  EXPECT_THAT(result.errors, HasSubstr("{file: PATH} or {env: NAME}"));
  EXPECT_THAT(result.errors, Not(HasSubstr("hunter2")));
}

TEST(Secrets, NothingThatStandsWhereASecretMayStandIsRepeated) {
  for (const char* yaml : {
           "secrets: hunter2",
           "secrets: [hunter2]",
           "secrets: {hunter2}",
           "secrets: {hunter2: hunter2}",
           "secrets: {api_key: hunter2}",
           "secrets: {api_key: 'hunter2'}",
           "secrets: {api_key: [hunter2]}",
           "secrets: {api_key: {hunter2}}",
           "secrets: {api_key: {fil: hunter2}}",
           "secrets: {api_key: {file: hunter2}}",
           "secrets: {api_key: {env: hunter2}}",
           "secrets: {api_key: {env: \"hunter2\\n\"}}",
           "secrets: {api_key: {file: [hunter2]}}",
           "secrets: {api_key: {file: hunter2, env: hunter2}}",
           "secrets: {api_key: !hunter2 x}",
           "secrets: {api_key: *hunter2}",
           "secrets: {api_key: {file: hunter2}, api_key: {file: hunter2}}",
       }) {
    const Read result = read(yaml);
    EXPECT_NE(result.errors, "") << yaml;
    EXPECT_THAT(result.errors, Not(HasSubstr("hunter2"))) << yaml;
  }
}

TEST(Secrets, AMistypedKindOfReferenceIsNamed) {
  EXPECT_THAT(read("secrets: {api_key: {fiel: x}}").errors, HasSubstr("did you mean file?"));
}

}  // namespace
}  // namespace weir
