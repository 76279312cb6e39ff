// SPDX-License-Identifier: Apache-2.0

#include "shim/front/http_server.h"

#include <algorithm>
#include <future>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/loopback.h"
#include "tests/unit/front/http_host.h"

namespace weir::test {
namespace {

std::string get(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

std::string post(const std::string& path, const std::string& body) {
  return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

// Keeps the requests, so that the test answers them when it likes. wait_for() is for the test's
// thread: the loop would wait for itself.
class Held {
 public:
  HttpHost::Handler handler() {
    return [this](HttpServer&, ExchangeId exchange, HttpRequest request) {
      const std::lock_guard lock(mutex_);
      held_.emplace_back(exchange, std::move(request));
      changed_.notify_all();
    };
  }
  std::vector<std::pair<ExchangeId, HttpRequest>> wait_for(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_.size() >= count; });
    return held_;
  }
  size_t count() {
    const std::lock_guard lock(mutex_);
    return held_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<ExchangeId, HttpRequest>> held_;
};

HttpResponse text_response(std::string body) {
  HttpResponse response;
  response.body = std::move(body);
  return response;
}

TEST(HttpServer, GoldenAnswer) {
  HttpHost host({}, [](HttpServer& server, ExchangeId exchange, HttpRequest) {
    HttpResponse response = text_response("{}");
    response.status = 202;
    response.headers.emplace_back("Location", "/v1/messages/m1");
    response.close = true;
    server.respond(exchange, std::move(response));
  });
  RawClient client = host.connect();
  client.send(get("/"));
  EXPECT_EQ(client.wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(client.rest(),
            "HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
            "Location: /v1/messages/m1\r\nConnection: close\r\n\r\n{}");
}

TEST(HttpServer, ConnectionsAreKeptOrClosedAsTheClientAsks) {
  HttpHost host;
  struct Row {
    const char* version;
    const char* connection;
    const char* answered;
  };
  const Row rows[] = {{"1.1", "", ""},
                      {"1.1", "Connection: close\r\n", "close"},
                      {"1.1", "Connection: foo, Close\r\n", "close"},
                      {"1.0", "", "close"},
                      {"1.0", "Connection: keep-alive\r\n", "keep-alive"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.version) + " " + row.connection);
    RawClient client = host.connect();
    const std::string request =
        std::string("GET / HTTP/") + row.version + "\r\nHost: x\r\n" + row.connection + "\r\n";
    const auto first = client.ask(request);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(first->header("connection"), row.answered);
    EXPECT_EQ(client.ask(request).has_value(), std::string(row.answered) != "close");
  }
}

TEST(HttpServer, APipelinedRequestIsHandedOutAfterTheFirstIsAnswered) {
  Held held;
  HttpHost host({}, held.handler());
  RawClient client = host.connect();
  client.send(get("/first") + get("/second"));
  const ExchangeId first = held.wait_for(1)[0].first;
  client.send(get("/third"));
  // One more turn of the loop at least, and the others are still not out.
  host.run([] {});
  EXPECT_EQ(held.count(), 1u);
  host.run([&] { host.server().respond(first, text_response("1")); });
  EXPECT_EQ(client.read_response()->body, "1");
  const ExchangeId second = held.wait_for(2)[1].first;
  host.run([&] { host.server().respond(second, text_response("2")); });
  EXPECT_EQ(client.read_response()->body, "2");
  const auto all = held.wait_for(3);
  EXPECT_EQ(all[2].second.path, "/third");
  host.run([&] { host.server().respond(all[2].first, text_response("3")); });
  EXPECT_EQ(client.read_response()->body, "3");
}

TEST(HttpServer, AThousandPipelinedRequestsAreAllAnsweredInOrder) {
  HttpHost host;
  RawClient client = host.connect();
  std::string all;
  for (int i = 0; i < 1000; ++i)
    all += post("/" + std::to_string(i), std::string(50, 'b'));
  client.send(all);
  for (int i = 0; i < 1000; ++i) {
    const auto response = client.read_response();
    ASSERT_TRUE(response.has_value()) << i;
    ASSERT_EQ(response->body, "POST /" + std::to_string(i) + "? " + std::string(50, 'b'));
  }
}

TEST(HttpServer, ConnectionsAreAnsweredInAnyOrder) {
  Held held;
  HttpHost host({}, held.handler());
  RawClient one = host.connect();
  RawClient two = host.connect();
  one.send(get("/one"));
  held.wait_for(1);
  two.send(get("/two"));
  const auto requests = held.wait_for(2);
  host.run([&] {
    host.server().respond(requests[1].first, text_response("two"));
    host.server().respond(requests[0].first, text_response("one"));
  });
  EXPECT_EQ(one.read_response()->body, "one");
  EXPECT_EQ(two.read_response()->body, "two");
}

TEST(HttpServer, AnAnswerForAClientThatHasGoneGoesNowhere) {
  Held held;
  HttpHost host({}, held.handler());
  RawClient gone = host.connect();
  gone.send(get("/"));
  const ExchangeId exchange = held.wait_for(1)[0].first;
  gone.close();
  RawClient here = host.connect();
  here.send(get("/"));
  const ExchangeId second = held.wait_for(2)[1].first;
  host.run([&] {
    host.server().respond(exchange, text_response(std::string(1'000'000, 'x')));
    host.server().respond(exchange, text_response("again"));
    host.server().reset(exchange);
    host.server().respond(second, text_response("ok"));
  });
  EXPECT_EQ(here.read_response()->body, "ok");
}

TEST(HttpServer, AClientMayCloseItsHalfAndStillGetsItsAnswer) {
  Held held;
  HttpHost host({}, held.handler());
  RawClient client = host.connect();
  client.send(get("/"));
  client.half_close();
  const ExchangeId exchange = held.wait_for(1)[0].first;
  host.run([&] { host.server().respond(exchange, text_response("late")); });
  const auto response = client.read_response();
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->body, "late");
  EXPECT_EQ(client.wait_end(), RawClient::End::kClosed);
}

TEST(HttpServer, AnAnswerLargerThanTheSocketTakesArrivesWhole) {
  std::string large(20'000'000, '\0');
  std::minstd_rand random(3);
  std::generate(large.begin(), large.end(), [&] { return static_cast<char>(random()); });
  HttpHost host({}, [&](HttpServer& server, ExchangeId exchange, HttpRequest) {
    server.respond(exchange, text_response(large));
  });
  RawClient client = host.connect();
  for (int i = 0; i < 2; ++i) {
    const auto response = client.ask(get("/"));
    ASSERT_TRUE(response.has_value());
    EXPECT_TRUE(response->body == large);
  }
}

TEST(HttpServer, TheAnswerToHeadHasALengthAndNoBody) {
  HttpHost host;
  RawClient client = host.connect();
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto response = client.read_response(true);
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->header("content-length"), "9");
  EXPECT_EQ(client.ask(get("/b"))->body, "GET /b? ");
}

TEST(HttpServer, ContinueIsSaidBeforeABodyAndNotBeforeARefusal) {
  HttpLimits limits;
  limits.body_bytes = 10;
  HttpHost host(limits);
  RawClient client = host.connect();
  const auto go_on =
      client.ask("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  ASSERT_TRUE(go_on.has_value());
  EXPECT_EQ(go_on->status, 100);
  EXPECT_EQ(client.ask("ok")->body, "POST /? ok");
  const auto refused = client.ask(
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n");
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->status, 413);
}

TEST(HttpServer, DropSendsTheBytesAndFinResetSendsRst) {
  HttpHost host({}, [](HttpServer& server, ExchangeId exchange, HttpRequest request) {
    if (request.path == "/drop") return server.drop(exchange, "HTTP/1.1 200 OK\r\nContent-Le");
    if (request.path == "/nothing") return server.drop(exchange, "");
    server.reset(exchange);
  });
  RawClient dropped = host.connect();
  dropped.send(post("/drop", "body") + get("/next"));
  EXPECT_EQ(dropped.wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(dropped.rest(), "HTTP/1.1 200 OK\r\nContent-Le");

  RawClient silent = host.connect();
  silent.send(get("/nothing"));
  EXPECT_EQ(silent.wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(silent.rest(), "");

  RawClient reset = host.connect();
  reset.send(get("/reset"));
  EXPECT_EQ(reset.wait_end(), RawClient::End::kReset);
  EXPECT_EQ(reset.rest(), "");
}

TEST(HttpServer, AMegabyteOfGarbageLeavesItAlive) {
  HttpHost host;
  std::minstd_rand random(11);
  for (int round = 0; round < 3; ++round) {
    std::string garbage(1024 * 1024, 'a');
    if (round > 0) {
      std::generate(garbage.begin(), garbage.end(), [&] { return static_cast<char>(random()); });
    }
    RawClient client = host.connect();
    const auto response = client.ask(garbage);
    ASSERT_TRUE(response.has_value());
    EXPECT_TRUE(response->status == 400 || response->status == 431) << response->status;
  }
  EXPECT_EQ(host.connect().ask(get("/"))->status, 200);
}

TEST(HttpServer, StopAcceptingStillAnswersWhatIsUnderWay) {
  Held held;
  HttpHost host({}, held.handler());
  RawClient waits = host.connect();
  RawClient halfway = host.connect();
  RawClient idle = host.connect();
  waits.send(get("/") + get("/never"));
  const ExchangeId exchange = held.wait_for(1)[0].first;
  halfway.send("GET / HTTP/1.1\r\nHo");
  // An answered request on another connection shows that the loop has read the half one too.
  RawClient probe = host.connect();
  probe.send(get("/probe"));
  const ExchangeId probed = held.wait_for(2)[1].first;
  host.run([&] { host.server().respond(probed, text_response("")); });
  probe.read_response();

  host.run([&] { host.server().stop_accepting(); });
  EXPECT_EQ(idle.wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(idle.rest(), "");
  const auto refused = halfway.read_response();
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->status, 503);
  EXPECT_FALSE(host.connect().connected());

  host.run([&] { host.server().respond(exchange, text_response("bye")); });
  const auto response = waits.read_response();
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->body, "bye");
  EXPECT_EQ(response->header("connection"), "close");
  EXPECT_EQ(waits.wait_end(), RawClient::End::kClosed);
  EXPECT_EQ(held.count(), 2u);
}

TEST(HttpServer, CloseEndsConnectionsOfEveryKindAndLeavesNoHandle) {
  Held held;
  HttpHost host({}, held.handler());
  RawClient idle = host.connect();
  RawClient waits = host.connect();
  waits.send(get("/") + get("/"));
  RawClient halfway = host.connect();
  halfway.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
  RawClient refused = host.connect();
  refused.ask("nonsense\r\n\r\n");
  RawClient large = host.connect();
  large.send(get("/large"));
  for (const auto& [exchange, request] : held.wait_for(2)) {
    if (request.path != "/large") continue;
    host.run([&, id = exchange] {
      host.server().respond(id, text_response(std::string(50'000'000, 'x')));
    });
  }
  host.close();  // it checks the handles
  idle.wait_end();
  EXPECT_NE(waits.wait_end(), RawClient::End::kTimedOut);
}

TEST(HttpServer, AnAddressInUseOrNoneIsAnErrorThatNamesIt) {
  HttpHost host;
  host.run([&] {
    const auto twice = host.server().listen_tcp("127.0.0.1", host.port());
    ASSERT_FALSE(twice);
    EXPECT_NE(twice.error().detail.find("127.0.0.1 port " + std::to_string(host.port())),
              std::string::npos);
    const auto name = host.server().listen_tcp("localhost", 0);
    ASSERT_FALSE(name);
    EXPECT_NE(name.error().detail.find("localhost"), std::string::npos);
  });
}

TEST(HttpServer, ListensOnIpv6Too) {
  HttpHost host;
  host.run([&] {
    const auto port = host.server().listen_tcp("::1", 0);
    if (!port && port.error().detail.find("not available") != std::string::npos) {
      GTEST_SKIP() << "this machine has no IPv6 loopback";
    }
    ASSERT_TRUE(port) << port.error().detail;
    EXPECT_NE(*port, 0);
  });
}

// Without a descriptor left, waiting connections are closed, and the server goes on afterwards.
TEST(HttpServer, SurvivesHavingNoDescriptorLeft) {
  HttpHost host;
  RawClient old = host.connect();
  ASSERT_EQ(old.ask(get("/"))->status, 200);

  const sockaddr_in address = loopback(host.port());
  std::vector<int> fds;
  for (int i = 0; i < 3; ++i)
    fds.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));

  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  // Descriptors are given out from the lowest, so nothing below the last one is free for long.
  std::vector<int> fillers;
  while (true) {
    const int filler = ::dup(fds[0]);
    fillers.push_back(filler);
    if (filler > fds.back()) break;
  }
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(fillers.back()) + 1;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  for (const int fd : fds) {
    ASSERT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    char byte = 0;
    EXPECT_LE(::recv(fd, &byte, 1, 0), 0);
  }
  EXPECT_EQ(old.ask(get("/"))->status, 200);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  for (const int fd : fds)
    ::close(fd);
  for (const int fd : fillers)
    ::close(fd);
  EXPECT_EQ(host.connect().ask(get("/"))->status, 200);
}

}  // namespace
}  // namespace weir::test
