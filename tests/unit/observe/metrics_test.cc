// SPDX-License-Identifier: Apache-2.0
//
// The store's part of /metrics: its troubles, its counters, its commits.
#include "shim/observe/metrics.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr WallTime kNow = WallTime::from_unix_ms(1'896'114'600'000);

std::string text_of(const EngineView& view, const StoreTotals& store = {}) {
  return metrics_text(view, store, kNow, "1.2.3");
}

TEST(Metrics, EachTroubleHasItsLineAndOnlyTheOneThatIsThereIsOne) {
  EngineView view;
  EXPECT_THAT(text_of(view), HasSubstr("weir_store_writable 1\n"));
  EXPECT_THAT(text_of(view), Not(HasSubstr("trouble=\"none\"")));
  for (size_t i = 1; i < kStoreTroubles; ++i) {
    EXPECT_THAT(text_of(view),
                HasSubstr("weir_store_trouble{trouble=\"" +
                          std::string(name(static_cast<StoreTrouble>(i))) + "\"} 0\n"));
  }
  view.store_trouble = StoreTrouble::kDiskFull;
  EXPECT_THAT(text_of(view), HasSubstr("weir_store_writable 0\n"));
  EXPECT_THAT(text_of(view), HasSubstr("weir_store_trouble{trouble=\"disk_full\"} 1\n"));
  EXPECT_THAT(text_of(view), HasSubstr("weir_store_trouble{trouble=\"corrupt\"} 0\n"));
}

TEST(Metrics, AtLowSpaceOutcomesAreStillWritten) {
  EngineView view;
  view.store_trouble = StoreTrouble::kLowSpace;
  EXPECT_THAT(text_of(view), HasSubstr("weir_store_writable 1\n"));
  EXPECT_THAT(text_of(view), HasSubstr("weir_store_trouble{trouble=\"low_space\"} 1\n"));
}

TEST(Metrics, EachProducerHasItsUnits) {
  EngineView view;
  EXPECT_THAT(text_of(view), Not(HasSubstr("weir_producer_")));
  view.producers = {{"shop", Units::from_micro(2'500'000), Units::of(7)}, {"crm", Units()}};
  const std::string text = text_of(view);
  EXPECT_THAT(text, HasSubstr("# TYPE weir_producer_offered_units_total counter\n"));
  EXPECT_THAT(text, HasSubstr("weir_producer_offered_units_total{producer=\"shop\"} 2.5\n"));
  EXPECT_THAT(text, HasSubstr("weir_producer_offered_units_total{producer=\"crm\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE weir_producer_unsettled_units gauge\n"));
  EXPECT_THAT(text, HasSubstr("weir_producer_unsettled_units{producer=\"shop\"} 7\n"));
  EXPECT_THAT(text, HasSubstr("weir_producer_unsettled_units{producer=\"crm\"} 0\n"));
}

TEST(Metrics, AQuarantineShows) {
  EngineView view;
  EXPECT_THAT(text_of(view), HasSubstr("weir_quarantined 0\n"));
  view.quarantine = "put back at noon";
  EXPECT_THAT(text_of(view), HasSubstr("weir_quarantined 1\n"));
  EXPECT_THAT(text_of(view), Not(HasSubstr("noon")));
}

TEST(Metrics, WhatAPersonStoppedShowsByLaneAndByClass) {
  EngineView view;
  for (Lane lane : kAllLanes)
    view.lanes[index(lane)].lane = lane;
  view.lanes[index(Lane::kPromotional)].stop.mode = StopMode::kPaused;
  view.lanes[index(Lane::kPromotional)].predicted_wait.reset();
  view.classes = {{"otp", Lane::kOtp, {}}, {"reminder", Lane::kTransactional, {}}};
  view.classes[1].stop.mode = StopMode::kDraining;
  view.classes[1].stop.reason = "the text is wrong";
  const std::string text = text_of(view);
  EXPECT_THAT(text, HasSubstr("weir_lane_stop{lane=\"promotional\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("weir_lane_stop{lane=\"otp\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("weir_class_stop{class=\"reminder\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("weir_predicted_wait_seconds{lane=\"promotional\"} Nan\n"));
  EXPECT_THAT(text, Not(HasSubstr("wrong")));
}

TEST(Metrics, TalliesAreByLaneAndState) {
  StoreTotals store;
  store.tallies[index(Lane::kOtp)][index(BatchState::kShed)] = {3, Units::from_micro(1'500'000), 8};
  const std::string text = text_of({}, store);
  EXPECT_THAT(text, HasSubstr("weir_store_batches{lane=\"otp\",state=\"shed\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_units{lane=\"otp\",state=\"shed\"} 1.5\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE weir_store_entered_batches_total counter\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_entered_batches_total{lane=\"otp\",state=\"shed\"} 8\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_batches{lane=\"promotional\",state=\"cancelled\"} 0\n"));
}

TEST(Metrics, TheAgeOfTheOldestUnknownNeverGoesBelowZero) {
  StoreTotals store;
  EXPECT_THAT(text_of({}, store), HasSubstr("weir_unknown_oldest_age_seconds 0\n"));
  store.oldest_unknown = kNow + Duration::millis(-2500);
  EXPECT_THAT(text_of({}, store), HasSubstr("weir_unknown_oldest_age_seconds 2.5\n"));
  store.oldest_unknown = kNow + Duration::seconds(5);  // the clock was stepped back
  EXPECT_THAT(text_of({}, store), HasSubstr("weir_unknown_oldest_age_seconds 0\n"));
}

TEST(Metrics, CommitTimesAreAHistogram) {
  StoreTotals store;
  store.commit_times = {1, 0, 2, 0, 0, 0, 0, 0, 3, 4};
  store.commit_seconds = 17.25;
  const std::string text = text_of({}, store);
  EXPECT_THAT(text, HasSubstr("# TYPE weir_store_commit_seconds histogram\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_commit_seconds_count 10\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_commit_seconds_sum 17.25\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_commit_seconds_bucket{le=\"0.0005\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_commit_seconds_bucket{le=\"0.0025\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_commit_seconds_bucket{le=\"2\"} 6\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_commit_seconds_bucket{le=\"+Inf\"} 10\n"));
}

TEST(Metrics, TheFileAndWhatLeftIt) {
  StoreTotals store;
  store.file_bytes = 8192;
  store.log_bytes = 4152;
  store.disk_free_bytes = 1'000'000;
  store.purged_batches = 7;
  const std::string text = text_of({}, store);
  EXPECT_THAT(text, HasSubstr("weir_store_file_bytes 8192\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_log_bytes 4152\n"));
  EXPECT_THAT(text, HasSubstr("weir_disk_free_bytes 1000000\n"));
  EXPECT_THAT(text, HasSubstr("weir_store_purged_batches_total 7\n"));
}

}  // namespace
}  // namespace weir
