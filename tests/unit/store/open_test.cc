// SPDX-License-Identifier: Apache-2.0
//
// Which files the store takes, and what it says of the others.
#include <fstream>

#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "shim/store/schema.h"
#include "tests/unit/store/store_fixture.h"

namespace weir {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OpenTest : public StoreTest {
 protected:
  std::string refusal() {
    Result<std::unique_ptr<Store>> opened = try_open();
    return opened ? "it was opened" : opened.error().detail;
  }
  unsigned mode(const std::string& file) {
    struct stat info {};
    EXPECT_EQ(stat(file.c_str(), &info), 0);
    return info.st_mode & 0777;
  }
};

TEST_F(OpenTest, FilesAreForTheirOwnerOnly) {
  open();
  persist({});
  EXPECT_EQ(mode(path()), 0600U);
  EXPECT_EQ(mode(path() + "-wal"), 0600U);
  EXPECT_EQ(mode(path() + ".lock"), 0600U);
}

TEST_F(OpenTest, FileSaysWhoseItIsAndOfWhichVersion) {
  open();
  close();
  RawDatabase raw(path());
  EXPECT_EQ(raw.number("PRAGMA application_id"), 0x77656972);
  EXPECT_EQ(raw.number("PRAGMA user_version"), schema_version());
  EXPECT_EQ(raw.number("PRAGMA auto_vacuum"), 2);
  EXPECT_EQ(raw.rows("PRAGMA integrity_check"), std::vector<std::string>{"ok"});
}

TEST_F(OpenTest, SecondStoreOnTheFileIsRefused) {
  open();
  EXPECT_THAT(refusal(), AllOf(HasSubstr("held by another weir (process "), HasSubstr(path())));
  // The first one goes on.
  EXPECT_EQ(persist({}).result, Persisted::Result::kStored);
}

TEST_F(OpenTest, FileIsFreeAgainAfterTheStore) {
  open();
  close();
  open();
  EXPECT_EQ(persist({}).result, Persisted::Result::kStored);
}

TEST_F(OpenTest, NobodyElseReadsTheFileWhileTheStoreHasIt) {
  open();
  open();  // An existing file is opened by another path than a new one.
  // Exclusive before WAL: no shared memory.
  EXPECT_FALSE(std::filesystem::exists(path() + "-shm"));
  RawDatabase raw(path());
  EXPECT_EQ(raw.run("SELECT count(*) FROM batch"), SQLITE_BUSY);
}

TEST_F(OpenTest, FileThatAnotherProgramHoldsIsRefused) {
  open();
  close();
  RawDatabase raw(path());
  ASSERT_EQ(raw.run("BEGIN IMMEDIATE"), SQLITE_OK);
  EXPECT_THAT(refusal(), HasSubstr("another program has it open"));
  ASSERT_EQ(raw.run("ROLLBACK"), SQLITE_OK);
}

TEST_F(OpenTest, NewerSchemaIsRefused) {
  open();
  close();
  {
    RawDatabase raw(path());
    ASSERT_EQ(raw.run("PRAGMA user_version = 99"), SQLITE_OK);
  }
  EXPECT_THAT(refusal(), HasSubstr("schema version 99"));
}

TEST_F(OpenTest, ForeignDatabaseIsRefusedAndLeftAsItWas) {
  {
    RawDatabase raw(path());
    ASSERT_EQ(raw.run("PRAGMA auto_vacuum = FULL; CREATE TABLE invoice (id INTEGER)"), SQLITE_OK);
  }
  EXPECT_THAT(refusal(), HasSubstr("not one of weir's"));
  RawDatabase raw(path());
  EXPECT_EQ(raw.rows("SELECT name FROM sqlite_schema"), std::vector<std::string>{"invoice"});
  EXPECT_EQ(raw.rows("PRAGMA journal_mode"), std::vector<std::string>{"delete"});
  EXPECT_EQ(raw.number("PRAGMA auto_vacuum"), 1);
}

TEST_F(OpenTest, FileThatIsNoDatabaseIsRefusedAndLeftAsItWas) {
  const std::string text(5000, 'x');
  std::ofstream(path()) << text;
  EXPECT_THAT(refusal(), HasSubstr("not an SQLite database"));
  std::ifstream file(path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), text);
}

TEST_F(OpenTest, DatabaseOfWeirThatLostItsTablesIsRefused) {
  open();
  close();
  {
    RawDatabase raw(path());
    ASSERT_EQ(raw.run("DROP TABLE batch_rejected"), SQLITE_OK);
  }
  EXPECT_THAT(refusal(), HasSubstr("its tables are not weir's"));
}

TEST_F(OpenTest, DatabaseThatCouldNeverShrinkIsRefused) {
  {
    RawDatabase raw(path());
    ASSERT_EQ(raw.run("PRAGMA auto_vacuum = NONE; PRAGMA application_id = 2003134834;"
                      "CREATE TABLE t (id INTEGER)"),
              SQLITE_OK);
  }
  EXPECT_THAT(refusal(), HasSubstr("its auto_vacuum is 0"));
}

TEST_F(OpenTest, MissingFolderIsNamed) {
  options_.path = (folder_ / "nowhere" / "weir.db").string();
  EXPECT_THAT(refusal(), AllOf(HasSubstr("nowhere"), HasSubstr("folder must exist")));
}

}  // namespace
}  // namespace weir
