// SPDX-License-Identifier: Apache-2.0
//
// The routes about the database itself and its quarantine.
#include <functional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/front/wrong_requests.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kNowMs = ApiHost::kNowMs;

StoreStats some_stats(RequestId request) {
  StoreStats stats;
  stats.request = request;
  stats.failed = false;
  stats.tallies[index(Lane::kOtp)][index(BatchState::kUnknown)] = {2, Units::from_micro(500'000),
                                                                   9};
  stats.tallies[index(Lane::kPromotional)][index(BatchState::kUnknown)] = {1, Units::of(200), 1};
  stats.oldest_unknown = WallTime::from_unix_ms(kNowMs - 90'000);
  stats.file_bytes = 8192;
  stats.log_bytes = 4152;
  stats.disk_free_bytes = 1'000'000'000'000;
  stats.unused_bytes = 4096;
  stats.schema_version = 4;
  stats.sqlite_version = "3.40.1";
  return stats;
}

TEST(ApiDb, GoldenStatistics) {
  ApiHost host;
  host.on_stats = [&](ReadStats query) { host.api().answer(some_stats(query.request)); };
  const RawResponse response = host.get("/v1/db");
  EXPECT_EQ(response.status, 200);
  const std::string none = R"({"batches":0,"cost_units":0,"entered":0})";
  const auto lane = [&](const std::string& name, const std::string& unknown) {
    return R"({"lane":")" + name + R"(","pending":)" + none + R"(,"claimed":)" + none +
           R"(,"submitted":)" + none + R"(,"refused":)" + none + R"(,"unknown":)" + unknown +
           R"(,"shed":)" + none + R"(,"cancelled":)" + none + "}";
  };
  EXPECT_EQ(response.body,
            R"({"file_bytes":8192,"unused_bytes":4096,"log_bytes":4152,)"
            R"("disk_free_bytes":1000000000000,"schema_version":4,"sqlite_version":"3.40.1",)"
            R"("unknown":{"batches":3,"oldest_age_ms":90000},"lanes":[)" +
                lane("otp", R"({"batches":2,"cost_units":0.5,"entered":9})") + "," +
                lane("transactional", none) + "," +
                lane("promotional", R"({"batches":1,"cost_units":200,"entered":1})") + "]}");
}

TEST(ApiDb, WithoutUnknownOnesThereIsNoAgeAndAClockThatWentBackMakesNone) {
  ApiHost host;
  StoreStats stats = some_stats({});
  host.on_stats = [&](ReadStats query) {
    stats.request = query.request;
    host.api().answer(stats);
  };
  stats.oldest_unknown = WallTime::from_unix_ms(kNowMs + 5000);
  EXPECT_THAT(host.get("/v1/db").body, HasSubstr(R"("oldest_age_ms":0})"));
  stats.tallies = {};
  stats.oldest_unknown.reset();
  EXPECT_THAT(host.get("/v1/db").body,
              HasSubstr(R"("unknown":{"batches":0,"oldest_age_ms":null})"));
  stats.failed = true;
  EXPECT_EQ(host.get("/v1/db").status, 503);
}

TEST(ApiDb, ABackupIsAnsweredWhenItIsWhole) {
  ApiHost host;
  std::string path;
  host.on_backup = [&](const Backup& order) {
    path = order.path;
    host.api().answer(
        CopyChecked{order.request, true, false, "", order.path, {true, {}, 8192, 17, {}}});
  };
  const RawResponse response = host.post("/v1/db/backup", R"({"path":"/var/backups/a.db"})");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body,
            R"({"path":"/var/backups/a.db","whole":true,"bytes":8192,"messages":17,"faults":[]})");
  EXPECT_EQ(path, "/var/backups/a.db");
}

TEST(ApiDb, ABackupThatCannotBeReliedOnIsNoSuccess) {
  ApiHost host;
  CopyChecked checked;
  host.on_backup = [&](const Backup& order) {
    CopyChecked answer = checked;
    answer.request = order.request;
    answer.kept = true;
    host.api().answer(std::move(answer));
  };
  const auto ask = [&] { return host.post("/v1/db/backup", R"({"path":"/a"})"); };
  checked.found.faults = {"page 7 is \"odd\"", "the counter differs"};
  const RawResponse damaged = ask();
  EXPECT_EQ(damaged.status, 500);
  EXPECT_THAT(damaged.body, HasSubstr(R"("code":"copy_damaged")"));
  EXPECT_THAT(damaged.body, HasSubstr(R"("detail":"page 7 is \"odd\"")"));
  EXPECT_THAT(damaged.body, HasSubstr(R"("detail":"the counter differs")"));
  checked.failure = "/a: File exists";
  const RawResponse failed = ask();
  EXPECT_EQ(failed.status, 503);
  EXPECT_THAT(failed.body, HasSubstr("It could not be done: /a: File exists"));
  checked.busy = true;
  const RawResponse busy = ask();
  EXPECT_EQ(busy.status, 409);
  EXPECT_THAT(busy.body, HasSubstr(R"("code":"db_busy")"));
}

TEST(ApiDb, ABackupNeedsAnAbsolutePath) {
  ApiHost host;  // a backup would fail the test
  const auto ask = [&](const std::string& what) { return host.post("/v1/db/backup", what); };
  expect_each_is_named(
      {
          {"", 400, "malformed"},
          {"{}", 422, R"("pointer":"/path","detail":"is missing)"},
          {R"({"path":""})", 422, R"("pointer":"/path","detail":"must not be empty")"},
          {R"({"path":"a.db"})", 422, "must be absolute"},
          {R"({"path":7})", 422, "must be a string"},
          {R"({"path":"/a","force":true})", 422, "is not a field of this request"},
      },
      ask);
}

TEST(ApiDb, ACheckSaysWhatItFoundGoodOrBad) {
  ApiHost host;
  CopyChecked checked;
  host.on_check = [&](RequestId request) {
    checked.request = request;
    host.api().answer(checked);
  };
  checked.found = {true, {}, 8192, 17, {}};
  const RawResponse good = host.post("/v1/db/check", "{}");
  EXPECT_EQ(good.status, 200);
  EXPECT_EQ(good.body, R"({"whole":true,"bytes":8192,"messages":17,"faults":[]})");
  checked.found = {false, {"page 7"}, 8192, 17, {}};
  const RawResponse bad = host.post("/v1/db/check", "{}");
  EXPECT_EQ(bad.status, 200);
  EXPECT_EQ(bad.body, R"({"whole":false,"bytes":8192,"messages":17,"faults":["page 7"]})");
  checked.failure = "no room";
  EXPECT_EQ(host.post("/v1/db/check", "{}").status, 503);
  checked.busy = true;
  EXPECT_EQ(host.post("/v1/db/check", "{}").status, 409);
}

TEST(ApiDb, ACompactionSaysBothSizes) {
  ApiHost host;
  Compacted done;
  host.on_compact = [&](Compact order) {
    done.request = order.request;
    host.api().answer(done);
  };
  done.bytes_before = 8192;
  done.bytes_after = 4096;
  const RawResponse response = host.post("/v1/db/compact", "{}");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"bytes_before":8192,"bytes_after":4096})");
  done.failure = "disk I/O error";
  const RawResponse failed = host.post("/v1/db/compact", "{}");
  EXPECT_EQ(failed.status, 503);
  EXPECT_THAT(failed.body, HasSubstr("disk I/O error"));
  done.busy = true;
  EXPECT_THAT(host.post("/v1/db/compact", "{}").body, HasSubstr("db_busy"));
}

TEST(ApiDb, WhatNeedsNoBodyNeedsTheTypeAllTheSame) {
  ApiHost host;
  int asked = 0;
  host.on_check = [&](RequestId request) {
    ++asked;
    host.api().answer(CopyChecked{request, false, false, "", "", {}});
  };
  host.on_compact = [&](Compact order) {
    ++asked;
    host.api().answer(Compacted{order.request, false, "", 0, 0});
  };
  host.on_release = [&](ReleaseRequested one) {
    ++asked;
    host.api().answer(AnswerRelease{one.request, AnswerRelease::Result::kReleased});
  };
  for (const char* path : {"/v1/db/check", "/v1/db/compact", "/v1/quarantine/release"}) {
    asked = 0;
    EXPECT_EQ(host.post(path, "").status, 200) << path;
    EXPECT_EQ(host.post(path, "{}").status, 200) << path;
    EXPECT_EQ(asked, 2) << path;
    const std::string bare = std::string("POST ") + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    EXPECT_EQ(host.ask(bare).status, 415) << path;
    EXPECT_EQ(asked, 2) << path;
  }
}

TEST(ApiQuarantine, SaysWhyAndWhatWouldGoOut) {
  ApiHost host;
  for (Lane lane : kAllLanes)
    host.view.lanes[index(lane)].lane = lane;
  EXPECT_THAT(host.get("/v1/quarantine").body,
              HasSubstr(R"({"quarantined":false,"reason":"","lanes":[{"lane":"otp",)"));
  host.view.quarantine = "it is a copy";
  host.view.lanes[index(Lane::kOtp)].pending_rows = 2;
  host.view.lanes[index(Lane::kOtp)].pending_units = Units::from_micro(700'000);
  host.view.unknown_batches = 4;
  const RawResponse response = host.get("/v1/quarantine");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(
      response.body,
      R"({"quarantined":true,"reason":"it is a copy","lanes":[)"
      R"({"lane":"otp","pending_batches":2,"pending_units":0.7},)"
      R"({"lane":"transactional","pending_batches":0,"pending_units":0},)"
      R"({"lane":"promotional","pending_batches":0,"pending_units":0}],"unknown_batches":4})");
}

TEST(ApiQuarantine, IsReleasedOrSaysWhyNot) {
  ApiHost host;
  AnswerRelease::Result result = AnswerRelease::Result::kReleased;
  host.on_release = [&](ReleaseRequested asked) {
    host.api().answer(AnswerRelease{asked.request, result});
  };
  const RawResponse released = host.post("/v1/quarantine/release", "{}");
  EXPECT_EQ(released.status, 200);
  EXPECT_EQ(released.body, R"({"released":true})");
  result = AnswerRelease::Result::kNotQuarantined;
  const RawResponse none = host.post("/v1/quarantine/release", "{}");
  EXPECT_EQ(none.status, 409);
  EXPECT_THAT(none.body, HasSubstr(R"("code":"not_quarantined")"));
  result = AnswerRelease::Result::kFailed;
  EXPECT_EQ(host.post("/v1/quarantine/release", "{}").status, 503);
}

// A backup can outlast its client; the answer then finds nobody, and the next one is served.
TEST(ApiDb, AnAnswerWhoseClientHasGoneIsNoHarm) {
  ApiHost host;
  std::optional<RequestId> first;
  host.on_check = [&](RequestId request) {
    if (first) {
      host.api().answer(CopyChecked{*first, false, false, "", "", {}});
      host.api().answer(CopyChecked{request, false, false, "", "", {}});
    }
    first = request;
  };
  {
    RawClient leaves = host.connect();
    leaves.send(ApiHost::post_text("/v1/db/check", "{}"));
    for (bool there = false; !there;)
      host.run([&] { there = first.has_value(); });
  }
  EXPECT_EQ(host.post("/v1/db/check", "{}").status, 200);
}

}  // namespace
}  // namespace weir::test
