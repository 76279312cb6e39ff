// SPDX-License-Identifier: Apache-2.0
//
// GET /v1/rate/history: the query, the answer, each refusal.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/wrong_requests.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kNowMs = ApiHost::kNowMs;

FoundRates two_changes(RequestId request) {
  FoundRates found;
  found.request = request;
  found.failed = false;
  found.changes = {
      {WallTime::from_unix_ms(kNowMs), Units(), Units::of(10), RateCause::kStart, 0, Units()},
      {WallTime::from_unix_ms(kNowMs + 500), Units::of(10), Units::from_micro(8'500'000),
       RateCause::kThrottle, 1, Units::of(12)}};
  return found;
}

TEST(ApiRates, GoldenHistory) {
  ApiHost host;
  FindRates asked;
  host.on_find_rates = [&](FindRates query) {
    asked = query;
    host.api().answer(two_changes(query.request));
  };
  const RawResponse response = host.get("/v1/rate/history");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body,
            R"({"changes":[{"at":"2030-01-31T18:30:00.000Z","from_units_per_s":0,)"
            R"("to_units_per_s":10,"cause":"start","cuts":0,"measured_units_per_s":0},)"
            R"({"at":"2030-01-31T18:30:00.500Z","from_units_per_s":10,"to_units_per_s":8.5,)"
            R"("cause":"throttle","cuts":1,"measured_units_per_s":12}],"more":false})");
  EXPECT_EQ(asked.since, WallTime());
  EXPECT_GT(asked.until, WallTime::from_unix_ms(kNowMs));
  EXPECT_EQ(asked.limit, 1000);
}

TEST(ApiRates, TheQueryIsHandedOver) {
  ApiHost host;
  FindRates asked;
  host.on_find_rates = [&](FindRates query) {
    asked = query;
    host.api().answer(two_changes(query.request));
  };
  EXPECT_EQ(host.get("/v1/rate/history?since=2030-01-31T18:30:00Z&"
                     "until=2030-01-31T18%3A30%3A01Z&limit=10000")
                .status,
            200);
  EXPECT_EQ(asked.since, WallTime::from_unix_ms(kNowMs));
  EXPECT_EQ(asked.until, WallTime::from_unix_ms(kNowMs + 1000));
  EXPECT_EQ(asked.limit, 10'000);
  EXPECT_EQ(host.get("/v1/rate/history?since=2030-01-31T18:30:00+00:00").status, 200);
  EXPECT_EQ(asked.since, WallTime::from_unix_ms(kNowMs));
}

TEST(ApiRates, WhatIsWrongIsNamed) {
  ApiHost host;
  const auto ask = [&](const std::string& what) { return host.get("/v1/rate/history?" + what); };
  expect_each_is_named(
      {
          {"limit=0", 422, R"({"pointer":"/limit","detail":"must be a whole number)"},
          {"limit=10001", 422, "/limit"},
          {"limit=ten", 422, "/limit"},
          {"limit=10x", 422, "/limit"},
          {"limit=", 422, "/limit"},
          {"since=yesterday", 422, R"("pointer":"/since")"},
          {"since=yesterday&until=now", 422, R"("pointer":"/until")"},
          {"form=2030", 422, "is not a field of this query; it has since, until, limit"},
          {"limit=1&limit=2", 422, "is given twice"},
          {"limit=%zz", 400, "malformed"},
      },
      ask);
}

TEST(ApiRates, AStoreThatCannotReadIs503) {
  ApiHost host;
  host.on_find_rates = [&](FindRates query) {
    host.api().answer(FoundRates{query.request, true, {}, false});
  };
  const RawResponse response = host.get("/v1/rate/history");
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.body, HasSubstr("store_unavailable"));
}

}  // namespace
}  // namespace weir::test
