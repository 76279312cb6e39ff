// SPDX-License-Identifier: Apache-2.0
#include "shim/store/retention.h"

#include <optional>
#include <vector>

#include "shim/store/row_values.h"

namespace weir {
namespace {

// Messages of one slice of the walk.
constexpr int64_t kMessagesASlice = 100;

struct Leaving {
  int64_t batch = 0;
  int64_t message = 0;
  Lane lane = Lane::kOtp;
  BatchState state = BatchState::kSubmitted;
  Units cost;
};

bool read_leaving(Statements& statements, WallTime until, size_t rows, std::vector<Leaving>& out) {
  Rows found(statements[Query::kFinalBatchesBefore], {until.unix_ms(), static_cast<int64_t>(rows)});
  while (found.next()) {
    const std::optional<Lane> lane = lane_at(found.integer(2));
    if (!lane) continue;
    out.push_back({found.integer(0), found.integer(1), *lane,
                   static_cast<BatchState>(found.integer(3)), Units::from_micro(found.integer(4))});
  }
  return !found.failed();
}

}  // namespace

Retention::Slice Retention::purge(Statements& statements, TallyBook& tallies, WallTime now,
                                  size_t rows) {
  Slice slice;
  slice.failed = !purge_batches(statements, tallies, now + keep_for_ * -1, rows, slice) ||
                 !purge_keys(statements, now + keys_for_ * -1, slice);
  return slice;
}

bool Retention::purge_batches(Statements& statements, TallyBook& tallies, WallTime until,
                              size_t rows, Slice& slice) {
  std::vector<Leaving> leaving;
  if (!read_leaving(statements, until, rows, leaving)) return false;
  slice.more = leaving.size() == rows;
  for (size_t i = 0; i < leaving.size(); ++i) {
    const Leaving& one = leaving[i];
    if (!statements[Query::kDeleteRecipients].run({one.batch}) ||
        !statements[Query::kDeleteRejected].run({one.batch}) ||
        !statements[Query::kDeleteBatch].run({one.batch})) {
      return false;
    }
    tallies.leave(one.lane, one.state, one.cost);
    const bool last_of_it = i + 1 == leaving.size() || leaving[i + 1].message != one.message;
    if (last_of_it && !statements[Query::kDeleteMessage].run({one.message})) return false;
  }
  slice.batches = leaving.size();
  return true;
}

bool Retention::purge_keys(Statements& statements, WallTime until, Slice& slice) {
  std::vector<int64_t> old;
  bool to_the_end = true;
  {
    Rows found(statements[Query::kMessagesFrom], {walked_to_, kMessagesASlice});
    int64_t seen = 0;
    while (found.next()) {
      ++seen;
      if (found.integer(1) >= until.unix_ms()) break;
      old.push_back(found.integer(0));
    }
    if (found.failed()) return false;
    to_the_end = static_cast<int64_t>(old.size()) < seen || seen < kMessagesASlice;
  }
  for (const int64_t message : old) {
    if (!statements[Query::kDeleteOldMessage].run({message})) return false;
  }
  slice.more |= !to_the_end;
  walked_to_ = to_the_end ? 0 : old.back();
  return true;
}

}  // namespace weir
