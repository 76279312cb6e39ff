// SPDX-License-Identifier: Apache-2.0
//
// What list, release-quarantine and db print of the API's answers.
#include "tools/weir/ledger_text.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shim/front/db_json.h"
#include "shim/front/ledger_json.h"
#include "tools/weir/api_words.h"

namespace weir {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A page as the front writes it.
boost::json::array one_message() {
  Listed listed;
  listed.failed = false;
  MessageSummary one;
  one.message.id = MessageId{42};
  one.message.class_name = "transaction_alert";
  one.message.cost = Units::from_micro(350'000);
  one.message.created = WallTime::from_unix_ms(1'896'114'600'000);
  one.message.key = "in\x1b[31mvoice\n1";
  one.states[index(BatchState::kUnknown)] = {1, 1};
  one.reason = "no_answer";
  listed.messages.push_back(std::move(one));
  const boost::json::object page = parsed(list_json(listed));
  return page.at("messages").as_array();
}

TEST(LedgerText, AMessageIsALineWithoutControlCharacters) {
  const std::string table = message_table(one_message());
  EXPECT_THAT(table, StartsWith("id  "));
  EXPECT_THAT(table, ContainsRegex("\nm42 +unknown +transaction_alert +0.35  "
                                   "2030-01-31T18:30:00.000Z  in.\\[31mvoice.1 +- +no_answer\n$"));
  EXPECT_THAT(table, Not(HasSubstr("\x1b")));
}

TEST(LedgerText, NoMessageLeavesTheHead) {
  EXPECT_THAT(message_table({}), ContainsRegex("^id [^\n]+ tag +reason\n$"));
}

TEST(LedgerText, AQuarantineIsShownLaneByLane) {
  EngineView view;
  for (Lane lane : kAllLanes)
    view.lanes[index(lane)].lane = lane;
  view.quarantine = "it is a copy";
  view.lanes[index(Lane::kTransactional)].pending_rows = 3;
  view.lanes[index(Lane::kTransactional)].pending_units = Units::from_micro(2'500'000);
  view.unknown_batches = 4;
  const std::string text = quarantine_text(parsed(quarantine_json(view)));
  EXPECT_THAT(text, HasSubstr("In quarantine: it is a copy\n"));
  EXPECT_THAT(text, ContainsRegex("\n  otp +0 batches, 0 units\n"));
  EXPECT_THAT(text, ContainsRegex("\n  transactional +3 batches, 2.5 units\n"));
  EXPECT_THAT(text, HasSubstr("\nUnknown, and not sent: 4 batches;"));
}

TEST(LedgerText, StatisticsLeaveOutStatesThatNothingWasEverIn) {
  const WallTime now = WallTime::from_unix_ms(1'896'114'600'000);
  StoreStats stats;
  stats.failed = false;
  stats.tallies[index(Lane::kOtp)][index(BatchState::kUnknown)] = {2, Units::from_micro(700'000),
                                                                   9};
  stats.oldest_unknown = now + Duration::millis(-90'500);
  stats.file_bytes = 10 << 20;
  stats.unused_bytes = 4096;
  stats.log_bytes = 500;
  stats.schema_version = 4;
  stats.sqlite_version = "3.40.1";
  const std::string text = db_stats_text(parsed(stats_json(stats, now)));
  EXPECT_THAT(text, HasSubstr("file       10.0 MiB\nunused     4.0 KiB\n"));
  EXPECT_THAT(text, HasSubstr("log        500 bytes\n"));
  EXPECT_THAT(text, HasSubstr("schema     4, SQLite 3.40.1\n"));
  EXPECT_THAT(text, HasSubstr("unknown    2 batches, the oldest for 90 s\n"));
  EXPECT_THAT(text, ContainsRegex("\notp +unknown +2 +0.7 +9\n"));
  EXPECT_THAT(text, Not(HasSubstr("promotional")));
  EXPECT_THAT(text, Not(HasSubstr("pending")));
}

TEST(LedgerText, ACheckNamesEachFault) {
  CopyChecked checked;
  checked.found = {true, {}, 8192, 17, {}};
  EXPECT_EQ(db_check_text(parsed(copy_response(checked).body)), "whole: 8.0 KiB, 17 messages\n");
  checked.found = {false, {"page 7", "row 3"}, 8192, 17, {}};
  EXPECT_EQ(db_check_text(parsed(copy_response(checked).body)),
            "NOT whole: 8.0 KiB, 17 messages\n  page 7\n  row 3\n");
}

TEST(LedgerText, BytesAreForAPerson) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1024), "1.0 KiB");
  EXPECT_EQ(bytes_text(1536.0 * 1024 * 1024), "1.5 GiB");
  EXPECT_EQ(bytes_text(4096.0 * 1024 * 1024 * 1024 * 1024), "4096.0 TiB");
}

TEST(ApiWords, AStateThatForbidsItIsAFailureAndNotAMistakeOfUsage) {
  EXPECT_EQ(exit_code_for(409), kFailed);
  EXPECT_EQ(exit_code_for(422), kUsage);
  EXPECT_EQ(exit_code_for(404), kNotFound);
  EXPECT_EQ(exit_code_for(503), kTryLater);
}

TEST(ApiWords, UnitsAreExactAndTextsAreForATerminal) {
  const boost::json::object object = parsed(R"({"a":0.000001,"b":1234567.35,"c":5,"d":null})");
  EXPECT_EQ(units_at(object, "a"), "0.000001");
  EXPECT_EQ(units_at(object, "b"), "1234567.35");
  EXPECT_EQ(units_at(object, "c"), "5");
  EXPECT_EQ(units_at(object, "d"), "-");
  EXPECT_EQ(units_at(object, "e"), "-");
  EXPECT_EQ(shown(""), "-");
  EXPECT_EQ(shown("जाँच ok"), "जाँच ok");
  EXPECT_EQ(shown("a\tb\x7f\xc2\x9b"
                  "c"),
            "a?b??c");
}

}  // namespace
}  // namespace weir
