// SPDX-License-Identifier: Apache-2.0
//
// The reading routes: a message, the lanes, health.

#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/api_host.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

Found found_message(RequestId request) {
  Found found;
  found.request = request;
  found.result = Found::Result::kFound;
  Message& message = found.report.message;
  message.id = MessageId{7};
  message.class_name = "promotional";
  message.priority = 5;
  message.encoding = Encoding::kUcs2;
  message.units = 60;
  message.segments = 1;
  message.recipients = 203;
  message.cost = Units::of(203);
  message.created = WallTime::from_unix_ms(1'896'114'600'000);
  message.deadline = WallTime::from_unix_ms(1'896'118'200'000);
  message.key = "k";
  message.tag = "diwali";
  BatchReport sent;
  sent.id = BatchId{11};
  sent.state = BatchState::kSubmitted;
  sent.recipients = 200;
  sent.cost = Units::of(200);
  sent.attempt = 2;
  sent.claimed_at = WallTime::from_unix_ms(1'896'114'601'000);
  sent.done_at = WallTime::from_unix_ms(1'896'114'601'250);
  sent.code = "200\xff";
  sent.gateway_ref = "81-77";
  sent.rejected = {Recipient{919876543210}};
  BatchReport waits;
  waits.id = BatchId{12};
  waits.recipients = 3;
  waits.cost = Units::of(3);
  found.report.batches = {sent, waits};
  found.report.states[index(BatchState::kSubmitted)] = {1, 200};
  found.report.states[index(BatchState::kPending)] = {1, 3};
  return found;
}

TEST(ApiMessage, GoldenReport) {
  ApiHost host;
  host.on_find = [&](RequestId request, MessageId id) {
    EXPECT_EQ(raw(id), 7);
    host.api().answer(found_message(request));
  };
  const RawResponse response = host.get("/v1/messages/m7");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(
      response.body,
      R"({"id":"m7","key":"k","state":"mixed","class":"promotional","lane":"promotional",)"
      R"("recipients":203,"encoding":"UCS2","units":60,"segments":1,"cost_units":203,"priority":5,)"
      R"("tag":"diwali","test":false,"created_at":"2030-01-31T18:30:00.000Z",)"
      R"("deadline":"2030-01-31T19:30:00.000Z","not_before":null,"states":{)"
      R"("pending":{"batches":1,"recipients":3},"claimed":{"batches":0,"recipients":0},)"
      R"("submitted":{"batches":1,"recipients":200},"refused":{"batches":0,"recipients":0},)"
      R"("unknown":{"batches":0,"recipients":0},"shed":{"batches":0,"recipients":0},)"
      R"("cancelled":{"batches":0,"recipients":0}},"batches":[)"
      R"({"id":"b11","state":"submitted","recipients":200,"cost_units":200,"attempt":2,)"
      R"("claimed_at":"2030-01-31T18:30:01.000Z","done_at":"2030-01-31T18:30:01.250Z",)"
      R"("reason":"","code":"200\ufffd","gateway_ref":"81-77","evidence":"",)"
      R"("rejected":["+919876543210"]},)"
      R"({"id":"b12","state":"pending","recipients":3,"cost_units":3,"attempt":0,)"
      R"("claimed_at":null,"done_at":null,"reason":"","code":"","gateway_ref":"","evidence":"",)"
      R"("rejected":[]}]})");
}

TEST(ApiMessage, ItsStateIsThatOfItsBatchesIfTheyAgree) {
  ApiHost host;
  for (size_t i = 0; i < kBatchStates; ++i) {
    host.on_find = [&](RequestId request, MessageId) {
      Found found = found_message(request);
      found.report.states = {};
      found.report.states[i] = {2, 203};
      host.api().answer(std::move(found));
    };
    EXPECT_THAT(host.get("/v1/messages/m7").body,
                HasSubstr("\"state\":\"" + std::string(kBatchStateNames[i]) + "\",\"class\""));
  }
}

TEST(ApiMessage, WithoutABatchLeftItIsPurged) {
  ApiHost host;
  host.on_find = [&](RequestId request, MessageId) {
    Found found = found_message(request);
    found.report.states = {};
    found.report.batches = {};
    host.api().answer(std::move(found));
  };
  const std::string body = host.get("/v1/messages/m7").body;
  EXPECT_THAT(body, HasSubstr(R"("key":"k","state":"purged","class")"));
  EXPECT_THAT(body, HasSubstr(R"("batches":[]})"));
}

TEST(ApiMessage, UnknownIdsAre404AndAFailedLookUpIs503) {
  ApiHost host;
  Found::Result result = Found::Result::kNone;
  host.on_find = [&](RequestId request, MessageId) {
    host.api().answer(Found{request, result, {}});
  };
  EXPECT_EQ(host.get("/v1/messages/m1").status, 404);
  EXPECT_EQ(host.get("/v1/messages/m9223372036854775807").status, 404);
  result = Found::Result::kFailed;
  const RawResponse failed = host.get("/v1/messages/m1");
  EXPECT_EQ(failed.status, 503);
  EXPECT_EQ(failed.header("retry-after"), "1");
  EXPECT_THAT(failed.body, HasSubstr("store_unavailable"));
}

TEST(ApiMessage, WhatIsNoIdIsNotLookedUp) {
  ApiHost host;  // a look-up would fail the test
  for (const char* id : {"1", "m", "m0", "m01", "m-1", "m+1", "m1x", "M1", "b1", "%6d1",
                         "m9223372036854775808", "m99999999999999999999999"}) {
    EXPECT_EQ(host.get(std::string("/v1/messages/") + id).status, 404) << id;
  }
}

EngineView busy_view() {
  EngineView view;
  for (Lane lane : kAllLanes)
    view.lanes[index(lane)].lane = lane;
  LaneView& otp = view.lanes[index(Lane::kOtp)];
  otp.offered_units_per_s = 4;
  otp.admitted_units_per_s = 3.25;
  otp.pending_rows = 2;
  otp.pending_units = Units::of(5);
  otp.in_flight = 1;
  otp.in_flight_units = Units::of(1);
  otp.oldest_age = Duration::millis(1'500);
  otp.leases.waiting = 2;
  otp.leases.waiting_units = Units::from_micro(7'500'000);
  otp.level = Units::from_micro(-500'000);
  otp.capacity = Units::of(40);
  otp.reserve_units_per_s = 2;
  otp.limit_units_per_s = 4;
  otp.predicted_wait = Duration::nanos(1'200'000'001);
  otp.pressure = Pressure::kShed;
  otp.suggested_delay = Duration::millis(800);
  view.totals[index(Lane::kOtp)] = {
      Units::of(10), Units::of(9), Units::of(8), Units::of(1), Units::of(2), Units::of(3), 4, 5};
  view.unknown_batches = 6;
  view.ceiling_per_s = Units::from_micro(12'500'000);
  view.ceiling_cuts = 3;
  view.windows = {
      {"news", Lane::kPromotional, false, WallTime::from_unix_ms(1'900'000'000'000), {}}};
  return view;
}

TEST(ApiLanes, GoldenLane) {
  ApiHost host;
  host.view = busy_view();
  const RawResponse response = host.get("/v1/lanes");
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(
      response.body,
      HasSubstr(R"({"at":"2030-01-31T18:30:00.000Z","lanes":[{"lane":"otp","pressure":"shed",)"
                R"("suggested_delay_ms":800,)"
                R"("predicted_wait_ms":1201,"oldest_age_ms":1500,"stop":null,"shadow":false,)"
                R"("pending_batches":2,)"
                R"("pending_units":5,"in_flight_batches":1,"in_flight_units":1,)"
                R"("waiting_leases":2,"waiting_lease_units":7.5,)"
                R"("level_units":-0.5,"capacity_units":40,"reserve_units_per_s":2,)"
                R"("limit_units_per_s":4,"offered_units_per_s":4,"admitted_units_per_s":3.25,)"
                R"("totals":{"offered_units":10,"admitted_units":9,"submitted_units":8,)"
                R"("refused_by_gateway_units":1,"unknown_units":2,"shed_units":3,)"
                R"("throttled_batches":4,"unreachable_batches":5}},{"lane":"transactional",)"));
  EXPECT_THAT(response.body,
              HasSubstr(R"(],"windows":[{"class":"news","lane":"promotional","open":false,)"
                        R"("opens_at":"2030-03-17T17:46:40.000Z","closes_at":null}],)"
                        R"("classes":[],)"
                        R"("ceiling_units_per_s":12.5,"ceiling_cuts":3,"store_writable":true,)"
                        R"("store_trouble":"none","quarantined":false,)"
                        R"("draining":false,"gateway_paused":false,)"
                        R"("gateway_pause_reason":"","unknown_batches":6})"));
  EXPECT_EQ(boost::json::parse(response.body).at("lanes").as_array().size(), 3u);
}

TEST(ApiLanes, SayWhatAPersonStopped) {
  ApiHost host;
  host.view = busy_view();
  const Stop stop = {StopMode::kPaused, "the text is wrong",
                     WallTime::from_unix_ms(1'896'114'600'000)};
  host.view.lanes[index(Lane::kOtp)].stop = stop;
  host.view.lanes[index(Lane::kOtp)].predicted_wait.reset();
  host.view.classes = {{"otp", Lane::kOtp, {}}, {"reminder", Lane::kTransactional, stop}};
  host.view.classes[1].stop.mode = StopMode::kDraining;
  const std::string body = host.get("/v1/lanes").body;
  EXPECT_THAT(body, HasSubstr(R"("predicted_wait_ms":null,"oldest_age_ms":1500,"stop":{)"
                              R"("mode":"paused","reason":"the text is wrong",)"
                              R"("since":"2030-01-31T18:30:00.000Z"},"shadow":)"));
  EXPECT_THAT(body, HasSubstr(R"("classes":[{"class":"otp","lane":"otp","stop":null},)"
                              R"({"class":"reminder","lane":"transactional","stop":{)"
                              R"("mode":"draining","reason":"the text is wrong",)"));
}

TEST(ApiLanes, SayWhatAilsTheStore) {
  ApiHost host;
  host.view.store_trouble = StoreTrouble::kLowSpace;
  host.view.quarantine = "another machine's copy";
  EXPECT_THAT(
      host.get("/v1/lanes").body,
      HasSubstr(R"("store_writable":true,"store_trouble":"low_space","quarantined":true,)"));
  host.view.store_trouble = StoreTrouble::kReadOnly;
  EXPECT_THAT(host.get("/v1/lanes").body,
              HasSubstr(R"("store_writable":false,"store_trouble":"read_only",)"));
}

TEST(ApiShadow, GoldenReport) {
  ApiHost host;
  host.shadow.since = WallTime::from_unix_ms(1'896'114'540'000);
  host.shadow.recorded = Duration::seconds(60);
  host.shadow.rate_per_s = Units::of(100);
  host.shadow.capacity = Duration::seconds(10);
  host.shadow.dearest_recipient = Units::of(10);
  host.shadow.account = {Units::of(70), 60, 6.5, 1.25, 58};
  ShadowReport::PerLane& otp = host.shadow.lanes[index(Lane::kOtp)];
  otp.shadow = true;
  otp.reserve = 0.2;
  otp.limit = 0.4;
  otp.load = {Units::of(50), 40, 4.5, 1, 39};
  otp.would.passed = Units::of(20);
  otp.would.waited = Units::of(15);
  otp.would.shed = Units::of(4);
  otp.would.refused = Units::of(3);
  otp.would.in_line = Units::of(8);
  otp.would.wait_p50 = Duration::millis(1'200);
  otp.would.wait_p99 = Duration::nanos(3'400'000'001);
  EXPECT_THAT(host.get("/v1/shadow").body,
              HasSubstr(R"({"at":"2030-01-31T18:30:00.000Z","since":"2030-01-31T18:29:00.000Z",)"
                        R"("recorded_ms":60000,"rate_units_per_s":100,"capacity_ms":10000,)"
                        R"("dearest_recipient_units":10,"account":{"offered_units":70,)"
                        R"("peak_1s_units_per_s":60,"peak_10s_units_per_s":6.5,)"
                        R"("peak_60s_units_per_s":1.25,"busy_p99_units_per_s":58},)"
                        R"("lanes":[{"lane":"otp","shadow":true,"reserve":0.2,"limit":0.4,)"
                        R"("offered_units":50,"peak_1s_units_per_s":40,"peak_10s_units_per_s":4.5,)"
                        R"("peak_60s_units_per_s":1,"busy_p99_units_per_s":39,)"
                        R"("limits":{"decided_units":42,"waiting_units":8,"would_wait_units":15,)"
                        R"("wait_p50_ms":1200,"wait_p99_ms":3401,"would_shed_units":4,)"
                        R"("would_refuse_units":3}},{"lane":"transactional","shadow":false,)"));
  EXPECT_THAT(host.get("/v1/shadow").body, HasSubstr(R"("limits":null}]})"));
}

TEST(ApiHealth, HealthzSaysThatTheLoopTurns) {
  ApiHost host;
  host.view.store_trouble = StoreTrouble::kDiskFull;  // which is none of its business
  const RawResponse response = host.get("/healthz");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"status":"ok","version":"1.2.3"})");
}

TEST(ApiHealth, ReadyzNamesWhatIsWrong) {
  ApiHost host;
  const RawResponse ready = host.get("/readyz");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.body, R"({"status":"ready","checks":[{"name":"store","ok":true},)"
                        R"({"name":"quarantine","ok":true},)"
                        R"({"name":"accepting","ok":true},{"name":"gateway","ok":true}]})");
  // What is accepted while the gateway is paused waits, so this does not decide.
  host.view.gateway_paused = true;
  host.view.gateway_pause_reason = "balance";
  const RawResponse paused = host.get("/readyz");
  EXPECT_EQ(paused.status, 200);
  EXPECT_EQ(paused.body, R"({"status":"ready","checks":[{"name":"store","ok":true},)"
                         R"({"name":"quarantine","ok":true},)"
                         R"({"name":"accepting","ok":true},)"
                         R"({"name":"gateway","ok":false,"detail":"balance"}]})");
  host.view.gateway_paused = false;
  host.view.draining = true;
  const RawResponse draining = host.get("/readyz");
  EXPECT_EQ(draining.status, 503);
  EXPECT_EQ(draining.body, R"({"status":"not_ready","checks":[{"name":"store","ok":true},)"
                           R"({"name":"quarantine","ok":true},)"
                           R"({"name":"accepting","ok":false,"detail":"weir is stopping"},)"
                           R"({"name":"gateway","ok":true}]})");
  host.view.draining = false;
  host.view.store_trouble = StoreTrouble::kDiskFull;
  const RawResponse full = host.get("/readyz");
  EXPECT_EQ(full.status, 503);
  EXPECT_THAT(full.body, HasSubstr(R"({"name":"store","ok":false,"detail":"disk_full"},)"));
}

TEST(ApiHealth, EachTroubleAloneIsNotReadyAndHasItsWord) {
  ApiHost host;
  for (size_t i = 1; i < kStoreTroubles; ++i) {
    host.view.store_trouble = static_cast<StoreTrouble>(i);
    const RawResponse response = host.get("/readyz");
    EXPECT_EQ(response.status, 503);
    EXPECT_THAT(response.body, HasSubstr("{\"name\":\"store\",\"ok\":false,\"detail\":\"" +
                                         std::string(name(host.view.store_trouble)) + "\"}"));
  }
  host.view = {};
  host.view.quarantine = "it is a copy";
  const RawResponse held = host.get("/readyz");
  EXPECT_EQ(held.status, 503);
  EXPECT_THAT(held.body, HasSubstr(R"({"name":"quarantine","ok":false,"detail":"it is a copy"})"));
}

TEST(ApiHealth, MetricsAreTheBackends) {
  ApiHost host;
  const RawResponse response = host.get("/metrics");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_EQ(response.body, "weir_up 1\n");
}

}  // namespace
}  // namespace weir::test
