// SPDX-License-Identifier: Apache-2.0
#include "shim/store/tally_book.h"

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
    const int64_t lane = rows.integer(0);
    const int64_t state = rows.integer(1);
    const bool known = lane >= 0 && lane < static_cast<int64_t>(kLanes) && state >= 0 &&
                       state < static_cast<int64_t>(kBatchStates);
    if (!known) continue;
    committed_[static_cast<size_t>(lane)][static_cast<size_t>(state)] = {
        rows.integer(2), Units::from_micro(rows.integer(3)), rows.integer(4)};
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
