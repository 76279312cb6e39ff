// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/bulk_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tools/weir/json_lines.h"

namespace weir {
namespace {

using ::testing::HasSubstr;

// A pipe, which is read by its name.
class BulkSourceTest : public testing::Test {
 protected:
  BulkSourceTest() { EXPECT_EQ(pipe(ends_), 0); }
  ~BulkSourceTest() override {
    close(ends_[0]);
    hang_up();
  }

  void write(std::string_view text) {
    ASSERT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void hang_up() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

  BulkSource source(std::chrono::milliseconds most_silence) {
    auto input = InputFile::open("/proc/self/fd/" + std::to_string(ends_[0]));
    EXPECT_TRUE(input);
    return {std::move(*input), std::make_unique<JsonLines>(BulkForm(), [](const RefusedLine&) {}),
            most_silence};
  }

  int ends_[2];
  char room_[1000];
};

TEST_F(BulkSourceTest, HasNothingWhileThePipeIsSilentAndEndsWithIt) {
  BulkSource from = source(std::chrono::hours(1));
  EXPECT_FALSE(from.read(room_, sizeof room_));
  write("{\"key\":\"k\"}\n{\"k");
  EXPECT_EQ(from.read(room_, sizeof room_), 12U);
  EXPECT_EQ(from.messages(), 1U);
  EXPECT_FALSE(from.read(room_, sizeof room_));
  EXPECT_FALSE(from.all_given());
  write("ey\":\"l\"}");
  hang_up();
  EXPECT_EQ(from.read(room_, 5), 5U);
  EXPECT_EQ(from.read(room_, sizeof room_), 7U);
  EXPECT_EQ(from.read(room_, sizeof room_), 0U);
  EXPECT_TRUE(from.all_given());
  EXPECT_FALSE(from.size());
}

// weir ends a body of which nothing comes for a while.
TEST_F(BulkSourceTest, ABlankKeepsTheUploadAliveWhileThePipeIsSilent) {
  BulkSource from = source(std::chrono::milliseconds(0));
  EXPECT_EQ(from.read(room_, sizeof room_), 1U);
  EXPECT_EQ(room_[0], ' ');
}

TEST_F(BulkSourceTest, BeginningStopsWhenItIsTold) {
  BulkSource from = source(std::chrono::hours(1));
  int looks = 0;
  EXPECT_TRUE(from.begin([&looks] { return ++looks < 3; }));
  EXPECT_EQ(from.messages(), 0U);
}

TEST(InputFile, WhatCannotBeReadIsAnErrorAndNotTheEnd) {
  EXPECT_THAT(InputFile::open("/nowhere/people.csv").error().detail, HasSubstr("No such file"));
  auto folder = InputFile::open("/");
  ASSERT_TRUE(folder);
  char room[10];
  EXPECT_THAT(folder->read(room, sizeof room, 0).error().detail, HasSubstr("directory"));
}

}  // namespace
}  // namespace weir
