// SPDX-License-Identifier: Apache-2.0
//
// Whose key it is, and whom the gate lets in.

#include "shim/front/gate.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kShop = "shop-0123456789abcdef";
const std::string kAdmin = "admin-0123456789abcdef";
const std::vector<std::string> kKeys = {kShop, kAdmin};

TEST(ProducerKeys, OnlyTheWholeKeyIsSomebodys) {
  const ProducerKeys keys(kKeys);
  EXPECT_EQ(keys.owner_of(kShop), ProducerId{0});
  EXPECT_EQ(keys.owner_of(kAdmin), ProducerId{1});
  const std::string wrong[] = {"",
                               kShop.substr(1),
                               kShop.substr(0, kShop.size() - 1),
                               kShop + "x",
                               kShop + std::string(1, '\0'),
                               std::string(256, '\0'),
                               kShop + std::string(300, 'x'),
                               kShop + kAdmin};
  for (const std::string& one : wrong)
    EXPECT_EQ(keys.owner_of(one), kNoProducer) << one.size();
}

TEST(ProducerKeys, EveryByteCounts) {
  const ProducerKeys keys(kKeys);
  for (size_t i = 0; i < kShop.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string one = kShop;
      one[i] = static_cast<char>(one[i] ^ (1 << bit));
      EXPECT_EQ(keys.owner_of(one), kNoProducer) << i << " " << bit;
    }
  }
}

TEST(ProducerKeys, TheLongestKeyIsTakenAndCutToNothingLess) {
  const std::string longest(ProducerKeys::kMostKeyBytes, 'k');
  const ProducerKeys keys({longest});
  EXPECT_EQ(keys.owner_of(longest), ProducerId{0});
  EXPECT_EQ(keys.owner_of(longest + "k"), kNoProducer);
  EXPECT_EQ(keys.owner_of(longest.substr(1)), kNoProducer);
}

TEST(ProducerKeys, AsManyAsThereMayBeAreToldApart) {
  std::vector<std::string> all;
  for (int i = 0; i < 255; ++i)
    all.push_back("key-of-producer-" + std::to_string(i));
  const ProducerKeys keys(all);
  for (int i = 0; i < 255; ++i)
    EXPECT_EQ(keys.owner_of(all[i]), ProducerId{static_cast<uint8_t>(i)});
  EXPECT_EQ(keys.owner_of("key-of-producer-255"), kNoProducer);
}

TEST(ProducerKeys, WithoutKeysNobodyIsKnown) {
  EXPECT_EQ(ProducerKeys({}).owner_of("anything"), kNoProducer);
}

class GateTest : public testing::Test {
 protected:
  GateTest() {
    producers_.resize(2);
    producers_[0].name = "shop";
    producers_[1].name = "admin";
    producers_[1].admin = true;
  }

  // "401" and so on, or who it is.
  std::string asked(bool require_key, const std::string& field, Access access,
                    bool over_unix = false) {
    const Gate gate(kKeys, require_key, producers_);
    HttpRequest request;
    request.over_unix = over_unix;
    if (!field.empty()) request.headers = {{"host", "x"}, {"authorization", field}};
    const auto answer = gate.let_in(request, access);
    if (const auto* problem = std::get_if<Problem>(&answer)) {
      EXPECT_THAT(problem->detail, Not(HasSubstr("0123456789")));
      return std::string(problem->code);
    }
    const ProducerId who = std::get<ProducerId>(answer);
    return who == kNoProducer ? "operator" : producers_[index(who)].name;
  }

  std::vector<ProducerOptions> producers_;
};

TEST_F(GateTest, AKeyIsNeededWhereItIsSaidAndNeverOverTheSocket) {
  EXPECT_EQ(asked(true, "", Access::kProducer), "unauthorized");
  EXPECT_EQ(asked(true, "", Access::kOperator), "unauthorized");
  EXPECT_EQ(asked(true, "", Access::kOpen), "operator");
  EXPECT_EQ(asked(false, "", Access::kProducer), "operator");
  EXPECT_EQ(asked(false, "", Access::kOperator), "operator");
  EXPECT_EQ(asked(true, "", Access::kOperator, true), "operator");
}

TEST_F(GateTest, AKeyThatIsShownIsLookedAtEverywhere) {
  for (bool require_key : {false, true}) {
    for (bool over_unix : {false, true}) {
      const auto ask = [&](const std::string& field, Access access) {
        return asked(require_key, field, access, over_unix);
      };
      EXPECT_EQ(ask("Bearer " + kShop, Access::kProducer), "shop");
      EXPECT_EQ(ask("bEARER   " + kShop + " ", Access::kProducer), "shop");
      EXPECT_EQ(ask("Bearer " + kShop, Access::kOperator), "not_allowed");
      EXPECT_EQ(ask("Bearer " + kAdmin, Access::kOperator), "admin");
      for (const char* wrong : {"Bearer wrong-0123456789", "Bearer", "Bearer ", "Basic c2hvcDp4",
                                "shop-0123456789abcdef"}) {
        EXPECT_EQ(ask(wrong, Access::kProducer), "unauthorized") << wrong;
        EXPECT_EQ(ask(wrong, Access::kOperator), "unauthorized") << wrong;
        EXPECT_EQ(ask(wrong, Access::kOpen), "operator") << wrong;
      }
    }
  }
}

TEST_F(GateTest, TwoKeysInOneRequestAreNone) {
  const Gate gate(kKeys, false, producers_);
  HttpRequest request;
  request.headers = {{"authorization", "Bearer " + kShop}, {"authorization", "Bearer " + kAdmin}};
  EXPECT_TRUE(std::holds_alternative<Problem>(gate.let_in(request, Access::kProducer)));
}

TEST_F(GateTest, WithoutProducersTheFieldSaysNothing) {
  const std::vector<ProducerOptions> nobody;
  const Gate gate({}, false, nobody);
  HttpRequest request;
  request.headers = {{"authorization", "Basic c2hvcDp4"}};
  EXPECT_EQ(std::get<ProducerId>(gate.let_in(request, Access::kOperator)), kNoProducer);
}

}  // namespace
}  // namespace weir
