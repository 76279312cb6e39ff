// SPDX-License-Identifier: Apache-2.0
#include "engine/lease_book.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

constexpr Duration kTime = Duration::seconds(600);

Now at(int64_t seconds) {
  return {MonoTime::from_ns(seconds * 1'000'000'000),
          WallTime::from_unix_ms(1'796'000'000'000 + seconds * 1000)};
}

Lease lease(int64_t units) {
  Lease one;
  one.lane = Lane::kOtp;
  one.cost = Units::of(units);
  return one;
}

TEST(LeaseBook, ClosesALeaseForItsOwnerOrForNobodyInParticular) {
  LeaseBook book(at(0), 10, kTime);
  Lease own = lease(1);
  own.producer = ProducerId{3};
  const LeaseId first = book.open(at(0).mono, own);
  const LeaseId second = book.open(at(0).mono, own);
  const LeaseId nobodys = book.open(at(0).mono, lease(1));
  EXPECT_FALSE(book.close(at(1).mono, first, ProducerId{4}).has_value());
  EXPECT_FALSE(book.close(at(1).mono, nobodys, ProducerId{3}).has_value());
  EXPECT_TRUE(book.close(at(1).mono, first, ProducerId{3}).has_value());
  EXPECT_TRUE(book.close(at(1).mono, second).has_value());
  EXPECT_TRUE(book.close(at(1).mono, nobodys).has_value());
}

TEST(LeaseBook, GivesALeaseBackOnceAndAsItWas) {
  LeaseBook book(at(0), 10, kTime);
  const LeaseId first = book.open(at(0).mono, lease(1));
  const LeaseId second = book.open(at(0).mono, lease(2));
  EXPECT_LT(raw(first), raw(second));
  const auto closed = book.close(at(1).mono, second);
  ASSERT_TRUE(closed.has_value());
  EXPECT_EQ(closed->cost, Units::of(2));
  EXPECT_EQ(closed->lane, Lane::kOtp);
  EXPECT_FALSE(book.close(at(1).mono, second).has_value());
  EXPECT_TRUE(book.close(at(1).mono, first).has_value());
  EXPECT_EQ(book.size(), 0);
}

TEST(LeaseBook, KnowsNoneThatItNeverGave) {
  LeaseBook book(at(0), 10, kTime);
  const LeaseId id = book.open(at(0).mono, lease(1));
  for (uint64_t other : {uint64_t{0}, raw(id) - 1, raw(id) + 1, UINT64_MAX})
    EXPECT_FALSE(book.close(at(0).mono, LeaseId{other}).has_value()) << other;
}

TEST(LeaseBook, ForgetsALeaseWhenItsTimeIsOver) {
  LeaseBook book(at(0), 10, kTime);
  const LeaseId early = book.open(at(0).mono, lease(1));
  const LeaseId late = book.open(at(1).mono, lease(1));
  EXPECT_FALSE(book.close(at(600).mono, early).has_value());
  EXPECT_EQ(book.size(), 1);
  EXPECT_TRUE(book.close(at(600).mono, late).has_value());
}

TEST(LeaseBook, ForgetsTheOldestWhenItIsFull) {
  LeaseBook book(at(0), 2, kTime);
  const LeaseId first = book.open(at(0).mono, lease(1));
  const LeaseId second = book.open(at(0).mono, lease(2));
  const LeaseId third = book.open(at(0).mono, lease(3));
  EXPECT_EQ(book.size(), 2);
  EXPECT_FALSE(book.close(at(0).mono, first).has_value());
  EXPECT_EQ(book.close(at(0).mono, second)->cost, Units::of(2));
  EXPECT_EQ(book.close(at(0).mono, third)->cost, Units::of(3));
}

TEST(LeaseBook, OfALaterRunGivesOtherIds) {
  LeaseBook before(at(0), 1'000, kTime);
  LeaseId last{};
  for (int i = 0; i < 900; ++i)
    last = before.open(at(0).mono, lease(1));
  LeaseBook after(at(1), 1'000, kTime);
  EXPECT_FALSE(after.close(at(1).mono, last).has_value());
  EXPECT_GT(raw(after.open(at(1).mono, lease(1))), raw(last));
}

}  // namespace
}  // namespace weir
