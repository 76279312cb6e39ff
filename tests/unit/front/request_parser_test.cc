// SPDX-License-Identifier: Apache-2.0

#include "shim/front/request_parser.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weir {
namespace {

const RequestParser::Streams kKept;  // every body is kept whole

const std::string kStream =
    "GET /first?a=1 HTTP/1.1\r\nHost: x\r\nX-Note: one\r\n\r\n"
    "POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello\r\n\r\nab"
    "POST /third HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5;note=\"a\"\r\nhello\r\n1\r\n \r\n005\r\nworld\r\n0\r\nTrailer: t\r\n\r\n"
    "\r\nGET /fourth HTTP/1.1\r\nHost: x\r\n\r\n";

// Feeds `stream` in pieces as `next_piece` cuts it; what the parser leaves is given again.
template <typename NextPiece>
std::vector<std::string> requests_of(std::string_view stream, NextPiece next_piece) {
  const HttpLimits limits;
  RequestParser parser(limits, kKept);
  std::vector<std::string> requests;
  while (!stream.empty()) {
    std::string_view piece = stream.substr(0, next_piece());
    stream.remove_prefix(piece.size());
    while (!piece.empty()) {
      const RequestParser::Fed fed = parser.feed(piece);
      piece.remove_prefix(fed.consumed);
      if (fed.progress == RequestParser::Progress::kFault) {
        requests.push_back("fault: " + std::string(parser.fault().detail));
        return requests;
      }
      if (fed.progress != RequestParser::Progress::kComplete) continue;
      const HttpRequest request = parser.take();
      requests.push_back(request.method + " " + request.path + " " + request.query + " " +
                         request.body);
      parser.next();
    }
  }
  EXPECT_FALSE(parser.started());
  return requests;
}

const std::vector<std::string> kRequests = {"GET /first a=1 ", "POST /second  hello\r\n\r\nab",
                                            "POST /third  hello world", "GET /fourth  "};

TEST(RequestParser, ReadsTheSameWhereverTheBytesAreCut) {
  EXPECT_EQ(requests_of(kStream, [] { return kStream.size(); }), kRequests);
  EXPECT_EQ(requests_of(kStream, [] { return size_t{1}; }), kRequests);
  std::minstd_rand random(1);
  for (int round = 0; round < 500; ++round) {
    ASSERT_EQ(requests_of(kStream, [&] { return size_t{1} + random() % 40; }), kRequests)
        << "round " << round;
  }
}

TEST(RequestParser, HeaderNamesAreInLowerCaseAndTrailersAreNotHeaders) {
  const HttpLimits limits;
  RequestParser parser(limits, kKept);
  const std::string text =
      "POST / HTTP/1.1\r\nHOST: x\r\nTransfer-ENCODING: Chunked\r\nX-Two:  a \r\n\r\n"
      "0\r\nX-Late: 1\r\n\r\n";
  size_t at = 0;
  while (at < text.size())
    at += parser.feed(std::string_view(text).substr(at)).consumed;
  const HttpRequest request = parser.take();
  EXPECT_EQ(request.header("host"), "x");
  EXPECT_EQ(request.header("x-two"), "a");
  EXPECT_EQ(request.header("x-late"), "");
  EXPECT_EQ(request.headers.size(), 3u);
}

TEST(RequestParser, AFloodOfChunkLinesIsCutOffLongBeforeTheBodyLimit) {
  const HttpLimits limits;
  RequestParser parser(limits, kKept);
  parser.feed("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "1;" + std::string(200, 'x') + "\r\n.\r\n";
  size_t sent = 0;
  while (parser.feed(chunk).progress != RequestParser::Progress::kFault) {
    sent += chunk.size();
    ASSERT_LT(sent, 32 * 1024u);
  }
  EXPECT_EQ(parser.fault().code, "malformed");
}

TEST(RequestParser, AnEndlessChunkExtensionIsCutOff) {
  const HttpLimits limits;
  RequestParser parser(limits, kKept);
  parser.feed("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;");
  size_t sent = 0;
  const std::string more(1000, 'x');
  while (parser.feed(more).progress != RequestParser::Progress::kFault) {
    sent += more.size();
    ASSERT_LT(sent, 32 * 1024u);
  }
}

TEST(RequestParser, RandomBytesNeverDoMoreThanFail) {
  std::minstd_rand random(7);
  for (int round = 0; round < 2000; ++round) {
    // A good stream with a few bytes changed, so that every state of the parser meets a bad byte.
    std::string stream = kStream;
    for (int i = 0; i < 3; ++i)
      stream[random() % stream.size()] = static_cast<char>(random());
    const HttpLimits limits;
    RequestParser parser(limits, kKept);
    std::string_view rest = stream;
    while (!rest.empty()) {
      const std::string_view piece = rest.substr(0, size_t{1} + random() % 60);
      const RequestParser::Fed fed = parser.feed(piece);
      ASSERT_LE(fed.consumed, piece.size());
      if (fed.progress == RequestParser::Progress::kFault) break;
      if (fed.progress == RequestParser::Progress::kComplete) parser.next();
      rest.remove_prefix(fed.consumed);
    }
  }
}

}  // namespace
}  // namespace weir
