// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "weir/window.h"

namespace weir {
namespace {

WallTime at(int64_t ms) {
  return WallTime::from_unix_ms(ms);
}

const Openings kTwo({{at(100), at(200)}, {at(300), at(400)}});

TEST(Openings, TheOpenIsInsideAndTheCloseIsNot) {
  EXPECT_FALSE(kTwo.is_open(at(99)));
  EXPECT_TRUE(kTwo.is_open(at(100)));
  EXPECT_TRUE(kTwo.is_open(at(199)));
  EXPECT_FALSE(kTwo.is_open(at(200)));
  EXPECT_TRUE(kTwo.is_open(at(399)));
  EXPECT_FALSE(kTwo.is_open(at(400)));
}

TEST(Openings, TellTheOneThatIsOrComes) {
  EXPECT_EQ(kTwo.at_or_after(at(0))->open, at(100));
  EXPECT_EQ(kTwo.at_or_after(at(150))->close, at(200));
  EXPECT_EQ(kTwo.at_or_after(at(200))->open, at(300));
  EXPECT_EQ(kTwo.at_or_after(at(400)), nullptr);
}

TEST(Openings, TellTheNextEvenWhileOneIs) {
  EXPECT_EQ(kTwo.after(at(99))->open, at(100));
  EXPECT_EQ(kTwo.after(at(100))->open, at(300));
  EXPECT_EQ(kTwo.after(at(300)), nullptr);
}

TEST(Openings, KnowWhatAClosePutAnEndTo) {
  EXPECT_FALSE(kTwo.closed_by(at(50))) << "nothing is known of the time before";
  EXPECT_FALSE(kTwo.closed_by(at(150)));
  EXPECT_TRUE(kTwo.closed_by(at(200)));
  EXPECT_TRUE(kTwo.closed_by(at(299)));
  EXPECT_FALSE(kTwo.closed_by(at(300)));
  EXPECT_TRUE(kTwo.closed_by(at(1000)));
}

TEST(Openings, NoneIsAlwaysClosed) {
  const Openings none;
  EXPECT_FALSE(none.is_open(at(100)));
  EXPECT_EQ(none.at_or_after(at(100)), nullptr);
  EXPECT_EQ(none.after(at(100)), nullptr);
  EXPECT_FALSE(none.closed_by(at(100)));
}

}  // namespace
}  // namespace weir
