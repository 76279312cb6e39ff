// SPDX-License-Identifier: Apache-2.0
//
// What goes out and what comes back, over real sockets.
#include <cstdlib>

#include <gmock/gmock.h>

#include "tests/unit/egress/egress_fixture.h"

namespace weir::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST_F(EgressTest, PostsTheFormAndReportsTheReply) {
  RawRequest seen;
  RawGateway gateway([&](RawConnection& connection) {
    seen = connection.read_request().value();
    connection.answer(
        200, R"({"code":200,"transactionId":"t-1","invalidMobile":"919811112222,919811113333"})");
    connection.wait_closed();
  });
  profile_.fields.push_back({"msgType", "{encoding}"});
  profile_.fields.push_back({"testMessage", "{test}"});
  profile_.fields.push_back({"senderid", "{sender}"});
  profile_.auth = {{{{"apiKey", "{secret:api_key}"}}, {{"password", "{secret:password}"}}}};
  options_.secrets = {{"api_key", "k-1"}, {"password", "p w"}};
  open(gateway.url());
  const MonoTime before = MonoTime::from_ns(static_cast<int64_t>(uv_hrtime()));
  const GatewayReply reply = call(7);
  const MonoTime after = MonoTime::from_ns(static_cast<int64_t>(uv_hrtime()));

  EXPECT_THAT(seen.head, StartsWith("POST /send HTTP/1.1\r\n"));
  EXPECT_THAT(seen.head, HasSubstr("\r\nHost: 127.0.0.1:"));
  EXPECT_THAT(seen.head, HasSubstr("\r\nContent-Type: application/x-www-form-urlencoded\r\n"));
  EXPECT_THAT(seen.head, HasSubstr("\r\napiKey: k-1\r\n"));
  for (const char* unwanted : {"Expect", "Accept-Encoding", "Transfer-Encoding", "Upgrade"}) {
    EXPECT_THAT(seen.head, Not(HasSubstr(unwanted)));
  }
  EXPECT_EQ(seen.body, "msg=m7&mobile=919876543210&msgType=text&testMessage=false&password=p%20w");

  EXPECT_TRUE(reply.body_handed);
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(reply.http_status, 200);
  EXPECT_EQ(reply.code, "200");
  EXPECT_EQ(reply.gateway_ref, "t-1");
  EXPECT_THAT(reply.rejected, ElementsAre(Recipient{919811112222}, Recipient{919811113333}));
  EXPECT_FALSE(reply.retry_after.has_value());
  EXPECT_THAT(reply.transport_error, IsEmpty());
  EXPECT_GE(reply.sent_at, before);
  EXPECT_LE(reply.sent_at, after);
}

TEST_F(EgressTest, ReportsAnErrorsJsonToo) {
  RawGateway gateway([](RawConnection& connection) {
    connection.read_request();
    connection.answer(500, R"({"code":"188"})");
    connection.wait_closed();
  });
  open(gateway.url());
  const GatewayReply reply = call(1);
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(reply.http_status, 500);
  EXPECT_EQ(reply.code, "188");
}

TEST_F(EgressTest, ReportsRetryAfterInSecondsAndAsADate) {
  RawGateway gateway([](RawConnection& connection) {
    connection.read_request();
    connection.answer(429, R"({"code":"1"})", "Retry-After: 17\r\n");
    connection.read_request();
    connection.answer(503, "",
                      "Date: Sun, 06 Nov 1994 12:00:00 GMT\r\n"
                      "Retry-After: Sun, 06 Nov 1994 12:00:40 GMT\r\n");
    connection.wait_closed();
  });
  open(gateway.url());
  const GatewayReply seconds = call(1);
  EXPECT_TRUE(seconds.complete);
  EXPECT_EQ(seconds.http_status, 429);
  EXPECT_EQ(seconds.retry_after, Duration::seconds(17));
  const GatewayReply date = call(2);
  EXPECT_FALSE(date.complete);
  EXPECT_EQ(date.http_status, 503);
  EXPECT_EQ(date.retry_after, Duration::seconds(40));
}

TEST_F(EgressTest, TakesInterimHeadsAndChunkedReplies) {
  RawGateway gateway([](RawConnection& connection) {
    connection.read_request();
    connection.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\n");
    connection.write("Transfer-Encoding: chunked\r\n\r\n");
    connection.write("9\r\n{\"code\":\"\r\n5\r\n200\"}\r\n0\r\nRetry-After: 5\r\n\r\n");
    connection.wait_closed();
  });
  open(gateway.url());
  const GatewayReply reply = call(1);
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(reply.http_status, 202);
  EXPECT_EQ(reply.code, "200");
  EXPECT_FALSE(reply.retry_after.has_value());  // a trailer is no header
}

TEST_F(EgressTest, TakesAReplyThatEndsWithTheConnection) {
  RawGateway gateway([](RawConnection& connection) {
    connection.read_request();
    connection.write("HTTP/1.1 200 OK\r\n\r\n{\"code\":\"200\"}");
    connection.fin();
  });
  open(gateway.url());
  EXPECT_TRUE(call(1).complete);
}

TEST_F(EgressTest, DoesNotFollowARedirect) {
  RawGateway gateway([](RawConnection& connection) {
    connection.read_request();
    connection.answer(302, "", "Location: /elsewhere\r\n");
    connection.wait_closed();
  });
  open(gateway.url());
  const GatewayReply reply = call(1);
  EXPECT_EQ(reply.http_status, 302);
  EXPECT_FALSE(reply.complete);
  EXPECT_EQ(gateway.bodies().size(), 1u);
}

TEST_F(EgressTest, SendsAMegabyteWithoutAskingFirst) {
  RawGateway gateway(serve);
  open(gateway.url());
  const GatewayReply reply = call(1, " " + std::string(2'000'000, 'x'));
  EXPECT_TRUE(reply.complete);
  EXPECT_EQ(reply.gateway_ref, "m1");
}

TEST_F(EgressTest, IgnoresTheProxyOfTheEnvironment) {
  const std::string dead = "http://127.0.0.1:" + std::to_string(refusing_port());
  for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"}) {
    setenv(name, dead.c_str(), 1);
  }
  RawGateway gateway(serve);
  open(gateway.url());
  EXPECT_TRUE(call(1).complete);
  for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"})
    unsetenv(name);
}

}  // namespace
}  // namespace weir::test
