// SPDX-License-Identifier: Apache-2.0
#include "engine/lane_queue.h"

#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "engine/rng.h"

namespace weir {
namespace {

WallTime at(int64_t ms) {
  return WallTime::from_unix_ms(1'000'000 + ms);
}

Head head(int64_t id, uint8_t priority, int64_t deadline_ms) {
  Head one;
  one.id = static_cast<BatchId>(id);
  one.cost = Units::of(1);
  one.priority = priority;
  one.deadline = at(deadline_ms);
  one.eligible = at(0);
  return one;
}

int64_t pop(LaneQueue& queue) {
  const int64_t id = raw(queue.front()->id);
  queue.pop_front();
  return id;
}

TEST(LaneQueue, OrdersByPriorityThenDeadlineThenArrival) {
  LaneQueue queue;
  queue.push(at(0), head(1, 5, 100), at(0));
  queue.push(at(0), head(2, 5, 50), at(0));
  queue.push(at(0), head(3, 0, 900), at(0));
  queue.push(at(0), head(4, 5, 50), at(0));
  EXPECT_EQ(queue.rows(), 4);
  EXPECT_EQ(queue.units(), Units::of(4));
  EXPECT_EQ(pop(queue), 3);
  EXPECT_EQ(pop(queue), 2);
  EXPECT_EQ(pop(queue), 4);
  EXPECT_EQ(pop(queue), 1);
  EXPECT_EQ(queue.front(), nullptr);
  EXPECT_EQ(queue.units(), Units());
}

TEST(LaneQueue, WhatIsNotDueStandsAsideButCounts) {
  LaneQueue queue;
  queue.push(at(0), head(1, 0, 1000), at(500));
  queue.push(at(0), head(2, 5, 1000), at(0));
  EXPECT_EQ(queue.rows(), 2);
  EXPECT_EQ(raw(queue.front()->id), 2);
  EXPECT_FALSE(queue.promote_one(at(499)));
  EXPECT_EQ(raw(queue.front()->id), 2);
  EXPECT_TRUE(queue.promote_one(at(500)));
  EXPECT_EQ(pop(queue), 1);
}

// Each way in and out, because a quota is held against it.
TEST(LaneQueue, KnowsWhatIsOfAProducerWherever) {
  LaneQueue queue;
  const ProducerId shop{0};
  const auto push = [&](int64_t id, int64_t deadline_ms, int64_t not_before_ms, ProducerId from) {
    Head one = head(id, 5, deadline_ms);
    one.producer = from;
    queue.push(at(0), one, at(not_before_ms));
  };
  push(1, 100, 0, shop);
  push(2, 200, 0, shop);
  push(3, 50, 0, shop);
  push(4, 400, 10, shop);
  push(5, 500, 0, ProducerId{1});
  push(6, 600, 0, kNoProducer);
  EXPECT_EQ(queue.units_of(shop), Units::of(4));
  EXPECT_EQ(queue.pop_expired(at(60))->id, BatchId{3});
  EXPECT_EQ(queue.units_of(shop), Units::of(3));
  EXPECT_EQ(pop(queue), 1);
  EXPECT_EQ(queue.units_of(shop), Units::of(2));
  EXPECT_TRUE(queue.promote_one(at(60)));
  EXPECT_EQ(queue.units_of(shop), Units::of(2));
  LaneQueue::Sweep sweep;
  queue.sweep(sweep, 100, [](const Head& one) { return one.id == BatchId{2}; });
  EXPECT_EQ(queue.units_of(shop), Units::of(1));
  EXPECT_EQ(queue.units_of(ProducerId{1}), Units::of(1));
  EXPECT_EQ(queue.units_of(kNoProducer), Units::of(1));
}

TEST(LaneQueue, HandsOutExpiredBatchesOfEveryPriorityAndNothingElse) {
  LaneQueue queue;
  Rng rng(5);
  for (int64_t id = 0; id < 1000; ++id) {
    queue.push(at(0), head(id, static_cast<uint8_t>(rng.up_to(9)), 1 + rng.up_to(999)), at(0));
  }
  int64_t expired = 0;
  while (const auto one = queue.pop_expired(at(500))) {
    EXPECT_LE(one->deadline, at(500));
    expired += 1;
  }
  EXPECT_EQ(queue.rows(), 1000 - expired);
  EXPECT_GT(expired, 400);
  while (queue.front() != nullptr) {
    EXPECT_GT(queue.front()->deadline, at(500));
    queue.pop_front();
  }
}

TEST(LaneQueue, KnowsTheOldestToATenthOfASecondAndLeavesOutTheScheduled) {
  LaneQueue queue;
  EXPECT_FALSE(queue.oldest(at(0)));
  Head scheduled = head(1, 5, 90'000);
  scheduled.eligible = at(50'000);
  queue.push(at(0), scheduled, at(50'000));
  EXPECT_FALSE(queue.oldest(at(1000)));
  Head early = head(2, 5, 90'000);
  early.eligible = at(200);
  queue.push(at(300), early, at(300));
  EXPECT_EQ(queue.oldest(at(1000)), at(200));
  EXPECT_EQ(pop(queue), 2);
  EXPECT_FALSE(queue.oldest(at(1000)));
}

TEST(LaneQueue, AHeldClassIsPassedByAndKeepsItsPlaceAndStillExpires) {
  LaneQueue queue;
  Head held = head(1, 0, 100);
  held.class_id = ClassId{3};
  queue.push(at(0), held, at(0));
  Head later = head(2, 0, 900);
  later.class_id = ClassId{3};
  queue.push(at(0), later, at(0));
  queue.push(at(0), head(3, 5, 500), at(0));
  queue.hold(ClassSet().set(3));
  EXPECT_EQ(raw(queue.front()->id), 3);
  EXPECT_EQ(queue.units_of(ClassId{3}), Units::of(2));
  EXPECT_EQ(raw(queue.pop_expired(at(100))->id), 1);
  EXPECT_EQ(pop(queue), 3);
  EXPECT_EQ(queue.front(), nullptr);
  EXPECT_EQ(queue.rows(), 1);
  queue.hold({});
  EXPECT_EQ(pop(queue), 2);
  EXPECT_EQ(queue.units_of(ClassId{3}), Units());
}

TEST(LaneQueue, ClassesOfOnePriorityLeaveByDeadlineAndThenByArrival) {
  LaneQueue queue;
  for (int64_t id = 1; id <= 6; ++id) {
    Head one = head(id, 5, id % 2 == 0 ? 100 : 200);
    one.class_id = static_cast<ClassId>(id % 3);
    queue.push(at(0), one, at(0));
  }
  for (int64_t expected : {2, 4, 6, 1, 3, 5})
    EXPECT_EQ(pop(queue), expected);
}

TEST(LaneQueue, OfWhatComesDueAtOnceTheMostUrgentIsFirst) {
  LaneQueue queue;
  queue.push(at(0), head(1, 5, 900), at(50));
  queue.push(at(0), head(2, 5, 300), at(50));
  queue.push(at(0), head(3, 1, 900), at(50));
  queue.push(at(0), head(4, 9, 100), at(40));
  for (int64_t expected : {4, 3, 2, 1})
    EXPECT_EQ(raw(queue.promote_one(at(60))->id), expected);
}

TEST(LaneQueue, SaysWhenItChangesByItself) {
  LaneQueue queue;
  EXPECT_FALSE(queue.next_change());
  queue.push(at(0), head(1, 5, 800), at(0));
  EXPECT_EQ(queue.next_change(), at(800));
  queue.push(at(0), head(2, 5, 900), at(300));
  EXPECT_EQ(queue.next_change(), at(300));
}

TEST(LaneQueue, ASweepTakesOutWhatLeavesAndKeepsTheOrder) {
  Rng rng(7);
  LaneQueue queue;
  const auto odd = [](const Head& one) { return raw(one.id) % 2 == 1; };
  for (int64_t id = 1; id <= 2'000; ++id) {
    const auto priority = static_cast<uint8_t>(rng.up_to(kPriorities - 1));
    const auto deadline = static_cast<int64_t>(rng.up_to(499));
    queue.push(at(0), head(id, priority, 1'000 + deadline), at(rng.up_to(3) == 0 ? 500 : 0));
  }
  LaneQueue::Sweep sweep;
  int64_t left = 2'000;
  while (queue.sweep(sweep, 10, odd)) {
    // What leaves in line meanwhile is not in its way.
    if (rng.up_to(3) > 0 || queue.front() == nullptr) continue;
    left -= odd(*queue.front()) ? 0 : 1;
    queue.pop_front();
  }
  EXPECT_EQ(queue.rows(), left - 1'000);
  EXPECT_EQ(queue.units(), Units::of(queue.rows()));
  while (queue.promote_one(at(500))) {
  }
  std::tuple<uint8_t, WallTime, int64_t> before{};
  for (; queue.front() != nullptr; queue.pop_front()) {
    const Head& one = *queue.front();
    EXPECT_FALSE(odd(one));
    const std::tuple place{one.priority, one.deadline, raw(one.id)};
    EXPECT_LT(before, place);
    before = place;
  }
}

TEST(LaneQueue, WhatIsHeldIsSweptToo) {
  LaneQueue queue;
  for (int64_t id = 1; id <= 3; ++id)
    queue.push(at(0), head(id, 5, 100 * id), at(0));
  queue.hold(ClassSet().set());
  EXPECT_EQ(queue.front(), nullptr);
  LaneQueue::Sweep sweep;
  EXPECT_FALSE(queue.sweep(sweep, 100, [](const Head& one) { return raw(one.id) == 2; }));
  EXPECT_EQ(queue.rows(), 2);
  queue.hold({});
  EXPECT_EQ(pop(queue), 1);
  EXPECT_EQ(pop(queue), 3);
}

}  // namespace
}  // namespace weir
