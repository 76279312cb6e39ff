// SPDX-License-Identifier: Apache-2.0
//
// A corpus of raw requests, good and bad, against a real server. A bad one must be answered once,
// with its status, and the connection must end: what follows it is never read as a request.

#include <string>

#include <gtest/gtest.h>

#include "tests/unit/front/http_host.h"

namespace weir::test {
namespace {

struct Case {
  const char* name;
  std::string raw;
  int status;
};

// A request that must never be answered; it stands behind each bad one.
const std::string kSmuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

const Case kBad[] = {
    {"equal content lengths",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 400},
    {"different content lengths",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400},
    {"listed content lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5, 5\r\n\r\nhello",
     400},
    {"signed content length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +5\r\n\r\nhello", 400},
    {"negative content length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nhello",
     400},
    {"hexadecimal content length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x5\r\n\r\nhello",
     400},
    {"empty content length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\nhello", 400},
    {"space before the colon", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello",
     400},
    {"huge content length",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775807\r\n\r\n", 413},
    {"overflowing content length",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551621\r\n\r\nhello", 400},
    {"coding and length",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: "
     "5\r\n\r\n0\r\n\r\n",
     400},
    {"length and coding",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: "
     "chunked\r\n\r\n0\r\n\r\n",
     400},
    {"gzip and length",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
     400},
    {"gzip", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nhello", 501},
    {"gzip, chunked",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
    {"chunked, identity",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 501},
    {"xchunked", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501},
    {"chunked twice in a list",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 501},
    {"chunked in two fields",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"
     "\r\n0\r\n\r\n",
     400},
    {"chunked in HTTP/1.0",
     "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
    {"chunk without its line end",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello0\r\n\r\n", 400},
    {"chunk size that is none",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfive\r\nhello\r\n0\r\n\r\n",
     400},
    {"negative chunk size",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
     400},
    {"overflowing chunk size",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
     "10000000000000005\r\nhello\r\n0\r\n\r\n",
     400},
    {"huge chunk size",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\nhello",
     413},
    {"broken chunk extension",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;=x\r\nhello\r\n0\r\n\r\n",
     400},
    {"bare line feed after a chunk size",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n", 400},
    {"length in a trailer",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
     "0\r\nContent-Length: 5\r\n\r\n",
     400},
    {"folded field", "GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n", 400},
    {"folded coding",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", 400},
    {"space before the first field", "GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400},
    {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
    {"two hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", 400},
    {"bare line feeds", "GET / HTTP/1.1\nHost: x\n\n", 400},
    {"one bare line feed", "GET / HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n", 400},
    {"bare carriage return", "GET / HTTP/1.1\r\nHost: x\rX-A: b\r\n\r\n", 400},
    {"NUL in a value", std::string("GET / HTTP/1.1\r\nHost: x\0y\r\n\r\n", 29), 400},
    {"field without a colon", "GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n", 400},
    {"field without a name", "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", 400},
    {"space in a field name", "GET / HTTP/1.1\r\nHost: x\r\nX A: b\r\n\r\n", 400},
    {"absolute form", "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"authority form", "CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", 501},
    {"asterisk form", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"target that is not ASCII", "GET /caf\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"control character in the target", "GET /a\x01 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"no target", "GET HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"two spaces", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"space at the end of the request line", "GET / HTTP/1.1 \r\nHost: x\r\n\r\n", 400},
    {"lower-case method", "get / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"unknown method", "BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501},
    {"method that is no token", "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
    {"HTTP/0.9", "GET /\r\n\r\n", 400},
    {"HTTP/1.2", "GET / HTTP/1.2\r\nHost: x\r\n\r\n", 400},
    {"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400},
    {"lower-case version", "GET / http/1.1\r\nHost: x\r\n\r\n", 400},
    {"TLS", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15), 400},
    {"upgrade", "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
     400},
    {"other expectation",
     "POST / HTTP/1.1\r\nHost: x\r\nExpect: gold\r\nContent-Length: 1\r\n\r\na", 417},
    {"two expectations",
     "POST / HTTP/1.1\r\nHost: x\r\nExpect: gold\r\nExpect: 100-continue\r\n"
     "Content-Length: 1\r\n\r\na",
     417},
    {"head above the limit",
     "GET / HTTP/1.1\r\nHost: x\r\nX-A: " + std::string(9000, 'a') + "\r\n\r\n", 431},
    {"target above the limit", "GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n",
     431},
    {"too many fields",
     [] {
       std::string head = "GET / HTTP/1.1\r\nHost: x\r\n";
       for (int i = 0; i < 64; ++i)
         head += "A: b\r\n";
       return head + "\r\n";
     }(),
     431},
};

TEST(HttpFraming, ABadRequestIsAnsweredOnceAndEndsTheConnection) {
  int requests = 0;
  HttpHost host({}, [&](HttpServer& server, ExchangeId exchange, HttpRequest request) {
    ++requests;
    HttpHost::echo(server, exchange, std::move(request));
  });
  for (const Case& bad : kBad) {
    SCOPED_TRACE(bad.name);
    RawClient client = host.connect();
    client.send(bad.raw + kSmuggled);
    const auto response = client.read_response();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, bad.status);
    EXPECT_EQ(response->header("connection"), "close");
    EXPECT_EQ(response->header("content-type"), "application/problem+json");
    client.half_close();
    EXPECT_EQ(client.wait_end(), RawClient::End::kClosed);
    EXPECT_EQ(client.rest(), "");
  }
  host.close();
  EXPECT_EQ(requests, 0);
}

struct Good {
  const char* name;
  std::string raw;
  const char* echoed;
};

const Good kGood[] = {
    {"plain", "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a?b=c "},
    {"empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET /? "},
    {"no space after the colon", "GET / HTTP/1.1\r\nHost:x\r\n\r\n", "GET /? "},
    {"one empty line before", "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET /? "},
    {"body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", "POST /? hello"},
    {"no body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "POST /? "},
    {"leading zeros", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0005\r\n\r\nhello",
     "POST /? hello"},
    {"chunks",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
     "2\r\nhe\r\n3;a=\"b\"\r\nllo\r\n0\r\n\r\n",
     "POST /? hello"},
    {"chunks in capitals",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: CHUNKED\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
     "POST /? 0123456789"},
    {"trailer",
     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n",
     "POST /? a"},
    {"body that looks like a request",
     "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n",
     "POST /? GET / HTTP/1.1\r\n\r\n"},
    {"expectation with its body at once",
     "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\na",
     "POST /? a"},
    {"other methods", "DELETE /a HTTP/1.1\r\nHost: x\r\n\r\n", "DELETE /a? "},
    {"as many fields as are allowed",
     [] {
       std::string head = "GET / HTTP/1.1\r\nHost: x\r\n";
       for (int i = 0; i < 63; ++i)
         head += "A: b\r\n";
       return head + "\r\n";
     }(),
     "GET /? "},
};

TEST(HttpFraming, GoodRequestsPassOneAfterTheOtherOnOneConnection) {
  HttpHost host;
  RawClient client = host.connect();
  for (const Good& good : kGood) {
    SCOPED_TRACE(good.name);
    const auto response = client.ask(good.raw);
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body, good.echoed);
    EXPECT_EQ(response->header("connection"), "");
  }
}

TEST(HttpFraming, GoodRequestsPassWhenTheyComeByteByByte) {
  HttpHost host;
  RawClient client = host.connect();
  for (const Good& good : kGood) {
    SCOPED_TRACE(good.name);
    for (char byte : good.raw)
      ASSERT_TRUE(client.send({&byte, 1}));
    auto response = client.read_response();
    // Byte by byte, a body that was announced is asked for.
    if (response && response->status == 100) response = client.read_response();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->body, good.echoed);
  }
}

}  // namespace
}  // namespace weir::test
