// SPDX-License-Identifier: Apache-2.0
//
// A round of random faults, the same for the same seed up to the order in which connections come.
// The bodies that the gateway read are the truth; what the egress reports must agree with it.
#include <map>
#include <random>

#include <gmock/gmock.h>

#include "tests/unit/egress/egress_fixture.h"

namespace weir::test {
namespace {

constexpr int64_t kMessages = 500;

enum class Deed : int {
  kAnswer,
  kAnswerAndEnd,
  kAnswerAndReset,
  kAnswerTwice,
  kError,
  kReadAndEnd,
  kReadAndReset,
  kReadHeadAndReset,
  kHalfHead,
  kHalfBody,
  kStall,
  kDeeds,
};

// True: the connection goes on.
bool answer_badly(RawConnection& connection, Deed deed, const std::string& json) {
  switch (deed) {
    case Deed::kAnswerTwice:
      connection.write(http_answer(200, json) + http_answer(200, json));
      return true;
    case Deed::kError: connection.answer(500, R"({"code":"500"})"); return true;
    case Deed::kReadAndEnd: connection.fin(); return false;
    case Deed::kReadAndReset: connection.rst(); return false;
    case Deed::kHalfHead:
      connection.write("HTTP/1.1 200 OK\r\nContent-Len");
      connection.fin();
      return false;
    case Deed::kHalfBody:
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + json);
      connection.rst();
      return false;
    case Deed::kStall: connection.wait_closed(); return false;
    default: break;
  }
  connection.answer(200, json);
  if (deed == Deed::kAnswerAndEnd) connection.fin();
  if (deed == Deed::kAnswerAndReset) connection.rst();
  return deed == Deed::kAnswer;
}

void misbehave(RawConnection& connection, uint32_t seed) {
  std::seed_seq sequence{seed, connection.number()};
  std::mt19937 random(sequence);
  if (random() % 20 == 0) return connection.rst();
  if (random() % 20 == 0) return connection.fin();
  while (true) {
    // Half of the requests are answered well, so that connections grow old enough to be reused.
    Deed deed = Deed::kAnswer;
    if (random() % 2 == 0) deed = static_cast<Deed>(random() % static_cast<int>(Deed::kDeeds));
    if (deed == Deed::kReadHeadAndReset) {
      connection.read_head();
      return connection.rst();
    }
    const auto request = connection.read_request();
    if (!request || !answer_badly(connection, deed, ok_json(request->body))) return;
  }
}

class FaultRound : public EgressTest, public testing::WithParamInterface<uint32_t> {};

TEST_P(FaultRound, NothingTwiceNothingDefiniteThatWasReadNoStrangersAnswer) {
  const uint32_t seed = GetParam();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RawGateway gateway([seed](RawConnection& connection) { misbehave(connection, seed); });
  options_.total_timeout = Duration::millis(400);
  open(gateway.url());
  int64_t sent = 0;
  on_reply_ = [&](const Replied&) {
    if (sent < kMessages) send(++sent);
  };
  while (sent < options_.slots)
    send(++sent);
  run_until(kMessages);

  std::map<std::string, int> delivered;
  for (const std::string& body : gateway.bodies()) {
    ++delivered[body.substr(0, body.find('&')).substr(4)];  // msg=m1&...
  }
  for (const auto& [text, times] : delivered)
    EXPECT_EQ(times, 1) << text;
  std::map<int64_t, int> reported;
  size_t complete = 0;
  for (const Replied& replied : replies_) {
    const std::string text = text_of(raw(replied.batch));
    ++reported[raw(replied.batch)];
    if (!replied.reply.body_handed) {
      EXPECT_EQ(delivered.count(text), 0u) << text;
    }
    if (!replied.reply.complete) continue;
    ++complete;
    EXPECT_EQ(delivered.count(text), 1u) << text;
    if (replied.reply.http_status == 200) {
      EXPECT_EQ(replied.reply.gateway_ref, text);
    }
  }
  EXPECT_EQ(reported.size(), static_cast<size_t>(kMessages));
  EXPECT_EQ(replies_.size(), static_cast<size_t>(kMessages));
  // The round is worth something only if both happened a lot.
  EXPECT_GT(complete, static_cast<size_t>(kMessages) / 4);
  EXPECT_LT(complete, static_cast<size_t>(kMessages) * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FaultRound, testing::Values(1u, 2u, 3u));

}  // namespace
}  // namespace weir::test
