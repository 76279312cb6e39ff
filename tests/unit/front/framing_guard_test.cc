// SPDX-License-Identifier: Apache-2.0

#include "shim/front/framing_guard.h"

#include <string>

#include <gtest/gtest.h>

namespace weir {
namespace {

TEST(FramingGuard, SeesABareLineFeedWhereverTheReadsAreCut) {
  const std::string good = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string bare = "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n";
  const std::string fold = "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n";
  for (const std::string* head : {&good, &bare, &fold}) {
    for (size_t cut = 0; cut <= head->size(); ++cut) {
      const std::string_view first = std::string_view(*head).substr(0, cut);
      const bool found =
          check_head_bytes(first, 0).has_value() || check_head_bytes(*head, cut).has_value();
      EXPECT_EQ(found, head != &good) << "cut at " << cut;
    }
  }
}

// By Content-Length, because an int in between would wrap.
TEST(FramingGuard, ReadsTheLengthExactlyUpToTheLimit) {
  HttpLimits limits;
  limits.body_bytes = 100;
  struct Row {
    const char* length;
    const char* code;
  };
  const Row rows[] = {
      {"0", ""},
      {"100", ""},
      {"0000000000000000000000000100", ""},
      {"101", "too_large"},
      {"18446744073709551617", "too_large"},
      {"", "malformed"},
      {"-1", "malformed"},
      {"+1", "malformed"},
      {"0x10", "malformed"},
      {"1 0", "malformed"},
      {"5, 5", "malformed"},
      {"1e2", "malformed"},
  };
  for (const Row& row : rows) {
    HttpRequest request;
    request.method = "POST";
    request.headers = {{"host", "x"}, {"content-length", row.length}};
    const auto fault = check_head(request, {"/", 1, false}, limits);
    EXPECT_EQ(fault ? fault->code : "", row.code) << row.length;
  }
}

}  // namespace
}  // namespace weir
