// SPDX-License-Identifier: Apache-2.0
//
// Templates with the real binary: saved, priced, sent by, edited, removed, kept over a restart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

constexpr const char* kDiwali =
    R"({"body":"Dear {{name}}, your code is {{code}}","class":"transaction_alert",)"
    R"("params":{"dltTemplateId":"1007"},"max_chars":{"code":6},"max_segments":1})";

TEST(Templates, AreSavedPricedSentByAndKeptOverARestart) {
  Rig rig;
  rig.start_weir();
  const ApiReply saved = rig.call("PUT", "/v1/templates/diwali", kDiwali);
  ASSERT_EQ(saved.status, 200) << saved.body;
  const json::value cost = json::parse(saved.body).at("cost");
  EXPECT_EQ(cost.at("shortest").at("segments").to_number<int>(), 1);
  EXPECT_EQ(cost.at("longest_ucs2").at("encoding").as_string(), "UCS2");

  rig.kill_and_restart();
  const ApiReply sent = rig.call(
      "POST", "/v1/messages",
      R"({"template":"diwali","vars":{"name":"Asha","code":"4711"},"to":"+919876543210"})");
  ASSERT_EQ(sent.status, 202) << sent.body;
  const json::value accepted = json::parse(sent.body);
  EXPECT_EQ(accepted.at("class").as_string(), "transaction_alert");
  EXPECT_EQ(accepted.at("units").to_number<int>(), 28);
  EXPECT_EQ(rig.settled(accepted.at("id").as_string().c_str()), "submitted");
  const json::object ledger = rig.ledger();
  EXPECT_EQ(ledger.at("calls").as_array().at(0).at("body").as_string(),
            "Dear Asha, your code is 4711");
}

TEST(Templates, RefuseWhatIsWrongAndNameIt) {
  Rig rig;
  rig.start_weir();
  const ApiReply bad = rig.call("PUT", "/v1/templates/x", R"({"body":"Hi {{Name}}"})");
  EXPECT_EQ(bad.status, 422);
  EXPECT_THAT(bad.body, HasSubstr("byte 3"));
  ASSERT_EQ(rig.call("PUT", "/v1/templates/diwali", kDiwali).status, 200);
  const ApiReply missing =
      rig.call("POST", "/v1/messages", R"({"template":"diwali","to":"+919876543210"})");
  EXPECT_EQ(missing.status, 422);
  EXPECT_THAT(missing.body, HasSubstr("/vars/name"));
  EXPECT_THAT(missing.body, HasSubstr("/vars/code"));
  ASSERT_EQ(rig.call("PUT", "/v1/templates/long",
                     R"({"body":"Fifty letters that are here to fill a segment. {{name}}",)"
                     R"("class":"transaction_alert","max_segments":1})")
                .status,
            200);
  const ApiReply dear = rig.call(
      "POST", "/v1/messages",
      R"({"template":"long","vars":{"name":"दीपावली की शुभकामनाएं आपको"},"to":"+919876543210"})");
  EXPECT_EQ(dear.status, 422) << dear.body;
  EXPECT_THAT(dear.body, HasSubstr("2 segments; at most 1"));
}

TEST(Templates, AreListedAndRemoved) {
  Rig rig;
  rig.start_weir();
  ASSERT_EQ(rig.call("PUT", "/v1/templates/a", R"({"body":"one"})").status, 200);
  ASSERT_EQ(rig.call("PUT", "/v1/templates/b", R"({"body":"two {{x}}"})").status, 200);
  const json::value list = json::parse(rig.call("GET", "/v1/templates").body);
  ASSERT_EQ(list.at("templates").as_array().size(), 2);
  EXPECT_EQ(list.at("templates").as_array().at(1).at("variables").as_array().at(0).at("name"), "x");
  EXPECT_EQ(rig.call("DELETE", "/v1/templates/a").status, 204);
  EXPECT_EQ(rig.call("GET", "/v1/templates/a").status, 404);
  EXPECT_EQ(rig.call("DELETE", "/v1/templates/a").status, 404);
  EXPECT_EQ(rig.call("GET", "/v1/templates/b").status, 200);
}

}  // namespace
}  // namespace weir::test
