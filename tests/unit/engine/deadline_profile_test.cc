// SPDX-License-Identifier: Apache-2.0
#include "engine/deadline_profile.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

WallTime at(int64_t s) {
  return WallTime::from_unix_ms(1'000'000'000 + 1000 * s);
}

DeadlineProfile::Place place(uint8_t priority, int64_t deadline_s, int class_id = 0) {
  return {priority, at(deadline_s), static_cast<ClassId>(class_id)};
}

// One unit a second, nothing saved up, of priority 5.
DeadlineProfile::Question asks(int64_t deadline_s) {
  DeadlineProfile::Question one;
  one.priority = 5;
  one.deadline = at(deadline_s);
  one.cost = Units::of(1);
  one.from = at(0);
  one.rate_per_s = 1;
  one.counted.set();
  return one;
}

TEST(DeadlineProfile, AnEmptyLaneTakesOnlyWhatTheMessageItselfTakes) {
  EXPECT_EQ(DeadlineProfile().turn_of(asks(500)), at(1));
}

TEST(DeadlineProfile, WhatGoesLaterIsNotWaitedFor) {
  DeadlineProfile profile;
  profile.add(place(5, 900), Units::of(10'000));  // a later deadline
  profile.add(place(6, 10), Units::of(10'000));   // a lower priority
  EXPECT_EQ(profile.turn_of(asks(500)), at(1));
}

TEST(DeadlineProfile, WhatGoesFirstIsWaitedFor) {
  DeadlineProfile profile;
  profile.add(place(5, 400), Units::of(20));  // an earlier deadline
  profile.add(place(4, 900), Units::of(30));  // a higher priority
  profile.add(place(5, 500), Units::of(40));  // the same deadline, and here already
  EXPECT_EQ(profile.turn_of(asks(500)), at(91));
}

TEST(DeadlineProfile, WhatExpiresBeforeItsTurnIsNotWaitedFor) {
  DeadlineProfile profile;
  profile.add(place(5, 60), Units::of(10'000));
  EXPECT_EQ(profile.turn_of(asks(300)), at(61));
  profile.add(place(5, 301), Units::of(10'000));
  EXPECT_EQ(profile.turn_of(asks(400)), at(302));
}

TEST(DeadlineProfile, AQueueThatReachesPastTheDeadlineIsSeen) {
  DeadlineProfile profile;
  profile.add(place(5, 300), Units::of(10'000));
  EXPECT_GT(profile.turn_of(asks(300)), at(300));
  profile.add(place(3, 900), Units::of(10'000));
  EXPECT_GT(profile.turn_of(asks(300)), at(300));
}

TEST(DeadlineProfile, TokensThatAreThereCostNoTime) {
  DeadlineProfile profile;
  profile.add(place(5, 400), Units::of(20));
  DeadlineProfile::Question question = asks(500);
  question.at_once = Units::of(15);
  EXPECT_EQ(profile.turn_of(question), at(6));
  question.at_once = Units::of(100);
  EXPECT_EQ(profile.turn_of(question), at(0));
}

TEST(DeadlineProfile, AClassThatStandsStillIsPassedBy) {
  DeadlineProfile profile;
  profile.add(place(5, 400, 1), Units::of(20));
  profile.add(place(5, 400, 2), Units::of(30));
  DeadlineProfile::Question question = asks(500);
  question.counted.reset(2);
  EXPECT_EQ(profile.turn_of(question), at(21));
}

// A slot is ten seconds: what may be behind is not taken for something in front.
TEST(DeadlineProfile, ANeighbourWithALaterDeadlineIsNotWaitedFor) {
  DeadlineProfile profile;
  profile.add(place(5, 502), Units::of(1000));
  EXPECT_EQ(profile.turn_of(asks(501)), at(1));
  EXPECT_GT(profile.turn_of(asks(502)), at(502));
}

TEST(DeadlineProfile, WhatLeftIsForgotten) {
  DeadlineProfile profile;
  profile.add(place(5, 400), Units::of(20));
  profile.add(place(5, 401), Units::of(30));
  profile.add(place(2, 7), Units::of(5));
  EXPECT_EQ(profile.turn_of(asks(500)), at(56));
  profile.remove(place(5, 400), Units::of(20));
  profile.remove(place(5, 401), Units::of(30));
  profile.remove(place(2, 7), Units::of(5));
  EXPECT_EQ(profile.turn_of(asks(500)), at(1));
}

}  // namespace
}  // namespace weir
