// SPDX-License-Identifier: Apache-2.0
#include "shim/config/quantities.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace weir {
namespace {

template <typename T>
std::optional<T> value(const Result<T>& result) {
  return result ? std::optional<T>(*result) : std::nullopt;
}

TEST(Quantities, DurationsHaveAWholeNumberAndAUnit) {
  struct Row {
    const char* text;
    std::optional<int64_t> ms;
  };
  constexpr int64_t kDay = 86'400'000;
  const Row rows[] = {
      {"500ms", 500},
      {"45s", 45'000},
      {"10m", 600'000},
      {"6h", 21'600'000},
      {"31d", 31 * kDay},
      {"0s", 0},
      {"007s", 7'000},
      {"", {}},
      {"45", {}},
      {"s", {}},
      {"1.5s", {}},
      {"-1s", {}},
      {"+1s", {}},
      {"1 s", {}},
      {" 1s", {}},
      {"1S", {}},
      {"1h30m", {}},
      {"1us", {}},
      {"106751d", 106'751 * kDay},
      {"106752d", {}},
      {"99999999999999999999s", {}},
  };
  for (const Row& row : rows) {
    const Result<Duration> parsed = parse_duration(row.text);
    EXPECT_EQ(parsed ? parsed->ms() : -1, row.ms.value_or(-1)) << row.text;
  }
}

TEST(Quantities, SizesAreBytesOrBinaryMultiples) {
  struct Row {
    const char* text;
    std::optional<uint64_t> bytes;
  };
  const Row rows[] = {
      {"512", 512},   {"64KiB", 65'536}, {"8MiB", 8'388'608}, {"1GiB", 1'073'741'824},
      {"0", 0},       {"64KB", {}},      {"64kib", {}},       {"64 KiB", {}},
      {"1.5MiB", {}}, {"-1", {}},        {"KiB", {}},         {"8589934592GiB", {}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(value(parse_size(row.text)), row.bytes) << row.text;
}

TEST(Quantities, SharesAreTheVeryDoublesOfTheirDecimals) {
  struct Row {
    const char* text;
    std::optional<double> share;
  };
  const Row rows[] = {
      {"20%", 0.20}, {"0.2", 0.20}, {"30%", 0.30}, {"12.5%", 0.125}, {"0", 0.0},
      {"100%", 1.0}, {"1", 1.0},    {"1.0", 1.0},  {"90%", 0.9},     {"33.3%", 0.333},
      {"101%", {}},  {"1.01", {}},  {"-5%", {}},   {"20 %", {}},     {"%", {}},
      {".5", {}},    {"5.", {}},    {"1e-1", {}},  {"nan", {}},      {"0.123456789", {}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(value(parse_share(row.text)), row.share) << row.text;
}

TEST(Quantities, UnitsAreExactToAMillionth) {
  struct Row {
    const char* text;
    std::optional<int64_t> micro;
  };
  const Row rows[] = {
      {"100", 100'000'000},
      {"0.35", 350'000},
      {"0.000001", 1},
      {"1.1", 1'100'000},
      {"9223372036854.775807", INT64_MAX},
      {"9223372036854.775808", {}},
      {"0.0000001", {}},
      {"0.3500000", {}},
      {"-1", {}},
      {"1e3", {}},
      {"1_000", {}},
      {"", {}},
  };
  for (const Row& row : rows) {
    const Result<Units> parsed = parse_units(row.text);
    EXPECT_EQ(parsed ? parsed->micro() : -1, row.micro.value_or(-1)) << row.text;
  }
}

TEST(Quantities, IntegersHaveNoSignAndNoLeadingZero) {
  EXPECT_EQ(value(parse_integer("0")), 0);
  EXPECT_EQ(value(parse_integer("300000")), 300'000);
  EXPECT_EQ(value(parse_integer("9223372036854775807")), INT64_MAX);
  for (const char* wrong : {"", "010", "-1", "+1", "0x10", "1.0", "9223372036854775808", "1 "}) {
    EXPECT_FALSE(parse_integer(wrong)) << wrong;
  }
}

TEST(Quantities, ErrorsSayWhatToWriteAndNotWhatWasWritten) {
  const Result<Duration> parsed = parse_duration("hunter2");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().detail.find("45s"), std::string::npos);
  EXPECT_EQ(parsed.error().detail.find("hunter2"), std::string::npos);
}

TEST(Quantities, WhatIsShownCanBeReadBack) {
  for (const char* text : {"500ms", "45s", "10m", "6h", "31d", "0s", "90s", "1500ms"}) {
    EXPECT_EQ(format_duration(*parse_duration(text)), text);
  }
  for (const char* text : {"64KiB", "8MiB", "1GiB"})
    EXPECT_EQ(format_size(*parse_size(text)), text);
  EXPECT_EQ(format_size(1000), "1000 bytes");
  for (const char* text : {"100", "0.35", "0.000001", "1.1", "0"}) {
    EXPECT_EQ(format_units(*parse_units(text)), text);
  }
}

}  // namespace
}  // namespace weir
