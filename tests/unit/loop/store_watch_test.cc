// SPDX-License-Identifier: Apache-2.0
//
// What the engine hears of the store's health, from the store and from looks at it.
#include "shim/loop/store_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::HasSubstr;

constexpr Duration kJustSlow = StoreWatch::kSlow;
constexpr Duration kNotYetSlow = StoreWatch::kSlow + Duration::millis(-1);

// The trouble that is told; nothing: none is.
std::optional<StoreTrouble> trouble(const std::optional<StoreHealth>& news) {
  return news ? std::optional(news->trouble) : std::nullopt;
}

TEST(StoreWatch, AStoreThatIsWellAndNotAtWorkIsNoNews) {
  StoreWatch watch;
  EXPECT_FALSE(watch.look(Duration()));
  EXPECT_FALSE(watch.hear({StoreTrouble::kNone, {}}));
  EXPECT_FALSE(watch.look(kNotYetSlow));
}

TEST(StoreWatch, WhatTheStoreSaysIsToldOnceWithItsWordsAndItsEndToo) {
  StoreWatch watch;
  const auto full = watch.hear({StoreTrouble::kDiskFull, "no space left"});
  ASSERT_TRUE(full);
  EXPECT_EQ(full->trouble, StoreTrouble::kDiskFull);
  EXPECT_EQ(full->detail, "no space left");
  EXPECT_FALSE(watch.hear({StoreTrouble::kDiskFull, "no space left"}));
  EXPECT_FALSE(watch.look(Duration()));
  EXPECT_EQ(trouble(watch.hear({StoreTrouble::kReadOnly, ""})), StoreTrouble::kReadOnly);
  EXPECT_EQ(trouble(watch.hear({StoreTrouble::kNone, ""})), StoreTrouble::kNone);
}

TEST(StoreWatch, AWriteThatDoesNotEndIsASlowDiskUntilItEnds) {
  StoreWatch watch;
  const auto slow = watch.look(kJustSlow);
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->trouble, StoreTrouble::kSlowDisk);
  EXPECT_THAT(slow->detail, HasSubstr("2 s"));
  EXPECT_FALSE(watch.look(kJustSlow + kJustSlow));
  EXPECT_EQ(trouble(watch.look(Duration())), StoreTrouble::kNone);
  EXPECT_FALSE(watch.look(Duration()));
}

TEST(StoreWatch, WhatTheStoreSaysWhileItsDiskIsSlowIsToldWhenItIsNotSlowAnyMore) {
  StoreWatch watch;
  watch.look(kJustSlow);
  EXPECT_FALSE(watch.hear({StoreTrouble::kIoError, "read failed"}));
  const auto after = watch.look(Duration());
  ASSERT_TRUE(after);
  EXPECT_EQ(after->trouble, StoreTrouble::kIoError);
  EXPECT_EQ(after->detail, "read failed");
}

TEST(StoreWatch, ATroubleOfTheStoreComesBackAfterASlowDisk) {
  StoreWatch watch;
  watch.hear({StoreTrouble::kLowSpace, "10 MiB"});
  EXPECT_EQ(trouble(watch.look(kJustSlow)), StoreTrouble::kSlowDisk);
  EXPECT_EQ(trouble(watch.look(Duration())), StoreTrouble::kLowSpace);
  watch.look(kJustSlow);
  EXPECT_FALSE(watch.hear({StoreTrouble::kNone, ""}));
  EXPECT_EQ(trouble(watch.look(Duration())), StoreTrouble::kNone);
}

}  // namespace
}  // namespace weir
