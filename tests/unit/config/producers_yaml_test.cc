// SPDX-License-Identifier: Apache-2.0
//
// `producers` of weir.yaml, what listens where because of them, and that no error shows a key.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shim/config/settings.h"
#include "tests/unit/config/scratch.h"

namespace weir {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kMinimal = R"(store: {path: weir.db}
gateway:
  profile: smsgatewaycenter
  url: https://gateway.example
)";
const std::string kShopKey = "shop-0123456789abcdef";
const std::string kCrmKey = "crm/0123456789+abcdef==";

class ProducersYaml : public testing::Test {
 protected:
  ProducersYaml() {
    scratch_.write("profiles/smsgatewaycenter.yaml",
                   read_text(WEIR_SOURCE_DIR "/conf/profiles/smsgatewaycenter.yaml"));
    shop_ = "{file: " + scratch_.write("shop.key", kShopKey + "\n") + "}";
    crm_ = "{file: " + scratch_.write("crm.key", kCrmKey + "\n") + "}";
  }
  Result<Settings> load(const std::string& text) {
    return load_settings(scratch_.write("weir.yaml", kMinimal + text));
  }
  std::string error(const std::string& text) {
    const Result<Settings> settings = load(text);
    return settings ? "" : settings.error().detail;
  }
  std::string with_key(const std::string& key) {
    return "producers: {shop: {key: {file: " + scratch_.write("odd.key", key) +
           "}, classes: all}}\n";
  }

  Scratch scratch_;
  std::string shop_;
  std::string crm_;
};

TEST_F(ProducersYaml, HaveKeysClassesAndQuotas) {
  EXPECT_THAT(error("producers: {shop: {key: {env: WEIR_TEST_NO_SUCH_KEY}, classes: all}}"),
              HasSubstr("is not set"));
  ASSERT_EQ(setenv("WEIR_TEST_PRODUCER_KEY", "watcher-0123456789", 1), 0);
  const Result<Settings> good =
      load("producers:\n  shop: {key: " + shop_ +
           ", classes: [transaction_alert, otp], rate_units_per_s: 2.5, capacity: 20s}\n" +
           "  crm: {key: " + crm_ + ", classes: all, max_units: 500.5, admin: true}\n" +
           "  prometheus: {key: {env: WEIR_TEST_PRODUCER_KEY}, classes: []}\n");
  ASSERT_TRUE(good) << good.error().detail;
  const auto& producers = good->engine.producers;
  ASSERT_EQ(producers.size(), 3u);
  EXPECT_EQ(producers[0].name, "shop");
  EXPECT_EQ(producers[0].rate_per_s, Units::from_micro(2'500'000));
  EXPECT_EQ(producers[0].capacity, Duration::seconds(20));
  EXPECT_FALSE(producers[0].admin);
  EXPECT_TRUE(may_send(good->engine, ProducerId{0}, ClassId{0}));
  EXPECT_TRUE(may_send(good->engine, ProducerId{0}, ClassId{1}));
  EXPECT_FALSE(may_send(good->engine, ProducerId{0}, ClassId{4}));
  EXPECT_TRUE(producers[1].classes.all());
  EXPECT_TRUE(producers[1].admin);
  EXPECT_FALSE(producers[1].rate_per_s);
  EXPECT_FALSE(producers[0].max_units);
  EXPECT_EQ(producers[1].max_units, Units::from_micro(500'500'000));
  EXPECT_TRUE(producers[2].classes.none());
  EXPECT_EQ(good->store.producers, (std::vector<std::string>{"shop", "crm", "prometheus"}));
  EXPECT_EQ(good->api.keys, (std::vector<std::string>{kShopKey, kCrmKey, "watcher-0123456789"}));
}

TEST_F(ProducersYaml, WhatIsWrongIsSaidWithItsPlace) {
  const std::string start = "producers:\n  shop: {key: " + shop_;
  EXPECT_THAT(
      error("producers:\n  shop:\n    key: " + shop_ + "\n    classes: [all, opt]\n"),
      AllOf(HasSubstr(":8:15: producers.shop.classes[0]:"),
            HasSubstr(":8:20: producers.shop.classes[1]:"), HasSubstr("did you mean otp?")));
  EXPECT_THAT(error(start + "}"), HasSubstr("producers.shop: lacks classes"));
  EXPECT_THAT(error(start + ", classes: some}"), HasSubstr("write a list of classes"));
  EXPECT_THAT(error(start + ", classes: all, capacity: 1s}"),
              HasSubstr("is of no use without rate_units_per_s"));
  EXPECT_THAT(error(start + ", classes: all, rate_units_per_s: 0}"),
              HasSubstr("producers.shop.rate_units_per_s"));
  EXPECT_THAT(error(start + ", classes: all, max_units: 0.5}"),
              HasSubstr("producers.shop.max_units"));
  EXPECT_THAT(error("producers: {Shop: {key: " + shop_ + ", classes: all}}"),
              HasSubstr("1 to 64 characters"));
  EXPECT_THAT(error("producers: {shop: {classes: all}}"), HasSubstr("producers.shop: lacks key"));
}

TEST_F(ProducersYaml, NoErrorShowsAKey) {
  const struct {
    std::string key;
    const char* error;
  } rows[] = {
      {"tooshort-zq", "must have 16 to 256 bytes"},
      {"long-zq-" + std::string(256, 'x'), "must have 16 to 256 bytes"},
      {"with a blank zq and more", "must be of letters, digits"},
      {"", "is empty"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(error(with_key(row.key)), AllOf(HasSubstr(row.error), Not(HasSubstr("zq"))));
  }
  EXPECT_THAT(error("producers: {shop: {key: written-here-0123456789, classes: all}}"),
              AllOf(HasSubstr("never written into this file"), Not(HasSubstr("written-here"))));
  EXPECT_THAT(error("producers: {shop: {key: {written-here-0123456789: x}, classes: all}}"),
              Not(HasSubstr("written-here")));
}

TEST_F(ProducersYaml, AKeyThatOthersCanReadIsRefused) {
  const std::string path = scratch_.write("open.key", kShopKey, 0644);
  EXPECT_THAT(error("producers: {shop: {key: {file: " + path + "}, classes: all}}"),
              HasSubstr("chmod o-rwx"));
}

TEST_F(ProducersYaml, TwoWithTheSameKeyAreNamedAndTheKeyIsNot) {
  EXPECT_THAT(error("producers:\n  shop: {key: " + shop_ +
                    ", classes: all}\n  crm: {key: " + shop_ + ", classes: all}\n"),
              AllOf(HasSubstr(":7:3: producers.crm: has the same key as producer shop"),
                    Not(HasSubstr(kShopKey))));
}

TEST_F(ProducersYaml, BeyondLoopbackIsListenedOnlyWithThemAndThenAKeyIsNeeded) {
  const std::string open = "listen: {tcp: '0.0.0.0:8025'}\n";
  EXPECT_THAT(error(open), AllOf(HasSubstr(":5:15: listen.tcp: is not a loopback address"),
                                 HasSubstr("producers")));
  const std::string shop = "producers: {shop: {key: " + shop_ + ", classes: all}}\n";
  for (const std::string& more : {std::string(), std::string(", require_key: false")}) {
    const Result<Settings> settings = load("listen: {tcp: '[::]:8025'" + more + "}\n" + shop);
    ASSERT_TRUE(settings) << settings.error().detail;
    EXPECT_TRUE(settings->api.require_key);
    EXPECT_THAT(describe(*settings), HasSubstr("can be read on the way"));
  }
}

TEST_F(ProducersYaml, OnLoopbackAKeyIsNeededIfTheFileSaysSo) {
  const std::string shop = "producers: {shop: {key: " + shop_ + ", classes: all}}\n";
  EXPECT_FALSE(load(shop)->api.require_key);
  EXPECT_TRUE(load("listen: {require_key: true}\n" + shop)->api.require_key);
  EXPECT_THAT(error("listen: {require_key: true}\n"), HasSubstr("nobody has a key"));
}

TEST_F(ProducersYaml, AreDescribedWithoutTheirKeys) {
  const Result<Settings> settings =
      load("producers:\n  shop: {key: " + shop_ +
           ", classes: [transaction_alert, otp], rate_units_per_s: 2.5, capacity: 20s}\n" +
           "  crm: {key: " + crm_ + ", classes: all, admin: true}\n");
  ASSERT_TRUE(settings) << settings.error().detail;
  const std::string text = describe(*settings);
  EXPECT_THAT(text, HasSubstr("shop      2.5/s, 50 at once  otp, transaction_alert\n"));
  EXPECT_THAT(text, HasSubstr("crm       none               all classes; is an operator\n"));
  EXPECT_THAT(text, Not(HasSubstr(kShopKey)));
  EXPECT_THAT(text, Not(HasSubstr(kCrmKey)));
  EXPECT_THAT(describe(*load("")), Not(HasSubstr("producer")));
  const auto shop_with = [&](const std::string& more) {
    return describe(*load("producers: {shop: {key: " + shop_ + ", classes: all" + more + "}}"));
  };
  EXPECT_THAT(shop_with(", max_units: 20000"), HasSubstr("shop      20000 waiting  all classes\n"));
  EXPECT_THAT(shop_with(", rate_units_per_s: 5, max_units: 20000"),
              HasSubstr("shop      5/s, 50 at once, 20000 waiting  all classes\n"));
}

}  // namespace
}  // namespace weir
