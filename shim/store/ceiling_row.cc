// SPDX-License-Identifier: Apache-2.0
#include "shim/store/ceiling_row.h"

#include <algorithm>

namespace weir {
namespace {

// The order of the columns in WEIR_RATE_COLUMNS.
enum RateColumn : int { kAt, kOld, kNew, kCause, kEpoch, kMeasured };

// The order of the columns in kLevels; the lanes follow.
enum LevelsColumn : int { kBoot, kMonoNs, kAccount, kFirstLane };

RateChange rate_row(const Rows& rows) {
  RateChange change;
  change.at = WallTime::from_unix_ms(rows.integer(kAt));
  change.from_per_s = Units::from_micro(rows.integer(kOld));
  change.to_per_s = Units::from_micro(rows.integer(kNew));
  change.cause = static_cast<RateCause>(
      std::clamp<int64_t>(rows.integer(kCause), 0, static_cast<int64_t>(RateCause::kSlowStart)));
  change.epoch = static_cast<uint32_t>(rows.integer(kEpoch));
  change.measured_per_s = Units::from_micro(rows.integer(kMeasured));
  return change;
}

}  // namespace

bool insert_rate_row(Statements& statements, const RateChange& change) {
  return statements[Query::kInsertRate].run(
             {change.at.unix_ms(), change.from_per_s.micro(), change.to_per_s.micro(),
              static_cast<int64_t>(change.cause), int64_t{change.epoch},
              change.measured_per_s.micro()}) &&
         statements[Query::kTrimRates].run({kRatesKept});
}

bool put_levels_row(Statements& statements, const LimiterLevels& levels, const std::string& boot) {
  return statements[Query::kPutLevels].run({boot, levels.at.ns(), levels.account.micro(),
                                            levels.lanes[index(Lane::kOtp)].micro(),
                                            levels.lanes[index(Lane::kTransactional)].micro(),
                                            levels.lanes[index(Lane::kPromotional)].micro()});
}

FoundRates find_rates(Statements& statements, const FindRates& command) {
  FoundRates answer;
  answer.request = command.request;
  // One more than asked for, to learn whether there are more.
  Rows rows(statements[Query::kRates],
            {command.since.unix_ms(), command.until.unix_ms(), int64_t{command.limit} + 1});
  while (rows.next()) {
    answer.more = answer.changes.size() == command.limit;
    if (!answer.more) answer.changes.push_back(rate_row(rows));
  }
  answer.failed = rows.failed();
  std::reverse(answer.changes.begin(), answer.changes.end());
  return answer;
}

bool read_last_rate(Statements& statements, std::optional<RateChange>& last) {
  Rows rows(statements[Query::kLastRate], {});
  if (rows.next()) last = rate_row(rows);
  return !rows.failed();
}

bool read_last_outcome(Statements& statements, std::optional<WallTime>& last) {
  Rows rows(statements[Query::kLastOutcome], {});
  if (rows.next()) last = WallTime::from_unix_ms(rows.integer(0));
  return !rows.failed();
}

bool take_levels(Statements& statements, const std::string& boot,
                 std::optional<LimiterLevels>& levels) {
  {
    Rows rows(statements[Query::kLevels], {});
    if (rows.next() && !boot.empty() && rows.text(kBoot) == boot) {
      levels = LimiterLevels{
          MonoTime::from_ns(rows.integer(kMonoNs)), Units::from_micro(rows.integer(kAccount)), {}};
      for (Lane lane : kAllLanes) {
        const int column = kFirstLane + static_cast<int>(index(lane));
        levels->lanes[index(lane)] = Units::from_micro(rows.integer(column));
      }
    }
    if (rows.failed()) return false;
  }
  return statements[Query::kDropLevels].run();
}

}  // namespace weir
