// SPDX-License-Identifier: Apache-2.0
//
// The guard by itself: its bounds, its sweep, and a plain count of the same beside it.
#include "engine/send_guard.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "engine/rng.h"

namespace weir {
namespace {

constexpr Duration kHour = Duration::seconds(3600);
constexpr MonoTime kStart = MonoTime::from_ns(5'000'000'000);

ClassOptions with(GuardOptions guard) {
  ClassOptions one;
  one.name = "otp";
  one.guard = std::move(guard);
  return one;
}

Recipient number(uint64_t n) {
  return {910'000'000'000 + n};
}

class Counter {
 public:
  explicit Counter(const GuardOptions& options) : guard(with(options), 7) {}

  // Whether it is accepted; then it counts.
  bool take(Recipient recipient) {
    const Recipient one[] = {recipient};
    const auto fault = guard.check(now, one);
    if (fault) return false;
    guard.count(now, BatchId{++batch}, one);
    return true;
  }
  std::optional<SendGuard::Fault> fault(Recipient recipient) {
    const Recipient one[] = {recipient};
    return guard.check(now, one);
  }

  SendGuard guard;
  MonoTime now = kStart;
  int64_t batch = 0;
};

TEST(LeadingDigits, AreThoseThatThereAre) {
  EXPECT_EQ(leading_digits({919'876'543'210}, 7), 9'198'765U);
  EXPECT_EQ(leading_digits({919'876'543'210}, 12), 919'876'543'210U);
  EXPECT_EQ(leading_digits({919'876'543'210}, 15), 919'876'543'210U);
  EXPECT_EQ(leading_digits({999'999'999'999'999}, 15), 999'999'999'999'999U);
  EXPECT_EQ(leading_digits({1'234'567}, 1), 1U);
}

TEST(SendGuard, EndsTheCooldownAndTheHourToTheNanosecond) {
  GuardOptions options;
  options.max_per_recipient_per_hour = 1;
  options.resend_cooldown = Duration::seconds(30);
  Counter counter(options);
  EXPECT_TRUE(counter.take(number(1)));
  counter.now = kStart + kHour + Duration::nanos(-1);
  ASSERT_TRUE(counter.fault(number(1)));
  EXPECT_EQ(counter.fault(number(1))->code, RefusalCode::kRecipientCap);
  EXPECT_EQ(counter.fault(number(1))->wait, Duration::nanos(1));
  counter.now = kStart + kHour;
  EXPECT_TRUE(counter.take(number(1)));
  counter.now = counter.now + Duration::seconds(10);
  EXPECT_EQ(counter.fault(number(1))->code, RefusalCode::kRecipientCap) << "it takes longer";
  EXPECT_EQ(counter.fault(number(1))->wait, kHour + Duration::seconds(-10));
}

TEST(SendGuard, AMessageWaitsForTheLastOfItsRecipientsAndNamesTheFirst) {
  Counter counter(GuardOptions{});
  EXPECT_TRUE(counter.take(number(2)));
  counter.now = counter.now + Duration::seconds(10);
  EXPECT_TRUE(counter.take(number(3)));
  const Recipient all[] = {number(1), number(2), number(3)};
  const auto fault = counter.guard.check(counter.now, all);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->code, RefusalCode::kRecipientCooldown);
  EXPECT_EQ(fault->recipient, 1U);
  EXPECT_EQ(fault->wait, Duration::seconds(30));
}

TEST(SendGuard, OldEntriesCountNowhereBeforeTheyAreSwept) {
  GuardOptions options;
  options.max_per_recipient_per_hour = 1;
  options.max_per_prefix_per_hour = 3;
  options.max_per_hour = 3;
  Counter counter(options);
  for (uint64_t n = 1; n <= 3; ++n)
    EXPECT_TRUE(counter.take(number(n)));
  EXPECT_TRUE(counter.fault(number(4)));
  counter.now = counter.now + kHour;
  EXPECT_TRUE(counter.take(number(3)));
  EXPECT_TRUE(counter.take(number(2)));
  EXPECT_TRUE(counter.take(number(1)));
  EXPECT_FALSE(counter.take(number(4)));
}

TEST(SendGuard, SweepsNoMoreThanItMay) {
  GuardOptions options;
  options.max_per_prefix_per_hour = 0;
  Counter counter(options);
  for (uint64_t n = 0; n < 100; ++n)
    EXPECT_TRUE(counter.take(number(n)));
  counter.guard.sweep(counter.now + kHour + Duration::nanos(-1), 1'000);
  EXPECT_EQ(counter.guard.entries(), 100U);
  counter.guard.sweep(counter.now + kHour, 30);
  EXPECT_EQ(counter.guard.entries(), 70U);
  counter.guard.sweep(counter.now + kHour, 1'000);
  EXPECT_EQ(counter.guard.entries(), 0U);
}

// Behind one that stays, so that they cannot leave the log at its end.
TEST(SendGuard, WhatIsTakenBackIsBoundedTooAndThenTheClassWaits) {
  GuardOptions options;
  options.max_per_prefix_per_hour = 0;
  options.max_per_hour = 10;
  Counter counter(options);
  uint64_t n = 0;
  EXPECT_TRUE(counter.take(number(++n)));
  int taken_back = 0;
  for (; taken_back < 100; ++taken_back) {
    if (!counter.take(number(++n))) break;
    const BatchId unlucky{counter.batch};
    if (!counter.take(number(++n))) break;
    counter.guard.take_back(unlucky, unlucky);
    counter.guard.take_back(BatchId{counter.batch}, BatchId{counter.batch});
  }
  EXPECT_EQ(taken_back, 100) << "what ends the log leaves it at once";
  EXPECT_EQ(counter.guard.entries(), 1U);
  GuardOptions more = options;
  Counter other(more);
  std::vector<BatchId> early;
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(other.take(number(++n)));
    early.push_back(BatchId{other.batch});
  }
  for (int round = 0; round < 12; ++round) {
    if (!other.take(number(++n))) break;
    other.guard.take_back(early.back(), early.back());
    early.back() = BatchId{other.batch};
  }
  EXPECT_EQ(other.guard.entries(), 20U);
  ASSERT_TRUE(other.fault(number(++n)));
  EXPECT_EQ(other.fault(number(n))->code, RefusalCode::kClassCap);
  EXPECT_EQ(other.fault(number(n))->wait, kHour);
  other.now = other.now + kHour;
  EXPECT_TRUE(other.take(number(n)));
}

TEST(SendGuard, RestoresTheNewestThatItMayHold) {
  GuardOptions options;
  options.max_per_hour = 4;
  Counter counter(options);
  std::vector<Restored::Counted> found;
  const WallTime wall = WallTime::from_unix_ms(1'790'000'000'000);
  for (int64_t i = 1; i <= 6; ++i) {
    found.push_back(
        {BatchId{i}, wall + Duration::seconds(-3'000 + i), number(static_cast<uint64_t>(i))});
  }
  counter.guard.restore({kStart, wall}, found);
  EXPECT_EQ(counter.guard.entries(), 4U);
  ASSERT_TRUE(counter.fault(number(9)));
  EXPECT_EQ(counter.fault(number(9))->code, RefusalCode::kClassCap);
  EXPECT_EQ(counter.fault(number(9))->wait, Duration::seconds(603));
}

// A plain list of what was accepted, counted anew for every question.
class PlainCount {
 public:
  explicit PlainCount(GuardOptions options) : options_(std::move(options)) {}

  struct Kept {
    MonoTime at;
    Recipient recipient;
    int64_t batch = 0;
    bool sent = true;
  };

  Duration wait(MonoTime now, Recipient recipient) const {
    Duration longest;
    for (auto one = kept.rbegin(); one != kept.rend(); ++one) {
      if (one->recipient != recipient) continue;
      if (one->sent) longest = one->at + options_.resend_cooldown - now;
      break;
    }
    longest = std::max(longest, Duration());
    const auto cap = [&](uint32_t most, auto belongs) {
      std::vector<MonoTime> times;
      for (const Kept& one : kept) {
        if (belongs(one) && one.at + kHour > now) times.push_back(one.at);
      }
      if (times.size() < most) return;
      longest = std::max(longest, times[times.size() - most] + kHour - now);
    };
    cap(options_.max_per_recipient_per_hour,
        [&](const Kept& one) { return one.recipient == recipient; });
    cap(options_.max_per_prefix_per_hour, [&](const Kept& one) {
      return leading_digits(one.recipient, options_.prefix_digits) ==
             leading_digits(recipient, options_.prefix_digits);
    });
    cap(options_.max_per_hour, [](const Kept&) { return true; });
    return longest;
  }

  std::vector<Kept> kept;

 private:
  GuardOptions options_;
};

TEST(SendGuard, SaysWhatAPlainCountSays) {
  GuardOptions options;
  options.max_per_recipient_per_hour = 3;
  options.max_per_prefix_per_hour = 12;
  options.prefix_digits = 11;
  options.max_per_hour = 40;
  Counter counter(options);
  PlainCount plain(options);
  Rng rng(11);
  int taken = 0;
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    counter.now = counter.now + Duration::millis(rng.up_to(100'000));
    const Recipient recipient = number(static_cast<uint64_t>(rng.up_to(60)));
    const Duration expected = plain.wait(counter.now, recipient);
    const auto fault = counter.fault(recipient);
    ASSERT_EQ(fault ? fault->wait : Duration(), expected) << i;
    (fault ? refused : taken) += 1;
    if (!fault) {
      counter.take(recipient);
      plain.kept.push_back({counter.now, recipient, counter.batch});
    }
    const int64_t chance = rng.up_to(9);
    if (chance < 2 && !plain.kept.empty()) {
      const auto among = std::min<int64_t>(std::ssize(plain.kept), 5);
      const auto chosen = plain.kept.end() - 1 - rng.up_to(among - 1);
      const BatchId batch{chosen->batch};
      if (chance == 0) {
        counter.guard.take_back(batch, batch);
        plain.kept.erase(chosen);
      } else {
        counter.guard.not_sent(batch, batch);
        chosen->sent = false;
      }
    }
    counter.guard.sweep(counter.now, static_cast<size_t>(rng.up_to(2)));
  }
  EXPECT_GT(taken, 1'000);
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace weir
