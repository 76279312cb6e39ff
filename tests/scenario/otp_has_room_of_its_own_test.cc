// SPDX-License-Identifier: Apache-2.0
//
// What fills up does not fill up for OTPs: their lane has its own bounds, and a part of the way to
// the disk is theirs alone.
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

size_t refused_for(const World& world, const std::vector<RequestId>& requests, RefusalCode code) {
  size_t found = 0;
  for (RequestId one : requests) {
    const Refusal* refusal = world.refused(one);
    if (refusal == nullptr) continue;
    EXPECT_EQ(refusal->code, code) << refusal->detail;
    found += 1;
  }
  return found;
}

TEST(OtpHasRoomOfItsOwn, WhileEveryOtherLaneIsAtItsBound) {
  EngineOptions options = test_options();
  for (LaneOptions& one : options.lanes)
    one.max_rows = 10;
  World world(options);
  world.latency = Duration::seconds(100);  // nothing of what comes leaves
  std::vector<RequestId> bulk;
  for (uint64_t i = 0; i < 20; ++i) {
    bulk.push_back(world.submit(submission("promotional", i)));
    bulk.push_back(world.submit(submission("delivery_update", i)));
  }
  world.run_for(Duration::seconds(5));
  EXPECT_EQ(refused_for(world, bulk, RefusalCode::kLaneFull), 20U);
  const RequestId otp = world.submit(submission("otp", 1));
  world.run_for(Duration::seconds(1));
  ASSERT_NE(world.accepted(otp), nullptr);
  EXPECT_EQ(world.sent_in(Lane::kOtp).size(), 1U);
}

TEST(OtpHasRoomOfItsOwn, WhileAStormOfOtherMessagesWaitsForTheDisk) {
  EngineOptions options = test_options();
  options.max_persisting = 80;
  World world(options);
  world.commit_time = Duration::seconds(2);
  std::vector<RequestId> bulk;
  for (uint64_t i = 0; i < 100; ++i)
    bulk.push_back(world.submit(submission("promotional", i)));
  std::vector<RequestId> otps;
  for (uint64_t i = 0; i < 12; ++i)
    otps.push_back(world.submit(submission("otp", 1'000 + i)));
  world.run_for(Duration::seconds(10));
  EXPECT_EQ(refused_for(world, bulk, RefusalCode::kStoreUnavailable), 30U);
  EXPECT_EQ(refused_for(world, otps, RefusalCode::kStoreUnavailable), 2U);
}

}  // namespace
}  // namespace weir::test
