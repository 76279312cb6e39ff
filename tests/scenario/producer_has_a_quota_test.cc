// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/world.h"

namespace weir::test {
namespace {

using ::testing::HasSubstr;
using enum AnswerLease::Result;

constexpr ProducerId kShop{0};
constexpr ProducerId kCrm{1};
constexpr ClassId kOtp{0};

// The shop: 10 units/s, 20 at once, everything but OTPs. The CRM: everything, without a quota.
EngineOptions two_producers() {
  EngineOptions options = test_options();
  ProducerOptions shop;
  shop.name = "shop";
  shop.classes.set().reset(index(kOtp));
  shop.rate_per_s = Units::of(10);
  shop.capacity = Duration::seconds(2);
  ProducerOptions crm;
  crm.name = "crm";
  crm.classes.set();
  options.producers = {shop, crm};
  return options;
}

Submission from(ProducerId producer, uint64_t number, size_t recipients = 1,
                const char* class_name = "delivery_update") {
  Submission one = submission(class_name, number, recipients);
  one.producer = producer;
  return one;
}

// To a microsecond: a bucket counts in millionths of a unit.
bool is_about(Duration wait, int64_t ms) {
  const Duration off = wait - Duration::millis(ms);
  return off < Duration::nanos(1'000) && off > Duration::nanos(-1'000);
}

// Whether it is accepted.
bool is_taken(World& world, Submission one) {
  const RequestId request = world.submit(std::move(one));
  world.run_for(world.commit_time);
  return world.accepted(request) != nullptr;
}

TEST(ProducerHasAQuota, WhatIsOverItIsRefusedWithTheFirstInstantAtWhichItGoes) {
  World world(two_producers());
  EXPECT_TRUE(is_taken(world, from(kShop, 1, 20))) << "a quota starts full";
  const RequestId over = world.submit(from(kShop, 100, 5));
  ASSERT_NE(world.refused(over), nullptr);
  EXPECT_EQ(world.refused(over)->code, RefusalCode::kOverQuota);
  EXPECT_EQ(http_status(RefusalCode::kOverQuota), 429);
  EXPECT_THAT(world.refused(over)->detail, HasSubstr("producer shop"));
  ASSERT_TRUE(world.refused(over)->retry_after);
  const Duration wait = *world.refused(over)->retry_after;
  EXPECT_TRUE(is_about(wait, 499)) << "5 units at 10 a second, 1 ms of which has passed";
  world.run_for(wait - Duration::nanos(1));
  EXPECT_NE(world.refused(world.submit(from(kShop, 100, 5))), nullptr);
  world.run_for(Duration::nanos(1));
  EXPECT_TRUE(is_taken(world, from(kShop, 100, 5)));
}

TEST(ProducerHasAQuota, OthersAreNotTouchedByIt) {
  World world(two_producers());
  EXPECT_TRUE(is_taken(world, from(kShop, 1, 20)));
  EXPECT_FALSE(is_taken(world, from(kShop, 100)));
  EXPECT_TRUE(is_taken(world, from(kCrm, 200, 50)));
  EXPECT_TRUE(is_taken(world, from(kNoProducer, 300, 50)));
}

TEST(ProducerHasAQuota, ARepetitionCostsNothingAndIsAnsweredOverTheQuotaToo) {
  World world(two_producers());
  Submission keyed = from(kShop, 1, 10);
  keyed.key = "order-1";
  EXPECT_TRUE(is_taken(world, keyed));
  for (int again = 0; again < 5; ++again) {
    const RequestId request = world.submit(keyed);
    world.run_for(world.commit_time);
    ASSERT_NE(world.accepted(request), nullptr);
    EXPECT_TRUE(world.accepted(request)->replayed);
  }
  EXPECT_TRUE(is_taken(world, from(kShop, 100, 10))) << "the repetitions cost something";
  const RequestId over = world.submit(keyed);
  world.run_for(world.commit_time);
  ASSERT_NE(world.accepted(over), nullptr);
  EXPECT_TRUE(world.accepted(over)->replayed);
  Submission other = from(kShop, 200, 10);
  other.key = "order-2";
  const RequestId fresh = world.submit(other);
  world.run_for(world.commit_time);
  ASSERT_NE(world.refused(fresh), nullptr);
  EXPECT_EQ(world.refused(fresh)->code, RefusalCode::kOverQuota);
}

TEST(ProducerHasAQuota, WhatTheDiskDoesNotTakeIsGivenBack) {
  World world(two_producers());
  world.disk_works = false;
  EXPECT_FALSE(is_taken(world, from(kShop, 1, 20)));
  world.disk_works = true;
  EXPECT_TRUE(is_taken(world, from(kShop, 1, 20)));
}

TEST(ProducerHasAQuota, WhatIsRefusedForAnotherReasonCostsNothing) {
  World world(two_producers());
  Submission wrong = from(kShop, 1, 20);
  wrong.body.clear();
  EXPECT_FALSE(is_taken(world, wrong));
  EXPECT_FALSE(is_taken(world, from(kShop, 1, 20, "otp")));
  EXPECT_TRUE(is_taken(world, from(kShop, 1, 20)));
}

TEST(ProducerHasAQuota, WhatItCanNeverHoldIsSaidWithTheNumberToChange) {
  World world(two_producers());
  const RequestId never = world.submit(from(kShop, 1, 21));
  ASSERT_NE(world.refused(never), nullptr);
  EXPECT_EQ(world.refused(never)->code, RefusalCode::kCostExceedsBucket);
  EXPECT_FALSE(world.refused(never)->retry_after);
  EXPECT_THAT(world.refused(never)->detail, HasSubstr("producers.shop.capacity"));
  EXPECT_TRUE(is_taken(world, from(kShop, 1, 20)));
}

TEST(ProducerHasAQuota, AndClassesThatItMaySend) {
  World world(two_producers());
  world.run_for(Duration::seconds(2));
  const RequestId otp = world.submit(from(kShop, 1, 1, "otp"));
  ASSERT_NE(world.refused(otp), nullptr);
  EXPECT_EQ(world.refused(otp)->code, RefusalCode::kClassNotAllowed);
  EXPECT_EQ(http_status(RefusalCode::kClassNotAllowed), 403);
  EXPECT_TRUE(is_taken(world, from(kCrm, 1, 1, "otp")));
  EXPECT_TRUE(is_taken(world, from(kShop, 1, 1, "promotional")));
}

TEST(ProducerHasAQuota, AClassThatItsTemplateFilledInCountsToo) {
  World world(two_producers());
  Template code;
  code.id = "code";
  code.body = "Your code is 4711";
  code.class_name = "otp";
  world.put_template(code);
  world.run_for(Duration::seconds(1));
  Submission one = from(kShop, 1, 1, "");
  one.body.clear();
  one.template_id = "code";
  const RequestId otp = world.submit(one);
  ASSERT_NE(world.refused(otp), nullptr);
  EXPECT_EQ(world.refused(otp)->code, RefusalCode::kClassNotAllowed);
}

TEST(ProducerHasAQuota, LeasesAreChargedAndGivenBackWithTheLease) {
  World world(two_producers());
  world.run_for(Duration::seconds(3));
  const AnswerLease* first =
      world.lease_answer(world.acquire_as(kShop, "promotional", Units::of(20)));
  ASSERT_TRUE(first != nullptr && first->result == kGranted);
  const RequestId over = world.acquire_as(kShop, "promotional", Units::of(1));
  ASSERT_NE(world.refused(over), nullptr);
  EXPECT_EQ(world.refused(over)->code, RefusalCode::kOverQuota);
  EXPECT_TRUE(is_about(world.refused(over)->retry_after.value_or(Duration()), 100));
  EXPECT_EQ(world.lease_answer(world.refund_as(kCrm, first->lease))->result, kUnknownLease)
      << "it is not the CRM's";
  EXPECT_EQ(world.lease_answer(world.refund_as(kShop, first->lease))->result, kRefunded);
  EXPECT_TRUE(is_taken(world, from(kShop, 1, 20)));
}

TEST(ProducerHasAQuota, ALeaseThatIsNotGrantedCostsNothing) {
  World world(two_producers());
  // The buckets start empty, so both wait; one goes, one loses its patience.
  const RequestId gone =
      world.acquire_as(kShop, "promotional", Units::of(10), Duration::seconds(60));
  EXPECT_EQ(world.lease_answer(gone), nullptr);
  world.abandon(gone);
  const RequestId denied = world.acquire_as(kShop, "promotional", Units::of(20));
  ASSERT_NE(world.lease_answer(denied), nullptr);
  EXPECT_EQ(world.lease_answer(denied)->result, kDenied);
  EXPECT_TRUE(is_taken(world, from(kShop, 1, 20)));
}

TEST(ProducerHasAQuota, AskingForUnitsOfAClassThatItMayNotSendIsRefused) {
  World world(two_producers());
  const RequestId otp = world.acquire_as(kShop, "otp", Units::of(1), Duration::seconds(5));
  ASSERT_NE(world.refused(otp), nullptr);
  EXPECT_EQ(world.refused(otp)->code, RefusalCode::kClassNotAllowed);
}

TEST(ProducerHasAQuota, WhatItOffersIsCountedTakenOrNot) {
  World world(two_producers());
  is_taken(world, from(kShop, 1, 20));
  is_taken(world, from(kShop, 100, 3));
  const auto producers = world.view().producers;
  ASSERT_EQ(producers.size(), 2u);
  EXPECT_EQ(producers[0].name, "shop");
  EXPECT_EQ(producers[0].offered, Units::of(23));
  EXPECT_EQ(producers[1].offered, Units());
  EXPECT_EQ(world.view().totals[index(Lane::kTransactional)].offered, Units::of(20))
      << "what is over a quota asks nothing of the lane";
}

}  // namespace
}  // namespace weir::test
