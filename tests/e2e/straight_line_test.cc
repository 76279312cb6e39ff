// SPDX-License-Identifier: Apache-2.0
//
// The straight line with the real binary: handed in, on disk, paced, sent, its outcome known.
#include <algorithm>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/rig.h"

namespace weir::test {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

TEST(StraightLine, AMessageEndsAsSubmittedWithItsTransactionId) {
  Rig rig;
  rig.start_weir();
  const auto id = rig.send("otp", 1, "Your code is 4711");
  ASSERT_TRUE(id);
  EXPECT_EQ(rig.settled(*id), "submitted");
  const json::object message = rig.message(*id);
  const json::object& batch = message.at("batches").as_array().at(0).as_object();
  const json::object ledger = rig.ledger();
  const json::object& call = ledger.at("calls").as_array().at(0).as_object();
  EXPECT_EQ(batch.at("gateway_ref").as_string(), call.at("ref").as_string());
  EXPECT_EQ(call.at("body").as_string(), "Your code is 4711");
  EXPECT_EQ(call.at("recipients").as_array().at(0).as_string(), "910000000001");
}

TEST(StraightLine, TheCommandSendsFollowsAndShows) {
  Rig rig;
  rig.start_weir();
  std::string output;
  EXPECT_EQ(rig.command({"send", "--class", "otp", "--to", "+919876543210", "--wait", "30", "hi"},
                        &output),
            0);
  EXPECT_THAT(output, HasSubstr("m1 submitted"));
  EXPECT_THAT(output, HasSubstr("gateway_ref=fake-1"));
  EXPECT_EQ(rig.command({"show", "m1"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("submitted"));
  EXPECT_EQ(rig.command({"show", "m99"}, &output), 3);
  EXPECT_EQ(rig.command({"status"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("promotional"));
  EXPECT_EQ(rig.command({"send", "--class", "otpp", "--to", "+919876543210", "hi"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("/class"));
}

TEST(StraightLine, EveryOutcomeOfTheGatewayIsNamedRightly) {
  RigOptions options;
  options.gateway = {"--ceiling", "1000000",  "--latency",
                     "0ms",       "--script", "ok,content,500,reset,half,odd,stall"};
  options.total_timeout = "2s";
  Rig rig(options);
  rig.start_weir();
  const std::vector<std::string> expected = {"submitted", "refused", "unknown", "unknown",
                                             "unknown",   "unknown", "unknown"};
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto id = rig.send("transaction_alert", i, "text " + std::to_string(i));
    ASSERT_TRUE(id);
    EXPECT_EQ(rig.settled(*id), expected[i]) << i;
  }
  const json::object ledger = rig.ledger();
  EXPECT_EQ(ledger.at("sent_twice").to_number<int>(), 0);
  EXPECT_EQ(ledger.at("calls_total").to_number<size_t>(), expected.size());
}

TEST(StraightLine, AGatewayThatIsAwayIsWaitedFor) {
  Rig rig;
  rig.start_weir();
  rig.stop_gateway();
  const auto id = rig.send("transaction_alert", 1);
  ASSERT_TRUE(id);
  // At least one call has failed by the time the attempt is counted.
  while (rig.message(*id).at("batches").as_array().at(0).at("attempt").to_number<int>() == 0) {
  }
  rig.start_gateway();
  EXPECT_EQ(rig.settled(*id), "submitted");
}

TEST(StraightLine, AThrottledBatchIsSentLaterAndOnce) {
  RigOptions options;
  options.gateway = {"--ceiling", "1000000", "--latency", "0ms", "--script", "throttle,ok*100"};
  Rig rig(options);
  rig.start_weir();
  const auto id = rig.send("transaction_alert", 1);
  ASSERT_TRUE(id);
  EXPECT_EQ(rig.settled(*id), "submitted");
  const json::object ledger = rig.ledger();
  EXPECT_EQ(ledger.at("verdicts").at("throttled").to_number<int>(), 1);
  EXPECT_EQ(ledger.at("verdicts").at("accepted").to_number<int>(), 1);
}

// The gateway's own clock and its own books: no window holds more than capacity + rate x window,
// plus what was already under way when it began.
TEST(StraightLine, TwentyProducersNeverPushTheGatewayPastTheCeiling) {
  RigOptions options;
  options.rate = "200";
  options.capacity = "1s";
  Rig rig(options);
  rig.start_weir();
  std::vector<std::thread> producers;
  for (uint64_t p = 0; p < 20; ++p) {
    producers.emplace_back([&rig, p] {
      const char* classes[] = {"otp", "transaction_alert", "promotional", "delivery_update"};
      for (uint64_t i = 0; i < 50; ++i)
        rig.send(classes[p % 4], p * 1000 + i, "from a producer");
    });
  }
  for (std::thread& producer : producers)
    producer.join();
  rig.wait_until_idle();

  std::vector<std::pair<int64_t, double>> arrivals;
  const json::object ledger = rig.ledger();
  for (const json::value& call : ledger.at("calls").as_array()) {
    arrivals.emplace_back(call.at("at_us").to_number<int64_t>(),
                          call.at("units").to_number<double>());
  }
  ASSERT_GT(arrivals.size(), 900);
  std::sort(arrivals.begin(), arrivals.end());
  // At most the lanes' slots together can have been granted before a window and arrive inside it.
  const double in_flight = 16 + 16 + 32;
  for (const int64_t window_us : {200'000, 500'000, 1'000'000, 2'000'000}) {
    double inside = 0;
    size_t first = 0;
    for (size_t last = 0; last < arrivals.size(); ++last) {
      inside += arrivals[last].second;
      while (arrivals[last].first - arrivals[first].first >= window_us) {
        inside -= arrivals[first++].second;
      }
      ASSERT_LE(inside, 200 + 200 * static_cast<double>(window_us) / 1e6 + in_flight) << window_us;
    }
  }
}

}  // namespace
}  // namespace weir::test
