// SPDX-License-Identifier: Apache-2.0
#include "shim/config/did_you_mean.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weir {
namespace {

const std::vector<std::string> kNames = {"max_recipients", "max_segments", "tcp", "unix"};

TEST(DidYouMean, NamesTheNearOne) {
  EXPECT_EQ(did_you_mean("max_segmnts", kNames), "; did you mean max_segments?");   // lost one
  EXPECT_EQ(did_you_mean("max_sgements", kNames), "; did you mean max_segments?");  // swapped
  EXPECT_EQ(did_you_mean("tpc", kNames), "; did you mean tcp?");
  EXPECT_EQ(did_you_mean("unixx", kNames), "; did you mean unix?");
}

TEST(DidYouMean, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(did_you_mean("colour", kNames), "");
  EXPECT_EQ(did_you_mean("abc", kNames), "");
  EXPECT_EQ(did_you_mean(std::string(100'000, 'a'), kNames), "");
  EXPECT_EQ(did_you_mean("tcp", {}), "");
}

}  // namespace
}  // namespace weir
