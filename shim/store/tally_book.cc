// SPDX-License-Identifier: Apache-2.0
#include "shim/store/tally_book.h"

#include <algorithm>

#include "shim/store/row_values.h"

namespace weir {
namespace {

constexpr std::array<BatchState, kBatchStates> kAllStates = {
    BatchState::kPending, BatchState::kClaimed, BatchState::kSubmitted, BatchState::kRefused,
    BatchState::kUnknown, BatchState::kShed,    BatchState::kCancelled};

}  // namespace

bool TallyBook::load(Statements& statements) {
  committed_ = {};
  Rows rows(statements[Query::kTallies], {});
  while (rows.next()) {
    const std::optional<Lane> lane = lane_at(rows.integer(0));
    const std::optional<BatchState> state = state_at(rows.integer(1));
    if (!lane || !state) continue;
    committed_[index(*lane)][index(*state)] = {rows.integer(2), Units::from_micro(rows.integer(3)),
                                               rows.integer(4)};
  }
  working_ = committed_;
  return !rows.failed();
}

void TallyBook::enter(Lane lane, BatchState state, Units cost, int64_t batches) {
  Tally& tally = at(lane, state);
  tally.batches += batches;
  tally.entered += batches;
  tally.cost += cost;
}

void TallyBook::leave(Lane lane, BatchState state, Units cost, int64_t batches) {
  Tally& tally = at(lane, state);
  tally.batches -= batches;
  tally.cost -= cost;
}

void TallyBook::move(Lane lane, BatchState from, BatchState to, Units cost) {
  leave(lane, from, cost);
  enter(lane, to, cost);
}

void TallyBook::correct(Lane lane, BatchState state, int64_t batches, Units cost) {
  Tally& tally = at(lane, state);
  tally.batches = batches;
  tally.cost = cost;
}

bool TallyBook::changes(BatchState state) const {
  return std::any_of(kAllLanes.begin(), kAllLanes.end(), [&](Lane lane) {
    return working_[index(lane)][index(state)] != committed_[index(lane)][index(state)];
  });
}

bool TallyBook::write(Statements& statements) {
  for (Lane lane : kAllLanes) {
    for (BatchState state : kAllStates) {
      const Tally& tally = at(lane, state);
      if (tally == committed_[index(lane)][index(state)]) continue;
      if (!statements[Query::kPutTally].run({static_cast<int64_t>(lane),
                                             static_cast<int64_t>(state), tally.batches,
                                             tally.cost.micro(), tally.entered})) {
        return false;
      }
    }
  }
  return true;
}

int64_t TallyBook::claims() const {
  int64_t claims = 0;
  for (Lane lane : kAllLanes)
    claims += committed_[index(lane)][index(BatchState::kClaimed)].entered;
  return claims;
}

}  // namespace weir
