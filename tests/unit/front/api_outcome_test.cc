// SPDX-License-Identifier: Apache-2.0
//
// Submissions whose answer waits for the outcome: Prefer: wait.
#include <gmock/gmock.h>

#include "shim/front/prefer.h"
#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using testing::HasSubstr;

constexpr const char* kOtp = R"({"class":"otp","to":"+919876543210","body":"4711"})";

// The store and the engine of one message.
class ApiOutcome : public testing::Test {
 protected:
  ApiOutcome() {
    host.on_submit = [this](RequestId request, Submission) {
      Accept accept;
      accept.request = request;
      accept.message.id = MessageId{42};
      host.api().answer(std::move(accept));
    };
    host.on_find = [this](RequestId request, MessageId id) {
      EXPECT_EQ(id, MessageId{42});
      looked_up += 1;
      Found found;
      found.request = request;
      found.result = Found::Result::kFound;
      found.report.message.id = id;
      for (size_t i = 0; i < batches.size(); ++i) {
        StateCount& count = found.report.states[static_cast<size_t>(batches[i])];
        count.batches += 1;
        count.recipients += 1;
        if (i == MessageReport::kBatchesShown) continue;
        BatchReport batch;
        batch.id = BatchId{static_cast<int64_t>(i) + 1};
        batch.state = batches[i];
        found.report.batches.push_back(batch);
      }
      host.api().answer(std::move(found));
    };
  }

  RawClient submit(const std::string& prefer) {
    RawClient client = host.connect();
    EXPECT_TRUE(client.send(ApiHost::post_text("/v1/messages", kOtp, prefer)));
    return client;
  }
  void record(size_t batch, BatchState state) {
    batches[batch] = state;
    host.api().recorded(BatchId{static_cast<int64_t>(batch) + 1});
  }
  // On the loop's thread.
  void wait_for_look_ups(int most) {
    for (int seen = -1; seen < most;)
      host.run([&] { seen = looked_up; });
  }

  std::vector<BatchState> batches = {BatchState::kClaimed};
  int looked_up = 0;
  ApiHost host;
};

TEST_F(ApiOutcome, TheAnswerComesWithTheOutcome) {
  RawClient client = submit("Prefer: wait=20\r\n");
  wait_for_look_ups(1);
  host.run([&] { record(0, BatchState::kSubmitted); });
  const auto response = client.read_response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->header("preference-applied"), "wait=20");
  EXPECT_EQ(response->header("location"), "/v1/messages/m42");
  EXPECT_THAT(response->body, HasSubstr(R"("state":"submitted")"));
}

TEST_F(ApiOutcome, ATryThatComesToNothingIsNotTheOutcome) {
  RawClient client = submit("Prefer: wait=20\r\n");
  wait_for_look_ups(1);
  host.run([&] {
    record(0, BatchState::kPending);  // it will be tried again
    record(0, BatchState::kShed);
  });
  const auto response = client.read_response();
  ASSERT_TRUE(response);
  EXPECT_THAT(response->body, HasSubstr(R"("state":"shed")"));
}

TEST_F(ApiOutcome, AllBatchesAreWaitedFor) {
  batches = {BatchState::kPending, BatchState::kPending};
  RawClient client = submit("Prefer: wait=20\r\n");
  wait_for_look_ups(1);
  host.run([&] { record(1, BatchState::kSubmitted); });
  EXPECT_EQ(looked_up, 1);
  host.run([&] { record(0, BatchState::kRefused); });
  const auto response = client.read_response();
  ASSERT_TRUE(response);
  EXPECT_THAT(response->body, HasSubstr(R"("state":"mixed")"));
}

TEST_F(ApiOutcome, WhenTheTimeIsOverItIsTheAcceptance) {
  RawClient client = submit("Prefer: wait=1\r\n");
  const auto response = client.read_response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 202);
  EXPECT_EQ(response->header("preference-applied"), "wait=1");
  host.run([&] { record(0, BatchState::kSubmitted); });  // nobody is there any more
  EXPECT_EQ(looked_up, 1);
}

TEST_F(ApiOutcome, WeirStopsAndSaysWhatThereIs) {
  RawClient client = submit("Prefer: wait=20\r\n");
  wait_for_look_ups(1);
  host.run([&] { host.api().stop_accepting(); });
  const auto response = client.read_response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 202);
}

TEST_F(ApiOutcome, MoreBatchesThanAReportShowsAreNotWaitedFor) {
  batches.assign(MessageReport::kBatchesShown + 1, BatchState::kPending);
  const auto response = submit("Prefer: wait=20\r\n").read_response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 202);
}

TEST_F(ApiOutcome, WithoutThePreferenceNothingIsLookedUp) {
  const auto response = submit("").read_response();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 202);
  EXPECT_EQ(response->header("preference-applied"), "");
  EXPECT_EQ(looked_up, 0);
}

TEST(Prefer, WaitIsHeardAmongOthersAndNothingElseIs) {
  const auto asked = [](std::vector<std::pair<std::string, std::string>> headers) {
    HttpRequest request;
    request.headers = std::move(headers);
    return preferred_wait(request);
  };
  EXPECT_EQ(asked({{"prefer", "wait=20"}}), Duration::seconds(20));
  EXPECT_EQ(asked({{"prefer", "respond-async, Wait = \"7\"; x=1"}}), Duration::seconds(7));
  EXPECT_EQ(asked({{"prefer", "respond-async"}, {"prefer", "wait=3"}}), Duration::seconds(3));
  for (const char* odd : {"", "wait", "wait=", "wait=-1", "wait=1.5", "wait=x", "wait=99999999999"})
    EXPECT_EQ(asked({{"prefer", odd}}), Duration()) << odd;
}

}  // namespace
}  // namespace weir::test
