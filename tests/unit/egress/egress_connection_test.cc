// SPDX-License-Identifier: Apache-2.0
//
// Connections that are kept: the cases in which curl, left to itself, sends a request twice or
// gives one message the answer of another.
#include <atomic>

#include <gmock/gmock.h>

#include "tests/unit/egress/egress_fixture.h"

namespace weir::test {
namespace {

void expect_own_answer(const GatewayReply& reply, int64_t id) {
  EXPECT_TRUE(reply.complete) << reply.transport_error;
  EXPECT_EQ(reply.http_status, 200);
  EXPECT_EQ(reply.gateway_ref, text_of(id));
}

TEST_F(EgressTest, KeepsItsConnection) {
  RawGateway gateway(serve);
  open(gateway.url());
  for (int64_t id = 1; id <= 50; ++id)
    expect_own_answer(call(id), id);
  EXPECT_EQ(gateway.connections(), 1u);
  EXPECT_EQ(gateway.bodies().size(), 50u);
}

TEST_F(EgressTest, KeepsNoConnectionWithoutAnIdleTimeout) {
  RawGateway gateway(serve);
  options_.idle_timeout = Duration{};
  open(gateway.url());
  for (int64_t id = 1; id <= 3; ++id)
    expect_own_answer(call(id), id);
  EXPECT_EQ(gateway.connections(), 3u);
}

TEST_F(EgressTest, UsesNoConnectionThatWasIdleForLonger) {
  RawGateway gateway(serve);
  options_.idle_timeout = Duration::seconds(1);
  open(gateway.url());
  expect_own_answer(call(1), 1);
  expect_own_answer(call(2), 2);
  EXPECT_EQ(gateway.connections(), 1u);
  idle_for(Duration::millis(1001));
  expect_own_answer(call(3), 3);
  EXPECT_EQ(gateway.connections(), 2u);
}

TEST_F(EgressTest, BurstsOpenNoMoreConnectionsThanSlots) {
  RawGateway gateway(serve);
  open(gateway.url());
  int64_t id = 0;
  for (int burst = 0; burst < 20; ++burst) {
    for (uint32_t slot = 0; slot < options_.slots; ++slot)
      send(++id);
    run_until(static_cast<size_t>(id));
  }
  for (const Replied& replied : replies_)
    expect_own_answer(replied.reply, raw(replied.batch));
  EXPECT_LE(gateway.connections(), options_.slots);
}

// How a gateway ends a connection on which a request lies that it has read whole.
class ReadThenGone : public EgressTest, public testing::WithParamInterface<bool> {};

TEST_P(ReadThenGone, IsNotSentAgainOnAReusedConnection) {
  const bool reset = GetParam();
  RawGateway gateway([&](RawConnection& connection) {
    if (connection.number() > 0) return serve(connection);
    connection.answer(200, ok_json(connection.read_request().value().body));
    connection.read_request();
    reset ? connection.rst() : connection.fin();
  });
  open(gateway.url());
  expect_own_answer(call(1), 1);
  const GatewayReply second = call(2);
  EXPECT_TRUE(second.body_handed);
  EXPECT_FALSE(second.complete);
  EXPECT_EQ(second.http_status, 0);
  EXPECT_NE(second.transport_error, "");
  EXPECT_EQ(gateway.bodies().size(), 2u);
  // The slot and the egress are as good as new.
  expect_own_answer(call(3), 3);
  EXPECT_EQ(gateway.bodies().size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(FinAndRst, ReadThenGone, testing::Bool(),
                         [](const auto& row) { return row.param ? "Rst" : "Fin"; });

TEST_F(EgressTest, TwentySuppressedRetriesLeaveTheNextCallNormal) {
  std::atomic<bool> bad = true;
  RawGateway gateway([&](RawConnection& connection) {
    const auto request = connection.read_request();
    if (!request) return;  // curl may open one for the retry that is then suppressed
    connection.answer(200, ok_json(request->body));
    if (!bad) return serve(connection);
    connection.read_request();
    connection.fin();
  });
  open(gateway.url());
  int64_t id = 0;
  for (int round = 0; round < 20; ++round) {
    ++id;
    expect_own_answer(call(id), id);
    ++id;
    EXPECT_FALSE(call(id).complete);
  }
  bad = false;
  ++id;
  expect_own_answer(call(id), id);
  EXPECT_EQ(gateway.bodies().size(), static_cast<size_t>(id));
}

// What a gateway does to an idle connection, and whether the loop has seen it before the next call.
struct Idle {
  const char* name;
  std::string unasked;  // bytes
  bool fin;
  bool rst;
  bool turned;
};

class IdleConnection : public EgressTest, public testing::WithParamInterface<Idle> {};

TEST_P(IdleConnection, CarriesNoCallOnceItIsUnclean) {
  const Idle& idle = GetParam();
  RawGateway gateway([&](RawConnection& connection) {
    if (connection.number() > 0) return serve(connection);
    connection.answer(200, ok_json(connection.read_request().value().body));
    connection.wait_for("go");
    connection.write(idle.unasked);
    if (idle.fin) connection.fin();
    if (idle.rst) connection.rst();
    connection.tell("done");
    serve(connection);
  });
  open(gateway.url());
  expect_own_answer(call(1), 1);
  gateway.tell("go");
  gateway.wait_for("done");
  if (idle.turned) turn();
  for (int64_t id = 2; id <= 4; ++id)
    expect_own_answer(call(id), id);
  EXPECT_EQ(gateway.bodies().size(), 4u);
  EXPECT_EQ(gateway.connections(), 2u);
}

const std::string kStale = http_answer(200, R"({"code":"200","transactionId":"stale"})");
const std::string k408 = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n";

INSTANTIATE_TEST_SUITE_P(Table, IdleConnection,
                         testing::Values(Idle{"Fin", "", true, false, false},
                                         Idle{"FinSeen", "", true, false, true},
                                         Idle{"Rst", "", false, true, false},
                                         Idle{"RstSeen", "", false, true, true},
                                         Idle{"Answer", kStale, false, false, false},
                                         Idle{"AnswerSeen", kStale, false, false, true},
                                         Idle{"AnswerFin", kStale, true, false, true},
                                         Idle{"Timeout408Fin", k408, true, false, false},
                                         Idle{"Timeout408", k408, false, false, true},
                                         Idle{"OneByte", "x", false, false, false}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(EgressTest, ASecondAnswerAtOnceIsNobodys) {
  RawGateway gateway([](RawConnection& connection) {
    while (const auto request = connection.read_request()) {
      const std::string answer = http_answer(200, ok_json(request->body));
      connection.write(answer + answer);
    }
  });
  open(gateway.url());
  for (int64_t id = 1; id <= 5; ++id)
    expect_own_answer(call(id), id);
  EXPECT_EQ(gateway.bodies().size(), 5u);
}

// The status of an answer that comes when only the head was read.
class EarlyAnswer : public EgressTest, public testing::WithParamInterface<int> {};

TEST_P(EarlyAnswer, DoesNotDisturbTheNextCall) {
  RawGateway gateway([](RawConnection& connection) {
    if (connection.number() > 0) return serve(connection);
    const std::string head = connection.read_head().value();
    connection.answer(GetParam(), R"({"code":"1","transactionId":"early"})");
    connection.read_bytes(content_length(head));
    serve(connection);
  });
  open(gateway.url());
  const GatewayReply early = call(1, " " + std::string(3'000'000, 'x'));
  EXPECT_TRUE(early.body_handed);
  EXPECT_TRUE(early.complete);
  EXPECT_EQ(early.http_status, GetParam());
  expect_own_answer(call(2), 2);
}

INSTANTIATE_TEST_SUITE_P(Status, EarlyAnswer, testing::Values(200, 429));

TEST_F(EgressTest, ARequestThatWasNotWrittenCanGoOutAgainWithinItsCall) {
  // Every kept connection is stale when the next call comes, in all slots at once.
  RawGateway gateway([&](RawConnection& connection) {
    if (connection.number() >= options_.slots) return serve(connection);
    connection.answer(200, ok_json(connection.read_request().value().body));
    connection.wait_for("close");
    connection.fin();
    connection.tell("closed" + std::to_string(connection.number()));
  });
  open(gateway.url());
  for (int64_t id = 1; id <= options_.slots; ++id)
    send(id);
  run_until(options_.slots);
  gateway.tell("close");
  for (uint32_t i = 0; i < options_.slots; ++i)
    gateway.wait_for("closed" + std::to_string(i));
  for (int64_t id = 1; id <= options_.slots; ++id)
    send(100 + id);
  run_until(2 * options_.slots);
  for (const Replied& replied : replies_)
    expect_own_answer(replied.reply, raw(replied.batch));
  EXPECT_EQ(gateway.bodies().size(), 2 * options_.slots);
}

}  // namespace
}  // namespace weir::test
