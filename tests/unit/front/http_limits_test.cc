// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/front/http_host.h"

namespace weir::test {
namespace {

std::string post_head(size_t length) {
  return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
}

const std::string kChunkedHead = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

TEST(HttpLimits, ABodyAtTheLimitPassesOneByteMoreDoesNot) {
  HttpLimits limits;
  limits.body_bytes = 100'000;
  HttpHost host(limits);
  RawClient client = host.connect();
  const std::string body(100'000, 'b');
  EXPECT_EQ(client.ask(post_head(body.size()) + body)->body, "POST /? " + body);
  EXPECT_EQ(client.ask(kChunkedHead + "186a0\r\n" + body + "\r\n0\r\n\r\n")->body,
            "POST /? " + body);
  EXPECT_EQ(host.connect().ask(kChunkedHead + "186a1\r\n" + body)->status, 413);
  EXPECT_EQ(host.connect().ask(kChunkedHead + "186a0\r\n" + body + "\r\n1\r\nb")->status, 413);
}

TEST(HttpLimits, ATooLargeBodyIsRefusedBeforeAByteOfItIsRead) {
  HttpLimits limits;
  limits.body_bytes = 100;
  HttpHost host(limits);
  RawClient client = host.connect();
  const auto response = client.ask(post_head(101));
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 413);
  EXPECT_EQ(response->header("connection"), "close");
}

// The refusal must survive that the client goes on sending: no RST may overtake it.
TEST(HttpLimits, AClientThatSendsItsWholeBodyFirstStillReadsTheRefusal) {
  HttpLimits limits;
  limits.body_bytes = 100;
  HttpHost host(limits);
  for (int round = 0; round < 5; ++round) {
    RawClient client = host.connect();
    EXPECT_TRUE(client.send(post_head(30'000'000) + std::string(30'000'000, 'b')));
    const auto response = client.read_response();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, 413);
  }
}

TEST(HttpLimits, ASlowHeadIsAnswered408) {
  HttpLimits limits;
  limits.head_time = Duration::millis(50);
  HttpHost host(limits);
  RawClient client = host.connect();
  const auto response = client.ask("GET / HTTP/1.1\r\nHo");
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 408);
  EXPECT_EQ(response->header("connection"), "close");
  client.half_close();
  EXPECT_EQ(client.wait_end(), RawClient::End::kClosed);
}

// A byte now and then does not buy time: the head has its time as a whole.
TEST(HttpLimits, AHeadThatTricklesInIsAnswered408) {
  HttpLimits limits;
  limits.head_time = Duration::millis(100);
  limits.head_bytes = 1'000'000;
  HttpHost host(limits);
  RawClient client = host.connect();
  client.send("GET / HTTP/1.1\r\nHost: x\r\nX: ");
  std::optional<RawResponse> response;
  std::thread reader([&] { response = client.read_response(); });
  // Until the server has closed; 900,000 writes take far longer than the limit.
  for (int i = 0; i < 900'000 && client.send("a"); ++i)
    std::this_thread::yield();
  reader.join();
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, 408);
}

TEST(HttpLimits, ASlowBodyIsAnswered408) {
  HttpLimits limits;
  limits.body_time = Duration::millis(50);
  HttpHost host(limits);
  EXPECT_EQ(host.connect().ask(post_head(5) + "he")->status, 408);
  EXPECT_EQ(host.connect().ask(kChunkedHead + "5\r\nhe")->status, 408);
}

TEST(HttpLimits, AnIdleConnectionIsClosedWithoutAWord) {
  HttpLimits limits;
  limits.idle_time = Duration::millis(50);
  HttpHost host(limits);
  RawClient never = host.connect();
  RawClient once = host.connect();
  EXPECT_EQ(once.ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n")->status, 200);
  EXPECT_EQ(never.wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(never.rest(), "");
  EXPECT_EQ(once.wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(once.rest(), "");
}

// A request that is out for its answer is not idle, however long that takes.
TEST(HttpLimits, AWaitForTheAnswerIsNotIdle) {
  HttpLimits limits;
  limits.idle_time = Duration::millis(30);
  std::promise<ExchangeId> asked;
  HttpHost host(limits,
                [&](HttpServer&, ExchangeId exchange, HttpRequest) { asked.set_value(exchange); });
  RawClient waits = host.connect();
  waits.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const ExchangeId exchange = asked.get_future().get();
  // Another connection outlives its idle time meanwhile.
  EXPECT_EQ(host.connect().wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(host.connect().wait_end(), RawClient::End::kClosed);
  host.run([&] { host.server().respond(exchange, HttpResponse{}); });
  EXPECT_EQ(waits.read_response()->status, 200);
}

// A client that reads nothing must not hold its answer in memory for ever.
TEST(HttpLimits, AnAnswerThatNobodyReadsIsGivenUp) {
  HttpLimits limits;
  limits.idle_time = Duration::millis(50);
  HttpHost host(limits, [](HttpServer& server, ExchangeId exchange, HttpRequest) {
    HttpResponse response;
    response.body = std::string(50'000'000, 'x');
    server.respond(exchange, std::move(response));
  });
  RawClient client = host.connect();
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  // One that is idle since later has gone, so the deadline of this one has passed too.
  EXPECT_EQ(host.connect().wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(host.connect().wait_end(), RawClient::End::kClosed);
  EXPECT_FALSE(client.read_response().has_value());
}

TEST(HttpLimits, ConnectionsAboveTheCapAreToldSoAndClosed) {
  HttpLimits limits;
  limits.connections = 3;
  HttpHost host(limits);
  const std::string request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  std::vector<RawClient> kept;
  for (int i = 0; i < 3; ++i) {
    kept.push_back(host.connect());
    EXPECT_EQ(kept.back().ask(request)->status, 200);
  }
  {
    RawClient refused = host.connect();
    const auto response = refused.read_response();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, 503);
    EXPECT_EQ(response->header("retry-after"), "1");
    EXPECT_EQ(response->header("connection"), "close");
    refused.half_close();
    EXPECT_EQ(refused.wait_end(), RawClient::End::kClosed);
  }
  for (RawClient& client : kept)
    EXPECT_EQ(client.ask(request)->status, 200);
  kept.pop_back();
  // Its place is free once the loop has seen it go.
  while (host.connections() > 2)
    std::this_thread::yield();
  EXPECT_EQ(host.connect().ask(request)->status, 200);
}

TEST(HttpLimits, FarAboveTheCapConnectionsAreOnlyClosed) {
  HttpLimits limits;
  limits.connections = 1;
  HttpHost host(limits);
  std::vector<RawClient> clients;
  for (int i = 0; i < 200; ++i)
    clients.push_back(host.connect());
  int told = 0;
  for (size_t i = 1; i < clients.size(); ++i)
    told += clients[i].read_response().has_value();
  EXPECT_GE(told, 1);
  EXPECT_LE(told, 32);
  EXPECT_EQ(clients[0].ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n")->status, 200);
}

TEST(HttpLimits, AllBodiesTogetherAreBounded) {
  HttpLimits limits;
  limits.body_bytes = 100'000;
  limits.all_bodies_bytes = 150'000;
  HttpHost host(limits);
  RawClient first = host.connect();
  first.send(post_head(100'000) + std::string(90'000, 'b'));
  RawClient probe = host.connect();
  // Until the loop has read the first one: a small body fits, one that would pass the sum does not.
  int status = 200;
  while (status == 200)
    status = host.connect().ask(post_head(70'000) + std::string(70'000, 'c'))->status;
  EXPECT_EQ(status, 503);
  EXPECT_EQ(probe.ask(post_head(1000) + std::string(1000, 'c'))->status, 200);
  // Chunks that carry no length at first are held to it as they come.
  EXPECT_EQ(host.connect().ask(kChunkedHead + "186a0\r\n" + std::string(70'000, 'c'))->status, 503);
  EXPECT_EQ(first.ask(std::string(10'000, 'b'))->status, 200);
  EXPECT_EQ(probe.ask(post_head(100'000) + std::string(100'000, 'c'))->status, 200);
}

}  // namespace
}  // namespace weir::test
