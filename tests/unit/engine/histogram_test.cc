// SPDX-License-Identifier: Apache-2.0
#include "engine/histogram.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "engine/rng.h"

namespace weir {
namespace {

constexpr double kQuantiles[] = {0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1};

// The value that the share q of a sorted list does not pass.
int64_t exact(const std::vector<int64_t>& sorted, double q) {
  const double rank = std::ceil(q * static_cast<double>(sorted.size()));
  return sorted[static_cast<size_t>(std::max(1.0, rank)) - 1];
}

void expect_close(int64_t found, int64_t truth, double q) {
  EXPECT_GE(found, truth) << q;
  EXPECT_LE(found, truth + truth / 32) << q;
}

TEST(Histogram, ReadsPercentilesOfASortedListFromAboveByAThirtySecondAtMost) {
  Rng rng(7);
  Histogram histogram;
  std::vector<int64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    // All sizes alike often: a random number of bits, then random bits.
    const auto value = static_cast<int64_t>(rng.next() >> (22 + rng.up_to(41)));
    values.push_back(value);
    histogram.add(value, 1);
  }
  std::sort(values.begin(), values.end());
  EXPECT_EQ(histogram.total(), 20'000);
  for (double q : kQuantiles)
    expect_close(histogram.percentile(q), exact(values, q), q);
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  for (int64_t value = 0; value < 32; ++value)
    histogram.add(value, 1);
  EXPECT_EQ(histogram.percentile(0), 0);
  EXPECT_EQ(histogram.percentile(0.5), 15);
  EXPECT_EQ(histogram.percentile(1), 31);
}

TEST(Histogram, EveryValueIsReadBackWithinItsBound) {
  for (int64_t value = 1; value < Histogram::kTop; value = value * 3 / 2 + 1) {
    for (int64_t near : {value - 1, value, value + 1}) {
      Histogram histogram;
      histogram.add(near, 1);
      expect_close(histogram.percentile(0.5), near, 0.5);
    }
  }
}

TEST(Histogram, AWeightCountsAsSoManyValues) {
  Histogram histogram;
  histogram.add(3, 98);
  histogram.add(20, 2);
  histogram.add(30, 0);
  EXPECT_EQ(histogram.total(), 100);
  EXPECT_EQ(histogram.percentile(0.98), 3);
  EXPECT_EQ(histogram.percentile(0.99), 20);
  EXPECT_EQ(histogram.percentile(1), 20);
}

TEST(Histogram, ValuesAboveTheTopShareTheLastBucket) {
  Histogram histogram;
  histogram.add(5, 1);
  histogram.add(Histogram::kTop - 1, 1);
  histogram.add(Histogram::kTop, 1);
  histogram.add(INT64_MAX, 1);
  EXPECT_EQ(histogram.percentile(0.25), 5);
  EXPECT_EQ(histogram.percentile(0.5), Histogram::kTop - 1);
  EXPECT_EQ(histogram.percentile(0.75), Histogram::kTop);
  EXPECT_EQ(histogram.percentile(1), Histogram::kTop);
}

TEST(Histogram, AnEmptyOneReadsZero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.total(), 0);
  for (double q : kQuantiles)
    EXPECT_EQ(histogram.percentile(q), 0);
}

}  // namespace
}  // namespace weir
