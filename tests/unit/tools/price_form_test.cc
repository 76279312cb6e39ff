// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/price_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Profile profile() {
  Profile one;
  one.auth = {{{{"key", "{secret:token}"}}, {}},
              {{}, {{"user", "{secret:user}"}, {"pass", "{secret:pass}"}}}};
  one.price = PriceProfile();
  one.price->path = "/price";
  one.price->fields = {{"text", "{body}"}, {"kind", "{encoding}"}, {"from", "{sender}"}};
  return one;
}

GatewayOptions options(std::map<std::string, std::string> secrets) {
  GatewayOptions one;
  one.url = "http://127.0.0.1:1";
  one.secrets = std::move(secrets);
  return one;
}

TEST(PriceForm, IsTheTextTheEncodingsWordAndTheFirstCompleteWayIn) {
  const auto form =
      PriceForm::make(options({{"token", "t0ken"}, {"user", "u"}, {"pass", "p"}}), profile());
  ASSERT_TRUE(form) << form.error().detail;
  EXPECT_EQ(form->url(), "http://127.0.0.1:1/price");
  const FormRequest request = form->fill("a&b=c\n€", Encoding::kGsm7);
  EXPECT_THAT(request.headers, ElementsAre("key: t0ken"));
  EXPECT_EQ(request.body, "text=a%26b%3Dc%0A%E2%82%AC&kind=text");
  EXPECT_THAT(form->fill("x", Encoding::kUcs2).body, HasSubstr("kind=unicode"));
}

TEST(PriceForm, TheOtherWayInIsTakenWhereTheFirstIsNotComplete) {
  const auto form = PriceForm::make(options({{"user", "u"}, {"pass", "p"}}), profile());
  ASSERT_TRUE(form) << form.error().detail;
  const FormRequest request = form->fill("x", Encoding::kGsm7);
  EXPECT_TRUE(request.headers.empty());
  EXPECT_EQ(request.body, "text=x&kind=text&user=u&pass=p");
}

TEST(PriceForm, WithoutAnyWayInItSaysWhatIsMissingAndNoSecret) {
  const auto form = PriceForm::make(options({{"user", "hidden"}}), profile());
  ASSERT_FALSE(form);
  EXPECT_THAT(form.error().detail, HasSubstr("set token, or pass"));
  EXPECT_THAT(form.error().detail, testing::Not(HasSubstr("hidden")));
}

TEST(PriceForm, ABodyInAHeaderBeginsNoHeaderOfItsOwn) {
  Profile with_header = profile();
  with_header.price->headers = {{"X-Text", "{body}"}};
  const auto form = PriceForm::make(options({{"token", "t"}}), with_header);
  ASSERT_TRUE(form) << form.error().detail;
  EXPECT_THAT(form->fill("a\r\nkey: other", Encoding::kGsm7).headers,
              ElementsAre("X-Text: a  key: other", "key: t"));
}

}  // namespace
}  // namespace weir
