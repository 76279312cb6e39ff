// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/csv_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

Result<CsvHeader> header_of(std::vector<std::string> names,
                            std::optional<std::vector<std::string>> wanted,
                            std::string_view to = "to") {
  return read_header({1, std::move(names), ""}, to, wanted);
}

std::string error_of(std::vector<std::string> names,
                     std::optional<std::vector<std::string>> wanted) {
  const auto header = header_of(std::move(names), std::move(wanted));
  return header ? "none" : header.error().detail;
}

TEST(CsvHeader, FindsTheRecipientAndThePlacesInAnyOrderOfColumns) {
  const auto header = header_of({"code", "Unused", "To", "First Name"}, {{"first_name", "code"}});
  ASSERT_TRUE(header);
  EXPECT_EQ(header->columns, 4U);
  EXPECT_EQ(header->to, 2U);
  EXPECT_THAT(header->variables, ElementsAre(Pair("code", 0), Pair("first_name", 3)));
}

TEST(CsvHeader, TheRecipientsColumnCanBeNamed) {
  EXPECT_EQ(header_of({"name", "Mobile-No"}, {{"name"}}, "mobile no")->to, 1U);
}

TEST(CsvHeader, WithoutKnownPlacesEveryOtherColumnIsOne) {
  EXPECT_THAT(header_of({"b", "to", "a"}, std::nullopt)->variables,
              ElementsAre(Pair("a", 2), Pair("b", 0)));
}

TEST(CsvHeader, AMissingColumnIsNamedWithTheFix) {
  EXPECT_THAT(error_of({"phone", "name"}, {{"name"}}),
              AllOf(HasSubstr("line 1"), HasSubstr("no column \"to\""), HasSubstr("--to-column"),
                    HasSubstr("the columns are: phone, name")));
  EXPECT_THAT(error_of({"to", "nane"}, {{"name"}}),
              AllOf(HasSubstr("no column for {{name}}"), HasSubstr("did you mean nane?")));
  EXPECT_THAT(error_of({"to;name"}, {{"name"}}), HasSubstr("separated by commas"));
}

TEST(CsvHeader, ANumberInItMeansThatThereIsNoneAndIsNotRepeated) {
  EXPECT_THAT(error_of({"+919876543210", "Asha"}, {{"name"}}),
              AllOf(HasSubstr("the first row has a number"), Not(HasSubstr("98765"))));
}

TEST(CsvHeader, WhatIsThereTwiceIsNotChosenBetween) {
  EXPECT_THAT(error_of({"to", "TO"}, {{}}), HasSubstr("two columns \"to\""));
  EXPECT_THAT(error_of({"to", "name", "Name"}, {{"name"}}), HasSubstr("two columns for {{name}}"));
  EXPECT_EQ(error_of({"to", "", ""}, {{}}), "none");  // nobody asks for these
}

TEST(CsvHeader, AFileOfAnotherKindIsToldSo) {
  EXPECT_THAT(error_of({"\xFF\xFEt"}, {{}}), HasSubstr("save the file as UTF-8"));
  EXPECT_THAT(error_of({"to", "name\r1", "x\r2"}, {{}}), HasSubstr("LF or CRLF"));
}

}  // namespace
}  // namespace weir
