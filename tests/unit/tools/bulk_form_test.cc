// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/bulk_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::HasSubstr;

SendFileArgs args_for(const std::string& file) {
  SendFileArgs args;
  args.file = file;
  args.message.class_name = "promotional";
  args.message.body = "hello";
  return args;
}

std::string form_error(const SendFileArgs& args, BulkFormat format = BulkFormat::kCsv) {
  const auto form = bulk_form(args, format);
  return form ? "none" : form.error().detail;
}

TEST(BulkForm, TheFormatIsSaidByTheNameOrTheOption) {
  EXPECT_EQ(*bulk_format(args_for("a/people.csv")), BulkFormat::kCsv);
  EXPECT_EQ(*bulk_format(args_for("people.ndjson")), BulkFormat::kNdjson);
  EXPECT_EQ(*bulk_format(args_for("people.jsonl")), BulkFormat::kNdjson);
  SendFileArgs args = args_for("people.csv");
  args.format = "ndjson";
  EXPECT_EQ(*bulk_format(args), BulkFormat::kNdjson);
}

TEST(BulkForm, AFormatThatCannotBeToldNamesTheOption) {
  EXPECT_THAT(bulk_format(args_for("-")).error().detail, HasSubstr("--format csv"));
  EXPECT_THAT(bulk_format(args_for("people.txt")).error().detail, HasSubstr("--format csv"));
  SendFileArgs args = args_for("people.csv");
  args.format = "xml";
  EXPECT_THAT(bulk_format(args).error().detail, HasSubstr("csv or ndjson"));
}

TEST(BulkForm, TheCampaignIsTheFilesNameUnlessItIsGiven) {
  EXPECT_EQ(bulk_form(args_for("/home/shop/diwali.2030.csv"), BulkFormat::kCsv)->campaign,
            "diwali.2030");
  SendFileArgs args = args_for("-");
  EXPECT_THAT(form_error(args), HasSubstr("--campaign NAME"));
  args.campaign = "holi";
  EXPECT_EQ(bulk_form(args, BulkFormat::kCsv)->campaign, "holi");
  for (const std::string& name : {std::string(96, 'x'), std::string("a\nb"), std::string("\xFF")}) {
    args.campaign = name;
    EXPECT_THAT(form_error(args), HasSubstr("--campaign NAME"));
  }
}

TEST(BulkForm, CsvNeedsATextOrATemplateAndAClassWithTheText) {
  SendFileArgs args = args_for("a.csv");
  EXPECT_EQ(form_error(args), "none");
  args.template_id = "diwali";
  EXPECT_THAT(form_error(args), HasSubstr("not both"));
  args.message.body = "";
  args.message.class_name = "";
  EXPECT_EQ(form_error(args), "none");
  args.template_id = "";
  EXPECT_THAT(form_error(args), HasSubstr("--template ID"));
  args.message.body = "hello";
  EXPECT_THAT(form_error(args), HasSubstr("--class"));
}

TEST(BulkForm, NdjsonHasNoColumns) {
  SendFileArgs args = args_for("a.ndjson");
  EXPECT_EQ(form_error(args, BulkFormat::kNdjson), "none");
  args.message.body = "Dear {{name}}";
  EXPECT_THAT(form_error(args, BulkFormat::kNdjson), HasSubstr("CSV file only"));
  args.message.body = "";
  args.message.class_name = "";
  EXPECT_EQ(form_error(args, BulkFormat::kNdjson), "none");
  args.to_column = "phone";
  EXPECT_THAT(form_error(args, BulkFormat::kNdjson), HasSubstr("--to-column"));
}

TEST(BulkForm, PlacesThatAreNoneNameTheByte) {
  EXPECT_THAT(places_of("Dear {{Name}}").error().detail, HasSubstr("byte 5"));
  EXPECT_THAT(places_of("\xFF").error().detail, HasSubstr("the text: "));
  EXPECT_THAT(*places_of("{{b}} {{a}} {{b}}"), testing::ElementsAre("b", "a"));
}

}  // namespace
}  // namespace weir
