// SPDX-License-Identifier: Apache-2.0
//
// A copy gets its name only if it is whole and nothing has taken the name meanwhile.
#include "shim/loop/copy_work.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <uv.h>

#include "shim/store/store.h"

namespace weir {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CopyWorkTest : public testing::Test {
 protected:
  CopyWorkTest() {
    std::string pattern = (fs::temp_directory_path() / "weir-copy-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~CopyWorkTest() override { fs::remove_all(folder_); }

  std::string part() const { return folder_ + "/a.db.part"; }
  std::string path() const { return folder_ + "/a.db"; }
  void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }
  std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  // A whole database that nobody has open.
  void make_part() {
    StoreOptions options;
    options.path = folder_ + "/weir.db";
    ASSERT_TRUE(Store::open(options, WallTime::from_unix_ms(1'700'000'000'000), [] {}));
    fs::rename(options.path, part());
  }
  CopyChecked checked_and_placed(bool kept) {
    CopyChecked asked;
    asked.kept = kept;
    asked.path = path();
    CopyChecked result;
    uv_loop_t loop;
    uv_loop_init(&loop);
    check_and_place(&loop, part(), asked, [&](CopyChecked end) { result = std::move(end); });
    uv_run(&loop, UV_RUN_DEFAULT);
    EXPECT_EQ(uv_loop_close(&loop), 0);
    return result;
  }

  std::string folder_;
};

TEST_F(CopyWorkTest, AWholeBackupGetsItsName) {
  make_part();
  const CopyChecked done = checked_and_placed(true);
  EXPECT_EQ(done.failure, "");
  EXPECT_TRUE(done.found.whole);
  EXPECT_TRUE(fs::exists(path()));
  EXPECT_FALSE(fs::exists(part()));
}

TEST_F(CopyWorkTest, WhatHasTakenTheNameMeanwhileIsNotWrittenOver) {
  make_part();
  write(path(), "another's");
  const CopyChecked done = checked_and_placed(true);
  EXPECT_THAT(done.failure, HasSubstr("is there already"));
  EXPECT_EQ(text_of(path()), "another's");
  EXPECT_FALSE(fs::exists(part()));
}

TEST_F(CopyWorkTest, ADamagedCopyGetsNoNameAndIsTakenAway) {
  write(part(), std::string(8192, 'x'));
  const CopyChecked done = checked_and_placed(true);
  EXPECT_FALSE(done.found.whole);
  EXPECT_THAT(done.found.faults, Not(IsEmpty()));
  EXPECT_FALSE(fs::exists(path()));
  EXPECT_FALSE(fs::exists(part()));
}

TEST_F(CopyWorkTest, OfACheckNothingIsLeft) {
  make_part();
  const CopyChecked done = checked_and_placed(false);
  EXPECT_TRUE(done.found.whole);
  EXPECT_FALSE(fs::exists(path()));
  EXPECT_FALSE(fs::exists(part()));
}

}  // namespace
}  // namespace weir
