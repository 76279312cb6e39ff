// SPDX-License-Identifier: Apache-2.0
//
// From opening to closing: turns, slots, the watchdog, giving up, letting go.
#include <set>

#include <gmock/gmock.h>

#include "tests/unit/egress/egress_fixture.h"

namespace weir::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

void stall(RawConnection& connection) {
  connection.read_request();
  connection.wait_closed();
}

TEST_F(EgressTest, ReportsInALaterTurnAndCountsUntilThen) {
  open("http://127.0.0.1:" + std::to_string(refusing_port()));
  send(1);
  send(2);
  EXPECT_THAT(replies_, IsEmpty());
  EXPECT_EQ(egress_->in_flight(), 2u);
  uint32_t in_flight_then = 99;
  on_reply_ = [&](const Replied&) { in_flight_then = egress_->in_flight(); };
  run_until(2);
  EXPECT_EQ(in_flight_then, 0u);
}

TEST_F(EgressTest, AReplysSlotCanBeUsedByItsReceiver) {
  RawGateway gateway(serve);
  options_.slots = 1;
  open(gateway.url());
  on_reply_ = [&](const Replied& replied) {
    if (raw(replied.batch) < 20) send(raw(replied.batch) + 1);
  };
  send(1);
  run_until(20);
  EXPECT_EQ(gateway.bodies().size(), 20u);
  EXPECT_EQ(gateway.connections(), 1u);
}

TEST_F(EgressTest, MoreCallsThanSlotsAreAMistakeOfTheCaller) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  options_.slots = 1;
  open("http://127.0.0.1:" + std::to_string(refusing_port()));
  send(1);
  EXPECT_DEATH(send(2), "check failed");
}

TEST_F(EgressTest, TheWatchdogEndsWhatCurlDoesNot) {
  RawGateway gateway(stall);
  // Before curl's own limit, as if curl had missed it.
  options_.total_timeout = Duration::seconds(600);
  options_.watchdog_delay = Duration::millis(200) - options_.total_timeout;
  open(gateway.url());
  for (int64_t id = 1; id <= 3; ++id)
    send(id);
  run_until(3);
  for (const Replied& replied : replies_) {
    EXPECT_TRUE(replied.reply.body_handed);
    EXPECT_FALSE(replied.reply.complete);
    EXPECT_THAT(replied.reply.transport_error, HasSubstr("did not end"));
  }
  EXPECT_EQ(gateway.bodies().size(), 3u);
}

TEST_F(EgressTest, AbandonReportsEachCallAsWhatItHadComeTo) {
  RawGateway gateway([](RawConnection& connection) {
    connection.read_request();
    if (connection.number() == 0) {
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{");
      connection.tell("written");
    }
    connection.wait_closed();
  });
  open(gateway.url());
  for (int64_t id = 1; id <= 3; ++id)
    send(id);
  while (gateway.bodies().size() < 3)
    turn();
  gateway.wait_for("written");
  turn();  // what was written has arrived: it is seen in this turn
  for (int64_t id = 4; id <= 5; ++id)
    send(id);
  egress_->abandon();
  EXPECT_THAT(replies_, IsEmpty());
  EXPECT_EQ(egress_->in_flight(), 5u);
  run_until(5);
  EXPECT_EQ(egress_->in_flight(), 0u);
  std::set<int64_t> reported;
  int with_status = 0;
  for (const Replied& replied : replies_) {
    reported.insert(raw(replied.batch));
    EXPECT_EQ(replied.reply.body_handed, raw(replied.batch) <= 3);
    EXPECT_FALSE(replied.reply.complete);
    if (replied.reply.http_status == 200) ++with_status;
  }
  EXPECT_EQ(reported.size(), 5u);
  EXPECT_EQ(with_status, 1);
}

TEST_F(EgressTest, AbandonWithNothingUnderWayDoesNothing) {
  open("http://127.0.0.1:" + std::to_string(refusing_port()));
  egress_->abandon();
  turn();
  EXPECT_THAT(replies_, IsEmpty());
}

TEST_F(EgressTest, LeavesNoDescriptorBehind) {
  open("http://127.0.0.1:" + std::to_string(refusing_port()));
  call(1);  // what the process opens once is open now
  close();
  replies_.clear();
  const size_t before = open_descriptors();
  {
    RawGateway gateway([](RawConnection& connection) {
      const auto request = connection.read_request();
      if (!request) return;
      switch (connection.number() % 4) {
        case 0: return connection.rst();
        case 1: return connection.fin();
        case 2: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"); return;
        default: connection.answer(200, ok_json(request->body)); return serve(connection);
      }
    });
    open(gateway.url());
    for (int64_t id = 1; id <= 200; ++id) {
      send(id);
      if (id % options_.slots == 0) run_until(static_cast<size_t>(id));
    }
    close();
  }
  EXPECT_EQ(replies_.size(), 200u);
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(EgressTest, TwoEgressesShareALoop) {
  RawGateway first(serve);
  RawGateway second(serve);
  options_.url = second.url();
  size_t other_replies = 0;
  Egress other(&loop_, options_, profile_, [&](Replied replied) {
    EXPECT_TRUE(replied.reply.complete);
    ++other_replies;
  });
  auto payload = std::make_unique<Payload>();
  payload->text.body = "x";
  payload->recipients = {{919876543210}};
  other.send(std::move(payload));
  open(first.url());
  EXPECT_TRUE(call(1).complete);
  while (other.in_flight() > 0)
    uv_run(&loop_, UV_RUN_ONCE);
  EXPECT_EQ(other_replies, 1u);
  bool closed = false;
  other.close([&] { closed = true; });
  while (!closed)
    uv_run(&loop_, UV_RUN_ONCE);
  EXPECT_TRUE(call(2).complete);
}

}  // namespace
}  // namespace weir::test
