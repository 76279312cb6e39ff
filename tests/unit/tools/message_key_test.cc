// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/message_key.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

std::string key_of(std::initializer_list<std::string_view> parts) {
  return message_key("diwali", {parts.begin(), parts.size()});
}

// Were it another one, a file that broke off before an upgrade would be sent twice after it.
TEST(MessageKey, TheKeyOfAMessageNeverChanges) {
  EXPECT_EQ(key_of({}), "diwali-6c62272e07bb014262b821756295c58d");
  EXPECT_EQ(key_of({"promotional", "", "+919876543210", "body", "Dear Asha"}),
            "diwali-db53380ea34095831e724d8952fa5a31");
}

TEST(MessageKey, AnotherPartOrAnotherPlaceOfItIsAnotherKey) {
  const std::string key = key_of({"ab", "c"});
  EXPECT_NE(key, key_of({"a", "bc"}));
  EXPECT_NE(key, key_of({"ab", "c", ""}));
  EXPECT_NE(key, key_of({"ab", "d"}));
  EXPECT_EQ(key, key_of({"ab", "c"}));
}

TEST(MessageKey, FitsTheBoundOfTheApiWithTheLongestCampaign) {
  EXPECT_EQ(message_key(std::string(kMostCampaignBytes, 'x'), {}).size(), 128U);
}

}  // namespace
}  // namespace weir
