// SPDX-License-Identifier: Apache-2.0
//
// What the next run is to know of the ceiling, and its rows: the history of the rate, and the
// levels of the buckets that an orderly stop leaves.
//
// Store's thread; take_levels() and the read of the last rate at start, before there is one.
//
// Limits: the newest kRatesKept changes, about 6 MB. A ceiling that grows changes once a second, so
// that is a day of growth without an end, and years of an account that is left in peace.
#pragma once

#include <optional>
#include <string>

#include "weir/ceiling.h"

#include "shim/store/statements.h"
#include "shim/store/store.h"

namespace weir {

inline constexpr int64_t kRatesKept = 100'000;

bool insert_rate_row(Statements& statements, const RateChange& change);
bool put_levels_row(Statements& statements, const LimiterLevels& levels, const std::string& boot);

FoundRates find_rates(Statements& statements, const FindRates& command);

// For start. All three: false when the database cannot be read.
bool read_last_rate(Statements& statements, std::optional<RateChange>& last);
bool read_last_outcome(Statements& statements, std::optional<WallTime>& last);
// The levels of this boot. In a transaction that also removes them, whatever their boot, so that
// they are given out once.
bool take_levels(Statements& statements, const std::string& boot,
                 std::optional<LimiterLevels>& levels);

}  // namespace weir
