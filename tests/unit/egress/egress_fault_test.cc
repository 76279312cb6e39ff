// SPDX-License-Identifier: Apache-2.0
//
// A gateway in every kind of trouble: what is told, and on which side of the line it falls.
#include <functional>

#include <gmock/gmock.h>

#include "tests/unit/egress/egress_fixture.h"

namespace weir::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

void expect_not_made(const GatewayReply& reply) {
  EXPECT_FALSE(reply.body_handed);
  EXPECT_FALSE(reply.complete);
  EXPECT_EQ(reply.http_status, 0);
  EXPECT_THAT(reply.transport_error, Not(IsEmpty()));
}

TEST_F(EgressTest, ARefusedConnectIsACallNotMade) {
  open("http://127.0.0.1:" + std::to_string(refusing_port()));
  const GatewayReply reply = call(1);
  expect_not_made(reply);
  EXPECT_THAT(reply.transport_error, HasSubstr("refused"));
  EXPECT_THAT(reply.transport_error, Not(HasSubstr("/send")));
}

TEST_F(EgressTest, AConnectThatHangsIsACallNotMade) {
  const BlackHole hole;
  options_.connect_timeout = Duration::millis(100);
  open(hole.url());
  expect_not_made(call(1));
}

TEST_F(EgressTest, AHandshakeThatHangsIsACallNotMade) {
  RawGateway gateway([](RawConnection& connection) { connection.wait_closed(); });
  options_.connect_timeout = Duration::millis(100);
  open("https://127.0.0.1:" + std::to_string(gateway.port()));
  expect_not_made(call(1));
}

TEST_F(EgressTest, AHandshakeThatFailsIsACallNotMade) {
  RawGateway gateway([](RawConnection& connection) {
    connection.read_bytes(1);
    connection.write("HTTP/1.1 400 Plain HTTP only\r\n\r\n");
    connection.fin();
  });
  open("https://127.0.0.1:" + std::to_string(gateway.port()));
  expect_not_made(call(1));
}

TEST_F(EgressTest, AMissingCaFileIsACallNotMade) {
  RawGateway gateway([](RawConnection& connection) { connection.wait_closed(); });
  options_.ca_file = "/nowhere/ca.crt";
  open("https://127.0.0.1:" + std::to_string(gateway.port()));
  expect_not_made(call(1));
}

struct Fault {
  const char* name;
  std::function<void(RawConnection&)> script;  // after the whole request was read
  int http_status;
};

class FaultAfterTheRequest : public EgressTest, public testing::WithParamInterface<Fault> {
 protected:
  FaultAfterTheRequest() {
    options_.total_timeout = Duration::millis(300);  // for those that stall
    options_.max_reply_bytes = 4096;
  }
};

TEST_P(FaultAfterTheRequest, IsHandedOverAndIncomplete) {
  const Fault& fault = GetParam();
  RawGateway gateway([&](RawConnection& connection) {
    connection.read_request();
    fault.script(connection);
    connection.wait_closed();
  });
  open(gateway.url());
  const GatewayReply reply = call(1);
  EXPECT_TRUE(reply.body_handed);
  EXPECT_FALSE(reply.complete);
  EXPECT_EQ(reply.http_status, fault.http_status);
  EXPECT_THAT(reply.code, IsEmpty());
  EXPECT_THAT(reply.gateway_ref, IsEmpty());
  EXPECT_THAT(reply.transport_error, Not(IsEmpty()));
  EXPECT_EQ(gateway.bodies().size(), 1u);
}

constexpr const char* kHead = "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n";

std::function<void(RawConnection&)> says(std::string bytes) {
  return [bytes](RawConnection& connection) { connection.write(bytes); };
}
std::function<void(RawConnection&)> says_and_ends(std::string bytes) {
  return [bytes](RawConnection& connection) {
    connection.write(bytes);
    connection.fin();
  };
}
std::function<void(RawConnection&)> says_and_resets(std::string bytes) {
  return [bytes](RawConnection& connection) {
    connection.write(bytes);
    connection.rst();
  };
}

INSTANTIATE_TEST_SUITE_P(
    Table, FaultAfterTheRequest,
    testing::Values(
        Fault{"Rst", says_and_resets(""), 0}, Fault{"Fin", says_and_ends(""), 0},
        Fault{"Stall", says(""), 0}, Fault{"HalfStatusLine", says_and_ends("HTTP/1.1 20"), 0},
        Fault{"HalfHeadFin", says_and_ends("HTTP/1.1 200 OK\r\nContent-Le"), 200},
        Fault{"HalfHeadStall", says("HTTP/1.1 202 OK\r\nContent-Le"), 202},
        Fault{"HeadWithoutItsEnd", says_and_ends("HTTP/1.1 200 OK\r\nX: y\r\n"), 200},
        Fault{"HalfBodyFin", says_and_ends(std::string(kHead) + R"({"code":"200")"), 200},
        Fault{"HalfBodyStall", says(std::string(kHead) + R"({"code":"200")"), 200},
        Fault{"WholeJsonButShort", says_and_ends(std::string(kHead) + R"({"code":"200"})"), 200},
        Fault{"BadChunk",
              says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n"),
              200},
        Fault{"MalformedJson", says(http_answer(200, R"({"code":"200",})")), 200},
        Fault{"Html", says(http_answer(502, "<html>bad gateway</html>")), 502},
        Fault{"NoBody", says(http_answer(200, "")), 200},
        Fault{"OtherShape", says(http_answer(200, R"({"ok":true})")), 200},
        Fault{"OversizedBody",
              says(http_answer(200, R"({"code":"200","x":")" + std::string(8000, 'x') + "\"}")),
              200},
        Fault{"OversizedHead",
              says("HTTP/1.1 200 OK\r\nX: " + std::string(40'000, 'x') +
                   "\r\nContent-Length: 14\r\n\r\n{\"code\":\"200\"}"),
              200},
        Fault{"OnlyInterim", says_and_ends("HTTP/1.1 100 Continue\r\n\r\n"), 0},
        Fault{"NotHttp", says_and_ends("SSH-2.0-OpenSSH\r\n"), 0}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_F(EgressTest, ATroubleOfOneCallIsNotOneOfTheNext) {
  RawGateway gateway([](RawConnection& connection) {
    if (connection.number() % 2 == 1) return serve(connection);
    connection.read_request();
    connection.write("HTTP/1.1 200 OK\r\nRetry-After: 5\r\nContent-Length: 500\r\n\r\n{");
    connection.fin();
  });
  options_.slots = 1;
  open(gateway.url());
  const GatewayReply bad = call(1);
  EXPECT_FALSE(bad.complete);
  EXPECT_EQ(bad.http_status, 200);
  const GatewayReply good = call(2);
  EXPECT_TRUE(good.complete);
  EXPECT_EQ(good.gateway_ref, "m2");
  EXPECT_FALSE(good.retry_after.has_value());
}

}  // namespace
}  // namespace weir::test
