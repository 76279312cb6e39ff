// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/request_form.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shim/egress/egress.h"

namespace weir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Profile sms_profile() {
  Profile profile;
  profile.path = "/SMSApi/send";
  profile.fields = {{"sendMethod", "quick"},   {"mobile", "{recipients}"},
                    {"msg", "{body}"},         {"senderid", "{sender}"},
                    {"msgType", "{encoding}"}, {"dltTemplateId", "{param:dltTemplateId}"},
                    {"testMessage", "{test}"}, {"output", "json"}};
  profile.auth = {{{{"apiKey", "{secret:api_key}"}}, {}},
                  {{}, {{"userid", "{secret:userid}"}, {"password", "{secret:password}"}}}};
  profile.code_at = {"/code"};
  return profile;
}

GatewayOptions sms_gateway() {
  GatewayOptions options;
  options.url = "https://sms.example/";
  options.secrets = {{"api_key", "k-1"}};
  return options;
}

Payload payload() {
  Payload payload;
  payload.text.body = "50% off & more";
  payload.text.sender = "SHOPIN";
  payload.text.params = {{"dltTemplateId", "1107"}};
  payload.recipients = {{919876543210}, {919811112222}};
  return payload;
}

FormRequest filled(const GatewayOptions& options, const Profile& profile, const Payload& with) {
  return RequestForm::make(options, profile).value().fill(with);
}

TEST(RequestForm, IsAFormOfTheProfilesFieldsInTheirOrder) {
  const auto request = filled(sms_gateway(), sms_profile(), payload());
  EXPECT_EQ(request.body,
            "sendMethod=quick&mobile=919876543210%2C919811112222&msg=50%25%20off%20%26%20more"
            "&senderid=SHOPIN&msgType=text&dltTemplateId=1107&testMessage=false&output=json");
  EXPECT_THAT(request.headers, ElementsAre("apiKey: k-1"));
}

TEST(RequestForm, TakesTheEncodingFromTheCounterAndEncodesUtf8) {
  Payload hindi = payload();
  hindi.encoding = Encoding::kUcs2;
  hindi.text.body = "\u0905~\n";
  hindi.test = true;
  const auto request = filled(sms_gateway(), sms_profile(), hindi);
  EXPECT_THAT(request.body, HasSubstr("&msg=%E0%A4%85~%0A&"));
  EXPECT_THAT(request.body, HasSubstr("&msgType=unicode&"));
  EXPECT_THAT(request.body, HasSubstr("&testMessage=true&"));
}

TEST(RequestForm, LeavesOutWhatIsNotGiven) {
  Payload bare = payload();
  bare.text.sender.clear();
  bare.text.params.clear();
  const auto request = filled(sms_gateway(), sms_profile(), bare);
  EXPECT_THAT(request.body, Not(HasSubstr("senderid")));
  EXPECT_THAT(request.body, Not(HasSubstr("dltTemplateId")));
}

TEST(RequestForm, FallsBackToTheGatewaysSenderAndParams) {
  Payload bare = payload();
  bare.text.sender.clear();
  bare.text.params.clear();
  GatewayOptions options = sms_gateway();
  options.default_sender = "WEIRIN";
  options.params = {{"dltTemplateId", "42"}};
  const auto request = filled(options, sms_profile(), bare);
  EXPECT_THAT(request.body, HasSubstr("&senderid=WEIRIN&"));
  EXPECT_THAT(request.body, HasSubstr("&dltTemplateId=42&"));
}

TEST(RequestForm, JoinsAndPrefixesRecipientsAsTheProfileSays) {
  Profile profile = sms_profile();
  profile.recipients_join = ";";
  profile.recipients_plus = true;
  EXPECT_THAT(filled(sms_gateway(), profile, payload()).body,
              HasSubstr("mobile=%2B919876543210%3B%2B919811112222&"));
}

TEST(RequestForm, MixesTextAndPlaceholders) {
  Profile profile = sms_profile();
  profile.fields.push_back({"ref", "weir-{param:missing}-{test}"});
  EXPECT_THAT(filled(sms_gateway(), profile, payload()).body, HasSubstr("&ref=weir--false"));
}

TEST(RequestForm, SpeaksTheFirstWayInWhoseSecretsAreSet) {
  GatewayOptions options = sms_gateway();
  options.secrets = {{"userid", "u"}, {"password", "p&q"}};
  auto request = filled(options, sms_profile(), payload());
  EXPECT_THAT(request.headers, IsEmpty());
  EXPECT_THAT(request.body, HasSubstr("&output=json&userid=u&password=p%26q"));

  options.secrets["api_key"] = "k-2";
  request = filled(options, sms_profile(), payload());
  EXPECT_THAT(request.headers, ElementsAre("apiKey: k-2"));
  EXPECT_THAT(request.body, Not(HasSubstr("password")));
}

TEST(RequestForm, AWayInAmongTheFieldsComesFirst) {
  Profile profile = sms_profile();
  profile.headers = {{"Authorization", "Bearer {secret:token}"}, {"X-App", "weir"}};
  GatewayOptions options = sms_gateway();
  EXPECT_THAT(filled(options, profile, payload()).headers,
              ElementsAre("X-App: weir", "apiKey: k-1"));
  options.secrets["token"] = "t";
  EXPECT_THAT(filled(options, profile, payload()).headers,
              ElementsAre("X-App: weir", "Authorization: Bearer t"));
}

TEST(RequestForm, AValueCannotBeginAnotherHeader) {
  Profile profile = sms_profile();
  profile.headers = {{"X-Tag", "{param:tag}"}};
  Payload evil = payload();
  evil.text.params = {{"tag", "a\r\nContent-Length: 0\n"}};
  EXPECT_THAT(filled(sms_gateway(), profile, evil).headers,
              ElementsAre("X-Tag: a  Content-Length: 0", "apiKey: k-1"));
  evil.text.params = {{"tag", "\r\n"}};
  EXPECT_THAT(filled(sms_gateway(), profile, evil).headers, ElementsAre("apiKey: k-1"));
}

TEST(RequestForm, JoinsUrlAndPathWithOneSlash) {
  GatewayOptions options = sms_gateway();
  Profile profile = sms_profile();
  for (const char* url : {"https://sms.example", "https://sms.example/"}) {
    for (const char* path : {"/SMSApi/send", "SMSApi/send"}) {
      options.url = url;
      profile.path = path;
      EXPECT_EQ(RequestForm::make(options, profile).value().url(),
                "https://sms.example/SMSApi/send");
    }
  }
}

struct Refused {
  const char* name;
  std::function<void(GatewayOptions&, Profile&)> spoil;
  const char* says;
};

class GatewayCheck : public testing::TestWithParam<Refused> {};

TEST_P(GatewayCheck, NamesThePlaceAndNoSecret) {
  GatewayOptions options = sms_gateway();
  Profile profile = sms_profile();
  EXPECT_TRUE(check_gateway(options, profile).has_value());
  GetParam().spoil(options, profile);
  const Status checked = check_gateway(options, profile);
  ASSERT_FALSE(checked.has_value());
  EXPECT_THAT(checked.error().detail, HasSubstr(GetParam().says));
  EXPECT_THAT(checked.error().detail, Not(HasSubstr("k-1")));
}

INSTANTIATE_TEST_SUITE_P(
    Table, GatewayCheck,
    testing::Values(
        Refused{"UnknownPlaceholder", [](auto&, Profile& p) { p.fields[2].second = "{bdoy}"; },
                "profile: field msg: {bdoy} is no placeholder"},
        Refused{"OpenBrace", [](auto&, Profile& p) { p.fields[2].second = "x {body"; },
                "profile: field msg: a { without its }"},
        Refused{"NamelessParam", [](auto&, Profile& p) { p.fields[2].second = "{param:}"; },
                "field msg: {param:} is no placeholder"},
        Refused{"BadHeaderName",
                [](auto&, Profile& p) {
                  p.headers = {{"X Y", "1"}};
                },
                "profile: header X Y: not a header's name"},
        Refused{"FramingHeader",
                [](auto&, Profile& p) {
                  p.headers = {{"Content-length", "1"}};
                },
                "header Content-length: is set by the transport"},
        Refused{"NoRecipients", [](auto&, Profile& p) { p.fields[1].second = "1"; },
                "none holds {recipients}"},
        Refused{"NoWayIn",
                [](GatewayOptions& o, auto&) {
                  o.secrets = {{"userid", "u"}};
                },
                "gateway.secrets: no way into the gateway is complete; set api_key, or password"},
        Refused{"EmptySecret",
                [](GatewayOptions& o, auto&) {
                  o.secrets = {{"api_key", ""}};
                },
                "set api_key, or userid and password"},
        Refused{"NoScheme", [](GatewayOptions& o, auto&) { o.url = "sms.example"; },
                "gateway.url: not a URL"},
        Refused{"NoHost", [](GatewayOptions& o, auto&) { o.url = "https:///x"; },
                "gateway.url: not a URL"},
        Refused{"Credentials", [](GatewayOptions& o, auto&) { o.url = "https://u:p@sms.example"; },
                "gateway.url: holds"},
        Refused{"SpaceInPath", [](auto&, Profile& p) { p.path = "/a b"; }, "profile: path"},
        Refused{"NoPointer", [](auto&, Profile& p) { p.code_at.clear(); }, "neither code_at"},
        Refused{"BadPointer", [](auto&, Profile& p) { p.ref_at = {"id"}; },
                "profile: ref_at: id: not a JSON Pointer"},
        Refused{"NoSlots", [](GatewayOptions& o, auto&) { o.slots = 0; }, "no slots"},
        Refused{"NoTime", [](GatewayOptions& o, auto&) { o.total_timeout = Duration{}; },
                "must be above zero"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace weir
