// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/csv_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// In pieces of `piece` bytes.
std::vector<CsvRow> rows_of(std::string_view text, size_t piece = 1000) {
  CsvRows rows;
  std::vector<CsvRow> found;
  for (CsvRow row; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    rows.feed(text.substr(0, piece));
    while (rows.next(row))
      found.push_back(row);
  }
  rows.end();
  for (CsvRow row; rows.next(row);)
    found.push_back(row);
  return found;
}

std::vector<std::vector<std::string>> fields_of(std::string_view text) {
  std::vector<std::vector<std::string>> found;
  for (const CsvRow& row : rows_of(text)) {
    EXPECT_EQ(row.fault, "");
    found.push_back(row.fields);
  }
  return found;
}

using Rows = std::vector<std::vector<std::string>>;

TEST(CsvRows, FieldsAreSeparatedByCommasAndRowsByEitherLineEnd) {
  const Rows wanted = {{"to", "name"}, {"+91", "Asha"}, {"+92", ""}};
  EXPECT_EQ(fields_of("to,name\n+91,Asha\n+92,\n"), wanted);
  EXPECT_EQ(fields_of("to,name\r\n+91,Asha\r\n+92,\r\n"), wanted);
  EXPECT_EQ(fields_of("to,name\n+91,Asha\n+92,"), wanted);
}

TEST(CsvRows, QuotesHoldCommasLineEndsAndDoubledQuotes) {
  EXPECT_EQ(fields_of("a,\"x, \"\"y\"\"\r\nz\"\r\n\"\",\"b\"\n"),
            (Rows{{"a", "x, \"y\"\r\nz"}, {"", "b"}}));
  EXPECT_EQ(fields_of("\"\"\n"), (Rows{{""}}));
}

TEST(CsvRows, AMarkAtTheStartAndBlankRowsArePassedOver) {
  EXPECT_EQ(fields_of("\xEF\xBB\xBF\n\r\nto\n\n1\n\r\n"), (Rows{{"to"}, {"1"}}));
  EXPECT_EQ(fields_of(""), Rows{});
  EXPECT_EQ(fields_of("\xEF\xBB\xBF"), Rows{});
  EXPECT_EQ(fields_of("\r"), Rows{});
}

TEST(CsvRows, BlanksBelongToTheField) {
  EXPECT_EQ(fields_of(" a , b\n"), (Rows{{" a ", " b"}}));
}

TEST(CsvRows, ARowKnowsTheLineThatItBeginsOn) {
  const auto rows = rows_of("to,text\n\n1,\"two\nlines\"\n2,x\n");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].line, 1U);
  EXPECT_EQ(rows[1].line, 3U);
  EXPECT_EQ(rows[2].line, 5U);
}

TEST(CsvRows, AWrongRowSaysWhyAndTheNextOneIsRead) {
  const auto rows = rows_of("1,5\" pipe,x\n2,\"a\"b,x\n3,\"a\" ,x\n4,\"a\"\rx\n5,right\n");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_THAT(rows[0].fault, HasSubstr("inside of a field"));
  for (size_t at : {1U, 2U, 3U}) {
    EXPECT_THAT(rows[at].fault, HasSubstr("between a closing quote and the comma"));
    EXPECT_EQ(rows[at].line, at + 1);
    EXPECT_TRUE(rows[at].fields.empty());
  }
  EXPECT_THAT(rows[4].fields, ElementsAre("5", "right"));
}

TEST(CsvRows, AQuoteThatIsNeverClosedIsAFault) {
  const auto rows = rows_of("to\n\"1\n2\n3\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].line, 2U);
  EXPECT_THAT(rows[1].fault, HasSubstr("up to the end of the file"));
}

TEST(CsvRows, ARowWithoutAnEndIsGivenUpInBoundedMemoryAndTheNextLineIsRead) {
  const std::string endless(3 * CsvRows::kMostRowBytes, 'x');
  const auto rows = rows_of("\"" + endless + "\n1,2\n", 64 * 1024);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[0].fault, HasSubstr("above 1 MiB"));
  EXPECT_THAT(rows[1].fields, ElementsAre("1", "2"));
  const auto wide = rows_of(std::string(CsvRows::kMostFields + 5, ',') + "\n1\n");
  ASSERT_EQ(wide.size(), 2U);
  EXPECT_THAT(wide[0].fault, HasSubstr("more than 1000 fields"));
}

TEST(CsvRows, TheRowsAreTheSameHoweverTheFileIsCut) {
  const std::string text =
      "\xEF\xBB\xBFto,n\r\n1,\"a\"\"b\r\n\"\r\n\r\n2,\"\"\"\"\n3,x\"y\n4,\"\"\r\n5,last";
  const auto whole = rows_of(text);
  ASSERT_EQ(whole.size(), 6U);
  for (size_t piece = 1; piece < text.size(); ++piece) {
    const auto cut = rows_of(text, piece);
    ASSERT_EQ(cut.size(), whole.size()) << piece;
    for (size_t i = 0; i < cut.size(); ++i) {
      EXPECT_EQ(cut[i].fields, whole[i].fields) << piece;
      EXPECT_EQ(cut[i].fault, whole[i].fault) << piece;
      EXPECT_EQ(cut[i].line, whole[i].line) << piece;
    }
  }
}

}  // namespace
}  // namespace weir
