// SPDX-License-Identifier: Apache-2.0
//
// Who leaves the line, by its own will or at the end of its patience, takes nothing and holds
// nobody up.
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using enum AnswerLease::Result;

Units level(const World& world) {
  return world.lane(Lane::kPromotional).level;
}

TEST(LeaseIsGivenUp, ByAClientThatHasGoneAndTakesNoUnits) {
  World world;
  const RequestId gone = world.acquire("promotional", Units::of(50), Duration::seconds(10));
  world.run_for(Duration::seconds(1));
  world.abandon(gone);
  world.run_for(Duration::seconds(10));
  EXPECT_EQ(world.lease_answer(gone), nullptr) << "nobody is there to be answered";
  EXPECT_EQ(level(world), Units::of(100));
  EXPECT_EQ(world.view().totals[index(Lane::kPromotional)].admitted, Units());
}

TEST(LeaseIsGivenUp, ThenTheNextInLineGoesAtItsOwnInstant) {
  EngineOptions options = test_options();
  options.buckets = {{"crm", Units::of(10), Duration::seconds(10)}};
  World world(options);
  const RequestId gone = world.acquire_from("crm", Units::of(90), Duration::seconds(30));
  const RequestId next = world.acquire_from("crm", Units::of(10), Duration::seconds(30));
  world.run_for(Duration::millis(500));
  world.abandon(gone);
  world.run_for(Duration::millis(501));
  ASSERT_NE(world.lease_answer(next), nullptr);
  EXPECT_EQ(world.lease_answer(next)->result, kGranted);
}

TEST(LeaseIsGivenUp, AndARequestThatWasAnsweredCannotBe) {
  World world;
  world.run_for(Duration::seconds(3));
  const RequestId first = world.acquire("promotional", Units::of(60));
  ASSERT_EQ(world.lease_answer(first)->result, kGranted);
  world.abandon(first);
  EXPECT_EQ(level(world), Units::of(40)) << "the grant is given back by a refund, not by this";
}

// The head is denied at the end of its patience, as OTPs were faster; the small one behind it has
// its units by then, and must not wait for the instant at which the head would have gone.
TEST(LeaseIsGivenUp, AndWhoStandsBehindAnImpatientOneGoesAtOnce) {
  World world;
  const RequestId head = world.acquire("promotional", Units::of(50), Duration::seconds(2));
  const RequestId behind = world.acquire("promotional", Units::of(10), Duration::seconds(30));
  for (int i = 0; i < 2; ++i) {
    world.run_for(Duration::millis(749));
    world.acquire("otp", Units::of(29));
  }
  world.run_for(Duration::millis(502));  // the end of the head's patience
  ASSERT_NE(world.lease_answer(head), nullptr);
  ASSERT_EQ(world.lease_answer(head)->result, kDenied);
  ASSERT_NE(world.lease_answer(behind), nullptr);
  EXPECT_EQ(world.lease_answered_at(behind), world.lease_answered_at(head));
}

}  // namespace
}  // namespace weir::test
