// SPDX-License-Identifier: Apache-2.0
#include "shim/store/pack.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

using namespace std::string_literals;

TEST(Pack, RecipientsAreAVersionAndEightBytesEachLowestFirst) {
  const std::vector<Recipient> numbers = {{0x0102030405}, {999'999'999'999'999}};
  const std::string bytes = pack_recipients(numbers);
  EXPECT_EQ(bytes.substr(0, 9), "\x01\x05\x04\x03\x02\x01\x00\x00\x00"s);
  EXPECT_EQ(bytes.size(), 17U);
  EXPECT_EQ(unpack_recipients(bytes), numbers);
}

TEST(Pack, ParamsComeBackWhateverTheyHold) {
  const Params params = {{"a", ""}, {"", "b"}, {"nul\0inside"s, std::string(70'000, 'x')}};
  EXPECT_EQ(unpack_params(pack_params(params)), params);
  EXPECT_EQ(unpack_params(pack_params({})), Params{});
}

TEST(Pack, BytesThatAreNotTheLayoutAreNothing) {
  EXPECT_FALSE(unpack_recipients(""));
  EXPECT_FALSE(unpack_recipients("\x02"));
  EXPECT_FALSE(unpack_recipients("\x01\x01\x01"));
  EXPECT_FALSE(unpack_params(""));
  EXPECT_FALSE(unpack_params("\x02"));
  EXPECT_FALSE(unpack_params("\x01\x01\x00"s));
  const std::string good = pack_params({{"name", "value"}});
  for (size_t size = 2; size < good.size(); ++size) {
    EXPECT_FALSE(unpack_params(good.substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace weir
