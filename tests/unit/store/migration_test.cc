// SPDX-License-Identifier: Apache-2.0
//
// Files that earlier schema versions left, opened by this one. tests/data/store_vN.sql is what a
// weir of version N had on disk when it was killed.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <sqlite3.h>

#include "shim/store/copy_check.h"
#include "shim/store/schema.h"
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Strings = std::vector<std::string>;

class OldFileTest : public StoreTest {
 protected:
  void write(int version) {
    std::ifstream file(std::string(WEIR_SOURCE_DIR) + "/tests/data/store_v" +
                       std::to_string(version) + ".sql");
    std::stringstream sql;
    sql << file.rdbuf();
    RawDatabase raw(path());
    ASSERT_EQ(raw.run(sql.str()), SQLITE_OK);
    ASSERT_EQ(raw.number("PRAGMA user_version"), version);
  }
  Strings built() {
    return RawDatabase(path()).rows(
        "SELECT type || ' ' || name || ' ' || tbl_name FROM sqlite_schema ORDER BY 1");
  }
  // This file is built as a new one.
  void expect_built_as_new() {
    open();
    close();
    const Strings migrated = built();
    const Strings columns = columns_of_batch();
    for (const char* end : {"", ".run", ".lock"})
      std::filesystem::remove(path() + end);
    open();
    close();
    EXPECT_EQ(built(), migrated);
    EXPECT_EQ(columns_of_batch(), columns);
  }
  Strings columns_of_batch() {
    return RawDatabase(path()).rows("SELECT name, type FROM pragma_table_info('batch')");
  }
};

class MigrationTest : public OldFileTest {
 protected:
  void SetUp() override {
    write(1);
    ASSERT_EQ(RawDatabase(path()).number("SELECT count(*) FROM batch"), 18);
  }
  std::string backup() const { return path() + ".v1.backup"; }
};

class SecondVersionTest : public OldFileTest {
 protected:
  void SetUp() override { write(2); }
};

TEST_F(MigrationTest, EveryMessageOfTheFirstVersionGoesOnWhereItWas) {
  open();
  EXPECT_THAT(restored_.notes, IsEmpty());  // the counters are what the rows say
  EXPECT_EQ(restored_.quarantine, "");
  EXPECT_EQ(restored_.pending.size(), 5U);
  EXPECT_EQ(restored_.unknown_batches, 10U);  // three were before, seven had been claimed
  EXPECT_EQ(raw(restored_.next_message), 9);
  EXPECT_EQ(raw(restored_.next_batch), 19);
  ASSERT_EQ(restored_.templates.size(), 1U);

  const Claimed claimed = claim(14);
  ASSERT_NE(claimed.payload, nullptr);
  EXPECT_EQ(claimed.payload->text.body, "Sale: everything at half its price");
  EXPECT_EQ(claimed.payload->recipients.size(), 3U);
  record(make_record(14, BatchState::kClaimed, BatchState::kSubmitted));

  EXPECT_EQ(batch_of(1).state, BatchState::kSubmitted);
  EXPECT_EQ(batch_of(1).gateway_ref, "fake-1");
  EXPECT_EQ(batch_of(2).reason, "content");
  EXPECT_EQ(batch_of(3).state, BatchState::kUnknown);
  EXPECT_EQ(batch_of(7).reason, "restart");
  close();
  EXPECT_TRUE(check_copy(path()).whole);
  EXPECT_THAT(RawDatabase(path()).rows("SELECT body FROM text WHERE id = "
                                       "(SELECT text_id FROM message WHERE id = 3)"),
              ElementsAre("Your parcel is on its way"));
}

TEST_F(MigrationTest, KeysOfTheFirstVersionAreStillKnown) {
  open();
  const Persisted again = persist({.message = 9, .first_batch = 19, .key = "parcel-3"});
  EXPECT_EQ(again.result, Persisted::Result::kConflict);
}

TEST_F(MigrationTest, ACopyOfWhatItWasIsThere) {
  open();
  close();
  RawDatabase raw(backup());
  EXPECT_EQ(raw.number("PRAGMA user_version"), 1);
  EXPECT_EQ(raw.number("SELECT count(*) FROM batch"), 18);
  EXPECT_EQ(raw.rows("PRAGMA integrity_check"), Strings{"ok"});
}

TEST_F(MigrationTest, ThatCopyPutBackSendsNothingByItself) {
  open();
  claim(14);
  close();
  std::filesystem::copy_file(backup(), path(), std::filesystem::copy_options::overwrite_existing);
  open();
  EXPECT_EQ(restored_.pending.size(), 5U);
  EXPECT_THAT(restored_.quarantine, HasSubstr("1 calls were begun"));
}

TEST_F(MigrationTest, WithoutRoomForTheCopyTheFileStaysAsItWas) {
  std::filesystem::create_directories(backup() + "/in the way");
  const Result<std::unique_ptr<Store>> opened = try_open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().detail, HasSubstr("before it is migrated"));
  RawDatabase raw(path());
  EXPECT_EQ(raw.number("PRAGMA user_version"), 1);
  EXPECT_EQ(raw.number("SELECT count(*) FROM message_text"), 5);
}

TEST_F(MigrationTest, AMigrationThatFailsLeavesTheFileAsItWas) {
  ASSERT_EQ(RawDatabase(path()).run("CREATE TABLE setting (name TEXT)"), SQLITE_OK);
  const Result<std::unique_ptr<Store>> opened = try_open();
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().detail, HasSubstr("schema version 2"));
  RawDatabase raw(path());
  EXPECT_EQ(raw.number("PRAGMA user_version"), 1);
  EXPECT_EQ(raw.number("SELECT count(*) FROM message_text"), 5);
}

TEST_F(MigrationTest, AMigratedFileIsBuiltAsANewOne) {
  expect_built_as_new();
}

TEST_F(SecondVersionTest, AMigratedFileIsBuiltAsANewOne) {
  expect_built_as_new();
}

TEST_F(SecondVersionTest, EveryMessageGoesOnWhereItWasAndIsNobodys) {
  options_.producers = {"shop"};
  open();
  EXPECT_THAT(restored_.notes, IsEmpty());
  ASSERT_EQ(restored_.pending.size(), 3U);
  for (const Restored::Pending& one : restored_.pending)
    EXPECT_EQ(one.head.producer, kNoProducer);
  EXPECT_EQ(restored_.pending[0].head.id, BatchId{5});
  EXPECT_EQ(restored_.pending[0].head.cost, Units::of(3));
  EXPECT_EQ(restored_.pending[0].class_name, "promotional");
  EXPECT_EQ(restored_.unknown_batches, 2U);
  EXPECT_EQ(restored_.stops.size(), 1U);
  EXPECT_EQ(claim(5).payload->recipients.size(), 3U);
  EXPECT_EQ(batch_of(1).state, BatchState::kSubmitted);
  EXPECT_EQ(batch_of(6).reason, "restart");
  close();
  EXPECT_TRUE(check_copy(path()).whole);
  EXPECT_EQ(RawDatabase(path() + ".v2.backup").number("PRAGMA user_version"), 2);
}

TEST_F(SecondVersionTest, WhatIsAcceptedFromThenOnKnowsItsProducer) {
  options_.producers = {"shop"};
  open();
  Persist one = make_persist({.message = 7, .first_batch = 9});
  one.draft->producer = ProducerId{0};
  store_->push(std::move(one));
  ASSERT_EQ(next<Persisted>().result, Persisted::Result::kStored);
  open();
  ASSERT_EQ(restored_.pending.size(), 4U);
  EXPECT_EQ(restored_.pending[3].head.producer, ProducerId{0});
}

}  // namespace
}  // namespace weir
