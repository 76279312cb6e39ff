// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/price_reply.h"

#include <string>

#include <gtest/gtest.h>

namespace weir {
namespace {

PriceProfile places() {
  PriceProfile price;
  price.encoding_at = {"/response/msgList/encoding", "/msgList/encoding"};
  price.length_at = {"/response/msgList/length", "/msgList/length"};
  price.remaining_at = {"/response/msgList/remaining"};
  price.credit_at = {"/response/msgList/credit", "/msgList/credit"};
  return price;
}

std::string reply(const std::string& list) {
  return R"({"response":{"status":"success","msgList":{)" + list + "}}}";
}

TEST(PriceReply, IsReadInTheEnvelopeAndWithoutIt) {
  const std::string list = R"("encoding":"TEXT","length":11,"remaining":149,"credit":1)";
  const auto found = parse_price(places(), reply(list));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->encoding, Encoding::kGsm7);
  EXPECT_EQ(found->length, 11u);
  EXPECT_EQ(found->remaining, 149u);
  EXPECT_EQ(found->credit, Units::of(1));
  const auto bare = parse_price(places(), R"({"msgList":{)" + list + "}}");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->length, 11u);
  EXPECT_FALSE(bare->remaining);
}

TEST(PriceReply, NumbersMayBeTextsAndCreditsFractions) {
  const auto texts =
      parse_price(places(), reply(R"("encoding":"unicode","length":"70","credit":"0.35")"));
  ASSERT_TRUE(texts);
  EXPECT_EQ(texts->encoding, Encoding::kUcs2);
  EXPECT_EQ(texts->length, 70u);
  EXPECT_EQ(texts->credit, Units::from_micro(350'000));
  const auto number = parse_price(places(), reply(R"("encoding":"TEXT","length":1,"credit":1.05)"));
  ASSERT_TRUE(number);
  EXPECT_EQ(number->credit, Units::from_micro(1'050'000));
}

TEST(PriceReply, AWordThatTheProfileDoesNotKnowIsKeptAndIsNoEncoding) {
  const auto found = parse_price(places(), reply(R"("encoding":"FLASH","length":1,"credit":1)"));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->encoding);
  EXPECT_EQ(found->encoding_word, "FLASH");
}

TEST(PriceReply, WhatIsNoPriceIsNone) {
  const char* const lists[] = {
      R"("length":1,"credit":1)",
      R"("encoding":"TEXT","credit":1)",
      R"("encoding":"TEXT","length":1)",
      R"("encoding":"","length":1,"credit":1)",
      R"("encoding":7,"length":1,"credit":1)",
      R"("encoding":"\u001b[2J","length":1,"credit":1)",
      R"("encoding":"TEXT","length":-1,"credit":1)",
      R"("encoding":"TEXT","length":1.5,"credit":1)",
      R"("encoding":"TEXT","length":4294967296,"credit":1)",
      R"("encoding":"TEXT","length":18446744073709551615,"credit":1)",
      R"("encoding":"TEXT","length":1,"credit":-1)",
      R"("encoding":"TEXT","length":1,"credit":1e300)",
      R"("encoding":"TEXT","length":1,"credit":"free")",
      R"("encoding":"TEXT","length":1,"credit":true)",
  };
  for (const char* list : lists)
    EXPECT_FALSE(parse_price(places(), reply(list))) << list;
  for (const char* text : {"", "TEXT | 11 | 149 | 1", "[]", "null", R"({"response":null})"})
    EXPECT_FALSE(parse_price(places(), text)) << text;
}

}  // namespace
}  // namespace weir
