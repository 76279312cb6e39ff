// SPDX-License-Identifier: Apache-2.0
#include "engine/withdrawn.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

BatchRange range(int64_t first, int64_t last) {
  return {BatchId{first}, BatchId{last}};
}

TEST(Withdrawn, KnowsBothEndsOfARangeAndNothingBetweenTwo) {
  Withdrawn withdrawn;
  withdrawn.add(range(5, 7));
  withdrawn.add(range(10, 10));
  for (int64_t id : {5, 6, 7, 10})
    EXPECT_TRUE(withdrawn.contains(BatchId{id})) << id;
  for (int64_t id : {1, 4, 8, 9, 11})
    EXPECT_FALSE(withdrawn.contains(BatchId{id})) << id;
  EXPECT_EQ(withdrawn.unswept(), 4);
}

TEST(Withdrawn, ASweepForgetsWhatItBeganWithAndKeepsWhatCameMeanwhile) {
  Withdrawn withdrawn;
  withdrawn.add(range(1, 3));
  withdrawn.recall(BatchId{20});
  withdrawn.begin_sweep();
  EXPECT_EQ(withdrawn.unswept(), 0);
  withdrawn.add(range(4, 5));  // touches the range before, and is still another one
  withdrawn.recall(BatchId{21});
  EXPECT_TRUE(withdrawn.contains(BatchId{2}));
  withdrawn.end_sweep();
  EXPECT_FALSE(withdrawn.contains(BatchId{3}));
  EXPECT_TRUE(withdrawn.contains(BatchId{4}));
  EXPECT_FALSE(withdrawn.recalls(BatchId{20}));
  EXPECT_TRUE(withdrawn.recalls(BatchId{21}));
  EXPECT_EQ(withdrawn.unswept(), 3);
}

TEST(Withdrawn, IsEmptyWhenNothingIsLeft) {
  Withdrawn withdrawn;
  EXPECT_TRUE(withdrawn.empty());
  withdrawn.add(range(1, 2));
  withdrawn.add(range(3, 9));
  EXPECT_FALSE(withdrawn.empty());
  withdrawn.begin_sweep();
  withdrawn.end_sweep();
  EXPECT_TRUE(withdrawn.empty());
}

}  // namespace
}  // namespace weir
