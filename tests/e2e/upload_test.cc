// SPDX-License-Identifier: Apache-2.0
//
// A file of a million recipients handed in at once, through a lane that holds a twentieth of it.
#include <fstream>
#include <set>
#include <string_view>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"
#include "tests/support/raw_client.h"

namespace weir::test {
namespace {

namespace json = boost::json;

// A sanitizer keeps memory of its own, and takes its time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr int kLines = kSanitized ? 1'500 : 10'000;
constexpr int kRecipients = 100;  // of each line

// The lane is nearly full all the time and drains at 100,000 units/s.
RigOptions narrow_lane() {
  RigOptions options;
  options.rate = "100000";
  options.gateway = {"--ceiling", "1000000", "--latency", "1ms"};
  options.more =
      "lanes:\n  promotional: {reserve: 50%, limit: 100%, slots: 64, max_rows: 650000, "
      "max_units: 50000, slow_at: 50%, pause_at: 90%}\n";
  return options;
}

std::string line(int number) {
  std::string text = R"({"class":"promotional","body":"sale","key":"line-)" +
                     std::to_string(number) + R"(","to":[)";
  for (int i = 0; i < kRecipients; ++i) {
    text += i == 0 ? "\"+91" : ",\"+91";
    text += std::to_string(9'000'000'000 + int64_t{number} * kRecipients + i) + '"';
  }
  return text + "]}\n";
}

// Sends the whole file; false: the other side went before the end of it.
bool send_file(RawClient& client) {
  if (!client.send("POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: "
                   "application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")) {
    return false;
  }
  for (int first = 0; first < kLines; first += 100) {
    std::string chunk;
    for (int number = first; number < first + 100; ++number)
      chunk += line(number);
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", chunk.size());
    if (!client.send(size + chunk + "\r\n")) return false;
  }
  return client.send("0\r\n\r\n");
}

int64_t resident_kib(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string word; status >> word;) {
    int64_t kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib;
  }
  return 0;
}

RawClient client_of(const Rig& rig) {
  return RawClient::unix_socket(rig.folder() + "/weir.sock");
}

json::object summary_of(RawClient& client) {
  std::optional<RawResponse> answer;
  // RawClient gives up after ten seconds; the lane may take longer.
  EXPECT_TRUE(client.read_until("\"complete\""));
  answer = client.read_response();
  EXPECT_TRUE(answer);
  if (!answer) return {};
  return json::parse(answer->body).as_object();  // it refused nothing, so this is one line
}

TEST(Upload, AMillionRecipientsPassALaneThatHoldsFiftyThousandInFlatMemory) {
  Rig rig(narrow_lane());
  rig.start_weir();
  ASSERT_TRUE(rig.send("promotional", 1));
  rig.wait_until_idle();
  const int64_t before = resident_kib(rig.weir().pid());
  RawClient client = client_of(rig);
  ASSERT_TRUE(send_file(client));
  const json::object summary = summary_of(client);
  const int64_t after = resident_kib(rig.weir().pid());
  EXPECT_TRUE(summary.at("complete").as_bool());
  EXPECT_EQ(summary.at("accepted").to_number<int>(), kLines);
  EXPECT_EQ(summary.at("refused").to_number<int>(), 0);
  EXPECT_EQ(summary.at("recipients").to_number<int>(), kLines * kRecipients);
  if (!kSanitized) {
    EXPECT_LT(after - before, 30 * 1024) << "KiB";
  }
  std::printf("weir grew by %.1f MB\n", static_cast<double>(after - before) / 1024);
  rig.wait_until_idle();
  EXPECT_EQ(rig.calls(), 1U + kLines);
}

TEST(Upload, WeirIsKilledInTheMiddleAndTheSameFileIsSentAgain) {
  Rig rig(narrow_lane());
  rig.start_weir();
  RawClient broken = client_of(rig);
  std::thread sender([&] { EXPECT_FALSE(send_file(broken)); });
  rig.wait_for_a_call();
  rig.kill_and_restart();
  sender.join();
  RawClient client = client_of(rig);
  ASSERT_TRUE(send_file(client));
  const json::object summary = summary_of(client);
  EXPECT_TRUE(summary.at("complete").as_bool());
  EXPECT_GT(summary.at("replayed").to_number<int>(), 0);
  EXPECT_EQ(summary.at("accepted").to_number<int>() + summary.at("replayed").to_number<int>(),
            kLines);
  rig.wait_until_idle();
  // What was under way at the kill may have been sent, and is not sent again; else each once.
  const json::object ledger = rig.ledger();
  std::set<std::string_view> sent;
  size_t twice = 0;
  for (const json::value& call : ledger.at("calls").as_array()) {
    for (const json::value& recipient : call.as_object().at("recipients").as_array())
      twice += sent.insert(recipient.as_string()).second ? 0 : 1;
  }
  EXPECT_EQ(twice, 0U);
  const json::object lanes = json::parse(rig.call("GET", "/v1/lanes").body).as_object();
  const auto unknown = lanes.at("unknown_batches").to_number<size_t>();
  EXPECT_GE(sent.size() + unknown * kRecipients, static_cast<size_t>(kLines) * kRecipients);
}

}  // namespace
}  // namespace weir::test
