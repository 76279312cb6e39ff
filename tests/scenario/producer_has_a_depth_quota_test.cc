// SPDX-License-Identifier: Apache-2.0
//
// The shop may have 20 units unsettled, in batches of 4. Its lane stands still until a test lets it
// go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;

constexpr ProducerId kShop{0};
constexpr ProducerId kCrm{1};
constexpr Units kMost = Units::of(20);

EngineOptions one_bounded() {
  EngineOptions options = test_options();
  options.batch_max = 4;
  ProducerOptions shop;
  shop.name = "shop";
  shop.classes.set();
  shop.max_units = kMost;
  ProducerOptions crm;
  crm.name = "crm";
  crm.classes.set();
  options.producers = {shop, crm};
  return options;
}

class ProducerHasADepthQuota : public testing::Test {
 protected:
  explicit ProducerHasADepthQuota(EngineOptions options = one_bounded())
      : world_(std::move(options)) {
    world_.run_for(Duration::seconds(10));  // with full buckets
    hold();
  }
  void hold() { stop(StopMode::kPaused); }
  void let_go() { stop(StopMode::kNone); }
  void stop(StopMode mode) {
    world_.stop_lane(Lane::kTransactional, mode);
    world_.run_for(world_.commit_time);
  }
  Submission from(ProducerId producer, size_t recipients) {
    Submission one = submission("delivery_update", numbers_, recipients);
    numbers_ += recipients;
    one.producer = producer;
    return one;
  }
  RequestId hand_in(Submission one) {
    const RequestId request = world_.submit(std::move(one));
    world_.run_for(world_.commit_time);
    return request;
  }
  // Whether it is accepted.
  bool is_taken(ProducerId producer, size_t recipients) {
    return world_.accepted(hand_in(from(producer, recipients))) != nullptr;
  }
  void fill() { ASSERT_TRUE(is_taken(kShop, 20)); }
  Units unsettled(ProducerId producer = kShop) const {
    return world_.view().producers.at(index(producer)).unsettled;
  }
  void expect_room_for_all() {
    EXPECT_EQ(unsettled(), Units());
    hold();
    EXPECT_TRUE(is_taken(kShop, 20));
    EXPECT_FALSE(is_taken(kShop, 1)) << "room was made twice";
  }

  World world_;
  uint64_t numbers_ = 1;
};

TEST_F(ProducerHasADepthQuota, WhatIsBeyondItIsRefusedAndOthersAreNotTouched) {
  EXPECT_TRUE(is_taken(kShop, 13));
  const RequestId over = hand_in(from(kShop, 8));
  ASSERT_NE(world_.refused(over), nullptr);
  EXPECT_EQ(world_.refused(over)->code, RefusalCode::kOverQuota);
  EXPECT_THAT(world_.refused(over)->detail,
              HasSubstr("producer shop has 13 units waiting, and its max_units is 20"));
  EXPECT_EQ(world_.refused(over)->retry_after, Duration::seconds(1)) << "never sooner";
  EXPECT_TRUE(is_taken(kCrm, 50));
  EXPECT_TRUE(is_taken(kNoProducer, 50));
  EXPECT_TRUE(is_taken(kShop, 7)) << "what others have in the lane is none of its units";
  EXPECT_EQ(unsettled(), kMost);
  EXPECT_EQ(unsettled(kCrm), Units::of(50));
}

TEST_F(ProducerHasADepthQuota, IsOneForAllLanes) {
  Submission other = from(kShop, 20);
  other.class_name = "promotional";
  other.not_before = world_.now().wall + Duration::seconds(60);
  EXPECT_NE(world_.accepted(hand_in(other)), nullptr);
  EXPECT_FALSE(is_taken(kShop, 1));
}

TEST_F(ProducerHasADepthQuota, WhatIsStillBeingWrittenCountsAndWhatWasNotWrittenDoesNot) {
  world_.disk_works = false;
  world_.submit(from(kShop, 20));
  EXPECT_EQ(unsettled(), kMost);
  const RequestId over = world_.submit(from(kShop, 1));
  EXPECT_NE(world_.refused(over), nullptr);
  world_.run_for(world_.commit_time);
  world_.disk_works = true;
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, ThereIsRoomAgainAsItIsSent) {
  fill();
  let_go();
  EXPECT_EQ(world_.lane(Lane::kTransactional).in_flight, 5);
  EXPECT_EQ(unsettled(), kMost) << "what is under way is not settled";
  EXPECT_FALSE(is_taken(kShop, 1));
  EXPECT_TRUE(world_.run_until_idle(Duration::seconds(10)));
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, ThereIsRoomAgainWhateverTheGatewaySays) {
  for (const GatewayReply& reply : {refused_reply("188"), silent_reply()}) {
    fill();
    world_.gateway = [&](const Payload&) { return reply; };
    let_go();
    world_.run_for(Duration::seconds(10));
    EXPECT_EQ(unsettled(), Units());
    hold();
  }
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, ThereIsRoomAgainWhenItIsShed) {
  Submission urgent = from(kShop, 20);
  urgent.deadline = world_.now().wall + Duration::seconds(30);
  const RequestId request = hand_in(urgent);
  world_.run_for(Duration::seconds(29));
  EXPECT_FALSE(is_taken(kShop, 1));
  world_.run_for(Duration::seconds(2));
  EXPECT_EQ(world_.states(request), std::vector(5, BatchState::kShed));
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, ThereIsRoomAgainWhenItIsCancelled) {
  Submission campaign = from(kShop, 20);
  campaign.tag = "diwali";
  hand_in(campaign);
  world_.cancel_tag("diwali");
  world_.run_for(Duration::seconds(1));
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, WhatIsCancelledUnderWayLeavesWithItsReply) {
  Submission campaign = from(kShop, 20);
  campaign.tag = "diwali";
  hand_in(campaign);
  world_.gateway = [](const Payload&) { return throttled_reply(); };
  let_go();
  world_.cancel_tag("diwali");
  world_.run_for(Duration::millis(100));
  EXPECT_EQ(unsettled(), kMost);
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(world_.rows_in(BatchState::kCancelled), 5);
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, WhatIsTriedAgainCountsOnce) {
  fill();
  int calls = 0;
  world_.gateway = [&](const Payload&) {
    calls += 1;
    if (calls <= 12) return throttled_reply();
    return calls <= 14 ? unreachable_reply() : accepted_reply();
  };
  let_go();
  while (calls < 15) {
    EXPECT_EQ(unsettled(), kMost) << "after " << calls << " calls";
    EXPECT_FALSE(is_taken(kShop, 1));
    world_.run_for(Duration::millis(50));
  }
  EXPECT_TRUE(world_.run_until_idle(Duration::seconds(600)));
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, ARepetitionIsAnsweredAsEver) {
  Submission keyed = from(kShop, 20);
  keyed.key = "order-1";
  EXPECT_NE(world_.accepted(hand_in(keyed)), nullptr);
  const RequestId again = hand_in(keyed);
  ASSERT_NE(world_.accepted(again), nullptr);
  EXPECT_TRUE(world_.accepted(again)->replayed);
  EXPECT_EQ(unsettled(), kMost);
  Submission other = from(kShop, 1);
  other.key = "order-2";
  const RequestId fresh = hand_in(other);
  ASSERT_NE(world_.refused(fresh), nullptr);
  EXPECT_EQ(world_.refused(fresh)->code, RefusalCode::kOverQuota);
  EXPECT_EQ(unsettled(), kMost);
}

// A repetition that finds room is charged before the store knows it.
TEST_F(ProducerHasADepthQuota, ARepetitionTakesNoRoom) {
  Submission keyed = from(kShop, 10);
  keyed.key = "order-1";
  for (int i = 0; i < 5; ++i)
    EXPECT_NE(world_.accepted(hand_in(keyed)), nullptr);
  EXPECT_EQ(unsettled(), Units::of(10));
  EXPECT_TRUE(is_taken(kShop, 10));
}

TEST_F(ProducerHasADepthQuota, ARestartKeepsTheCount) {
  fill();
  world_.restart();
  EXPECT_EQ(unsettled(), kMost);
  EXPECT_FALSE(is_taken(kShop, 1));
  EXPECT_TRUE(is_taken(kCrm, 1));
  world_.run_for(Duration::seconds(10));
  let_go();
  EXPECT_TRUE(world_.run_until_idle(Duration::seconds(60)));
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, WhatARestartMakesUnknownIsOutOfIt) {
  fill();
  let_go();
  world_.run_for(world_.commit_time);
  ASSERT_EQ(world_.rows_in(BatchState::kClaimed), 5);
  world_.restart();
  EXPECT_EQ(world_.rows_in(BatchState::kUnknown), 5);
  expect_room_for_all();
}

TEST_F(ProducerHasADepthQuota, AnOtpThatGoesAtOnceCountsUntilItsReply) {
  Submission code = from(kShop, 1);
  code.class_name = "otp";
  const RequestId request = hand_in(code);
  EXPECT_EQ(world_.states(request), std::vector{BatchState::kClaimed});
  EXPECT_EQ(unsettled(), Units::of(1));
  world_.run_for(Duration::seconds(1));
  EXPECT_EQ(unsettled(), Units());
  world_.disk_works = false;
  world_.submit(code);
  EXPECT_EQ(unsettled(), Units::of(1));
  world_.run_for(world_.commit_time);
  EXPECT_EQ(unsettled(), Units());
}

TEST_F(ProducerHasADepthQuota, WhatItCanNeverHoldIsSaidWithTheNumberToChange) {
  const RequestId never = hand_in(from(kShop, 21));
  ASSERT_NE(world_.refused(never), nullptr);
  EXPECT_EQ(world_.refused(never)->code, RefusalCode::kCostExceedsBucket);
  EXPECT_FALSE(world_.refused(never)->retry_after);
  EXPECT_THAT(world_.refused(never)->detail, HasSubstr("producers.shop.max_units"));
  ASSERT_EQ(world_.refused(never)->fields.size(), 1);
  EXPECT_EQ(world_.refused(never)->fields[0].pointer, "/to");
}

TEST_F(ProducerHasADepthQuota, WhatIsBeyondItAsksNothingOfTheLane) {
  fill();
  EXPECT_FALSE(is_taken(kShop, 5));
  EXPECT_EQ(world_.view().totals[index(Lane::kTransactional)].offered, kMost);
  EXPECT_EQ(world_.view().producers[index(kShop)].offered, Units::of(25));
}

TEST_F(ProducerHasADepthQuota, UnitsThatItSendsByItselfAreNoMessages) {
  world_.acquire_as(kShop, "promotional", Units::of(50));
  EXPECT_EQ(unsettled(), Units());
  EXPECT_TRUE(is_taken(kShop, 20));
}

// The lane gets 8 units/s, and a message of 20 is 20 too many.
TEST(ProducerIsTooDeep, ComesBackWhenTheLaneWillHaveSentWhatIsTooMuch) {
  EngineOptions options = one_bounded();
  options.ceiling.rate_per_s = Units::of(10);
  options.ceiling.capacity = Duration::seconds(20);
  options.lanes[index(Lane::kTransactional)].limit = 0.8;
  World world(options);
  const auto hand_in = [&](uint64_t number) {
    Submission one = submission("delivery_update", number, 20);
    one.producer = kShop;
    return world.submit(one);
  };
  hand_in(1);
  const RequestId over = hand_in(101);
  ASSERT_NE(world.refused(over), nullptr);
  EXPECT_EQ(world.refused(over)->retry_after, Duration::millis(2'500));
}

EngineOptions both_bounded() {
  EngineOptions options = one_bounded();
  options.producers[index(kShop)].rate_per_s = Units::of(1);
  options.producers[index(kShop)].capacity = Duration::seconds(15);
  options.producers[index(kShop)].max_units = Units::of(10);
  return options;
}

class ProducerHasBothQuotas : public ProducerHasADepthQuota {
 protected:
  ProducerHasBothQuotas() : ProducerHasADepthQuota(both_bounded()) {}
};

TEST_F(ProducerHasBothQuotas, WhatIsTooDeepCostsNothingOfTheOther) {
  EXPECT_TRUE(is_taken(kShop, 10));
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(is_taken(kShop, 5));
  let_go();
  ASSERT_TRUE(world_.run_until_idle(Duration::seconds(1)));
  EXPECT_TRUE(is_taken(kShop, 5));
  const RequestId over = hand_in(from(kShop, 3));
  ASSERT_NE(world_.refused(over), nullptr);
  EXPECT_THAT(world_.refused(over)->detail, HasSubstr("quota of 1 units/s"));
}

TEST_F(ProducerHasBothQuotas, WhatEitherCanNeverHoldIsNoMatterOfWaiting) {
  const RequestId never = hand_in(from(kShop, 11));
  ASSERT_NE(world_.refused(never), nullptr);
  EXPECT_THAT(world_.refused(never)->detail, HasSubstr("producers.shop.max_units"));
}

EngineOptions shallow_rate() {
  EngineOptions options = one_bounded();
  options.producers[index(kShop)].rate_per_s = Units::of(1);
  options.producers[index(kShop)].capacity = Duration::seconds(10);
  return options;
}

class ProducerHasASmallRate : public ProducerHasADepthQuota {
 protected:
  ProducerHasASmallRate() : ProducerHasADepthQuota(shallow_rate()) {}
};

TEST_F(ProducerHasASmallRate, WhatThatCanNeverHoldIsSaidEvenIfItIsTooDeepAsWell) {
  EXPECT_TRUE(is_taken(kShop, 10));
  const RequestId never = hand_in(from(kShop, 11));
  ASSERT_NE(world_.refused(never), nullptr);
  EXPECT_EQ(world_.refused(never)->code, RefusalCode::kCostExceedsBucket);
  EXPECT_THAT(world_.refused(never)->detail, HasSubstr("producers.shop.capacity"));
}

}  // namespace
}  // namespace weir::test
