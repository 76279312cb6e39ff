// SPDX-License-Identifier: Apache-2.0
//
// The pressure, asked for and listened to.
#include <gmock/gmock.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kListen =
    "GET /v1/pressure HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n";
constexpr const char* kAtRest =
    R"({"at":"2030-01-31T18:30:00.000Z","lanes":[)"
    R"({"lane":"otp","pressure":"clear","suggested_delay_ms":0,"predicted_wait_ms":0,)"
    R"("oldest_age_ms":null},)"
    R"({"lane":"transactional","pressure":"clear","suggested_delay_ms":0,"predicted_wait_ms":0,)"
    R"("oldest_age_ms":null},)"
    R"({"lane":"promotional","pressure":"clear","suggested_delay_ms":0,"predicted_wait_ms":0,)"
    R"("oldest_age_ms":null}]})";

void name_the_lanes(EngineView& view) {
  for (Lane lane : kAllLanes)
    view.lanes[index(lane)].lane = lane;
}

TEST(ApiPressure, GoldenPressure) {
  ApiHost host;
  name_the_lanes(host.view);
  EXPECT_EQ(host.get("/v1/pressure").body, kAtRest);
  LaneView& otp = host.view.lanes[index(Lane::kOtp)];
  otp.pressure = Pressure::kShed;
  otp.suggested_delay = Duration::millis(800);
  otp.predicted_wait = Duration::nanos(1'200'000'001);
  otp.oldest_age = Duration::millis(1'500);
  EXPECT_THAT(host.get("/v1/pressure").body,
              HasSubstr(R"([{"lane":"otp","pressure":"shed","suggested_delay_ms":800,)"
                        R"("predicted_wait_ms":1201,"oldest_age_ms":1500},)"));
}

TEST(ApiPressure, AListenerHearsHowItIsAndEachChange) {
  ApiHost host;
  name_the_lanes(host.view);
  RawClient client = host.connect();
  ASSERT_TRUE(client.send(kListen));
  ASSERT_TRUE(client.read_until(std::string("event: pressure\ndata: ") + kAtRest + "\n\n"));
  EXPECT_THAT(client.rest(), HasSubstr("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"));
  EXPECT_THAT(client.rest(), Not(HasSubstr("Content-Length")));
  for (const char* level : {"slow", "pause"}) {
    host.run([&] {
      Pressure& pressure = host.view.lanes[index(Lane::kPromotional)].pressure;
      pressure = static_cast<Pressure>(static_cast<int>(pressure) + 1);
      host.api().tell({});
    });
    EXPECT_TRUE(client.read_until(std::string(R"("lane":"promotional","pressure":")") + level));
  }
}

TEST(ApiPressure, OneWhoLeavesMakesRoomForAnother) {
  ApiOptions options;
  options.http.connections = 8;  // a quarter of them may listen
  ApiHost host(options);
  RawClient first = host.connect();
  RawClient second = host.connect();
  for (RawClient* one : {&first, &second}) {
    ASSERT_TRUE(one->send(kListen));
    ASSERT_TRUE(one->read_until("\n\n"));
  }
  const RawResponse busy = host.ask(kListen);
  EXPECT_EQ(busy.status, 503);
  EXPECT_THAT(busy.body, HasSubstr("\"code\":\"busy\""));
  first.reset();
  RawClient third = host.connect();
  RawResponse answer;
  do {  // until the server has seen it
    ASSERT_TRUE(third.send(kListen));
    ASSERT_TRUE(third.read_until("\r\n\r\n"));
    if (third.rest().find("event: pressure") != std::string::npos) break;
    answer = *third.read_response();
  } while (answer.status == 503);
  EXPECT_TRUE(third.read_until("event: pressure"));
}

TEST(ApiPressure, StreamsEndWhenWeirStops) {
  ApiHost host;
  RawClient client = host.connect();
  ASSERT_TRUE(client.send(kListen));
  ASSERT_TRUE(client.read_until("\n\n"));
  host.run([&] { host.api().stop_accepting(); });
  EXPECT_EQ(client.wait_end(), RawClient::End::kClosed);
}

TEST(ApiPressure, OneWhoDoesNotReadIsClosed) {
  ApiHost host;
  RawClient client = host.connect();
  ASSERT_TRUE(client.send(kListen));
  ASSERT_TRUE(client.read_until("\n\n"));
  // The sockets take some megabytes before anything waits here.
  host.run([&] {
    for (int i = 0; i < 100'000; ++i)
      host.api().tell({});
  });
  EXPECT_NE(client.wait_end(), RawClient::End::kTimedOut);
}

}  // namespace
}  // namespace weir::test
