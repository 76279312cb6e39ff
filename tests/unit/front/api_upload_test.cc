// SPDX-License-Identifier: Apache-2.0
//
// Many messages in one request: NDJSON, taken as it comes.
#include <deque>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "shim/front/message_streams.h"
#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string line(int number) {
  return R"({"class":"promotional","to":"+919876543210","body":"sale","key":"c-)" +
         std::to_string(number) + "\"}\n";
}

std::string lines(int count) {
  std::string all;
  for (int i = 0; i < count; ++i)
    all += line(i);
  return all;
}

std::string head_of(size_t body_bytes) {
  return "POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
         "Content-Length: " +
         std::to_string(body_bytes) + "\r\n\r\n";
}

std::string upload_of(const std::string& body) {
  return head_of(body.size()) + body;
}

// Accepts every message at once; a key that came before is a replay.
class ApiUpload : public testing::Test {
 protected:
  ApiUpload() {
    host.on_submit = [this](RequestId request, Submission submission) {
      submitted.push_back(submission.key);
      if (hold_back) return held.push_back(request);
      accept(request, keys.insert(submission.key).second);
    };
  }
  void accept(RequestId request, bool fresh) {
    Accept accept;
    accept.request = request;
    accept.replayed = !fresh;
    accept.message.lane = Lane::kPromotional;
    accept.message.recipients = 1;
    accept.message.cost = Units::of(2);
    host.api().answer(std::move(accept));
  }
  void refuse(RequestId request, RefusalCode code) {
    Refusal refusal;
    refusal.code = code;
    host.api().answer(Refuse{request, std::move(refusal)});
  }
  void move_pressure(Pressure to) {
    host.run([&] { host.api().tell({Lane::kPromotional, Pressure::kClear, to}); });
  }
  size_t count() {
    size_t seen = 0;
    host.run([&] { seen = submitted.size(); });
    return seen;
  }
  void wait_for(size_t most) {
    while (count() < most) {
    }
  }

  std::vector<std::string> submitted;
  std::set<std::string> keys;
  std::vector<RequestId> held;
  bool hold_back = false;
  ApiHost host;
};

TEST_F(ApiUpload, GoldenAnswer) {
  const std::string body = line(1) + "\r\n" + R"({"class":"promotional"})" + "\n" + line(2) +
                           R"({"class":"promotional","to":"+919876543210","body":"sale"})" + "\n" +
                           "not JSON\n" + line(1).substr(0, line(1).size() - 1);
  const RawResponse answer = host.ask(upload_of(body));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.header("content-type"), "application/x-ndjson");
  EXPECT_EQ(answer.header("connection"), "");
  EXPECT_THAT(
      answer.body,
      testing::StartsWith(
          R"({"line":3,"key":"","code":"invalid","detail":"2 fields are wrong","errors":[)"
          R"({"pointer":"/to","detail":"is missing; it must be a string or a list of strings"},)"));
  EXPECT_THAT(answer.body, HasSubstr(R"({"line":5,"key":"","code":"invalid",)"));
  EXPECT_THAT(answer.body, HasSubstr(R"([{"pointer":"/key","detail":"is required here)"));
  EXPECT_THAT(answer.body, HasSubstr(R"({"line":6,"key":"","code":"malformed")"));
  EXPECT_THAT(answer.body,
              testing::EndsWith(R"({"complete":true,"stopped_by":null,"lines":7,"accepted":2,)"
                                R"("replayed":1,"refused":3,"recipients":3,"cost_units":6})"
                                "\n"));
}

TEST_F(ApiUpload, TheLinesAreTheSameHoweverTheyAreCut) {
  const std::string body = lines(3);
  RawClient client = host.connect();
  for (char one : head_of(body.size()) + body)
    ASSERT_TRUE(client.send(std::string(1, one)));
  const auto answer = client.read_response();
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->body, HasSubstr(R"("accepted":3)"));
  EXPECT_THAT(submitted, ElementsAre("c-0", "c-1", "c-2"));
}

TEST_F(ApiUpload, AChunkedOneThatIsFarAboveTheBoundOfABodyPasses) {
  ApiOptions options;
  options.http.body_bytes = 1000;
  ApiHost small(options);
  small.on_submit = [&](RequestId request, Submission) {
    Accept yes;
    yes.request = request;
    small.api().answer(std::move(yes));
  };
  RawClient client = small.connect();
  ASSERT_TRUE(
      client.send("POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
                  "Transfer-Encoding: chunked\r\n\r\n"));
  const std::string chunk = lines(100);
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", chunk.size());
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(client.send(size + chunk + "\r\n"));
  ASSERT_TRUE(client.send("0\r\n\r\n"));
  const auto answer = client.read_response();
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->body, HasSubstr(R"("lines":1000,"accepted":1000)"));
}

TEST_F(ApiUpload, NothingMoreIsReadWhileItsLaneIsPaused) {
  hold_back = true;
  const int many = 50'000;
  RawClient client = host.connect();
  std::thread sender([&] { EXPECT_TRUE(client.send(upload_of(lines(many)))); });
  wait_for(MessageStreams::kAtOnce);
  move_pressure(Pressure::kPause);
  host.run([&] {
    hold_back = false;
    for (RequestId one : held)
      accept(one, true);
  });
  EXPECT_EQ(count(), MessageStreams::kAtOnce);
  move_pressure(Pressure::kSlow);
  sender.join();
  const auto answer = client.read_response();
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->body, HasSubstr(R"("complete":true,"stopped_by":null,"lines":50000,)"));
}

TEST_F(ApiUpload, ALineForWhichThereIsNoRoomWaitsAndIsNotRefused) {
  std::deque<RefusalCode> first = {RefusalCode::kLaneFull, RefusalCode::kDeadlineUnreachable,
                                   RefusalCode::kOverQuota, RefusalCode::kStoreUnavailable};
  host.on_submit = [&](RequestId request, Submission submission) {
    submitted.push_back(submission.key);
    if (first.empty()) return accept(request, true);
    refuse(request, first.front());
    first.pop_front();
  };
  const RawResponse answer = host.ask(upload_of(line(7)));
  EXPECT_THAT(answer.body, HasSubstr(R"("accepted":1,"replayed":0,"refused":0)"));
  EXPECT_THAT(submitted, ElementsAre("c-7", "c-7", "c-7", "c-7", "c-7"));
}

// To list ten thousand lines as refused would be the same lesson again.
TEST_F(ApiUpload, ALaneOrClassThatIsDrainedEndsItAndItMayComeAgain) {
  for (RefusalCode code : {RefusalCode::kLaneDraining, RefusalCode::kClassDraining}) {
    host.on_submit = [&](RequestId request, Submission) { refuse(request, code); };
    const RawResponse answer = host.ask(upload_of(lines(5)));
    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.header("retry-after"), "1");
    EXPECT_THAT(answer.body, HasSubstr(R"("stopped_by":")" + std::string(name(code)) + '"'));
    EXPECT_THAT(answer.body, HasSubstr(R"("refused":0,)"));
  }
}

TEST_F(ApiUpload, WhatTheEngineRefusesIsListedWithItsKey) {
  host.on_submit = [&](RequestId request, Submission) {
    refuse(request, RefusalCode::kDeadlinePassed);
  };
  const RawResponse answer = host.ask(upload_of(line(7)));
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr(R"({"line":1,"key":"c-7","code":"deadline_passed")"));
}

TEST_F(ApiUpload, AFileThatIsWrongAsAWholeEnds) {
  std::string body;
  for (uint64_t i = 0; i < MessageStreams::kMostRefused + 5; ++i)
    body += "{}\n";
  const RawResponse answer = host.ask(upload_of(body));
  EXPECT_EQ(answer.status, 422);
  EXPECT_THAT(answer.body, HasSubstr(R"("stopped_by":"too_many_refused")"));
  EXPECT_THAT(answer.body, HasSubstr(R"("refused":10000,)"));
}

TEST_F(ApiUpload, ALineAboveTheBoundOfABodyEnds) {
  ApiOptions options;
  options.http.body_bytes = 1000;
  ApiHost small(options);
  const RawResponse answer = small.ask(upload_of(std::string(2000, ' ')));
  EXPECT_EQ(answer.status, 422);
  EXPECT_THAT(answer.body, HasSubstr(R"({"line":1,"key":"","code":"too_large")"));
}

TEST_F(ApiUpload, OneThatBreaksOffLeavesTheNextAlone) {
  hold_back = true;
  RawClient client = host.connect();
  ASSERT_TRUE(client.send(head_of(100'000) + lines(5)));
  wait_for(5);
  client.reset();
  host.run([&] {
    hold_back = false;
    for (RequestId one : held)
      accept(one, true);
  });
  EXPECT_THAT(host.ask(upload_of(lines(5))).body, HasSubstr(R"("accepted":5)"));
}

TEST_F(ApiUpload, OneThatHasClosedItsHalfIsAnswered) {
  RawClient client = host.connect();
  ASSERT_TRUE(client.send(upload_of(lines(5))));
  client.half_close();
  const auto answer = client.read_response();
  ASSERT_TRUE(answer);
  EXPECT_THAT(answer->body, HasSubstr(R"("accepted":5)"));
}

// Each keeps a connection while it waits; those who hand in an OTP must still get one.
TEST_F(ApiUpload, UploadsTakeNoMoreThanAQuarterOfTheConnections) {
  ApiOptions options;
  options.http.connections = 4;
  ApiHost small(options);
  RawClient first = small.connect();
  ASSERT_TRUE(first.send(head_of(100) + "{}\n"));
  const auto second = [&] { return small.ask(upload_of("{}\n")); };
  RawResponse answer = second();
  while (answer.status == 200)
    answer = second();  // the first has not arrived
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, HasSubstr(R"("code":"busy")"));
  first.reset();
  while (second().status == 503) {
  }
}

TEST_F(ApiUpload, WeirStopsAndSaysHowFarItCame) {
  RawClient client = host.connect();
  ASSERT_TRUE(client.send(head_of(100'000) + lines(5)));
  wait_for(5);
  host.run([&] { host.api().stop_accepting(); });
  const auto answer = client.read_response();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->header("retry-after"), "1");
  EXPECT_THAT(answer->body,
              HasSubstr(R"("complete":false,"stopped_by":"draining","lines":5,"accepted":5)"));
}

}  // namespace
}  // namespace weir::test
