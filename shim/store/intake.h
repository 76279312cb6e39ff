// SPDX-License-Identifier: Apache-2.0
//
// Intake: what waits to be written, and how much of it goes into the next transaction.
//
// Store's thread; no lock, no clock of its own.
//
// A transaction takes everything that waits, in this order and up to these bounds:
//   1. outcomes, then claims, direct inserts (Draft::claim_first) and inquiries: 512 together
//      (queue measurements: at 512 operations a commit still takes under 5 ms);
//   2. ordinary inserts, counted in batch rows: `bulk_rows` if one of the first kind came within
//      the last second, 16 times that if not. Nobody waits then, and larger transactions load
//      faster.
//   3. one slice of a cancel (its begin is of the first kind), and one Tend.
// The first ordinary insert is always taken, however many rows it has. Beside a direct insert 2 and
// 3 wait for the next transaction, at most every other one: an OTP's commit carries no campaign.
//
// Limits: it holds what it is given; the bound is the store's (Store::room()).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "weir/time.h"

#include "shim/store/hurry.h"
#include "shim/store/store.h"

namespace weir {

using CommandPtr = std::unique_ptr<StoreCommand>;

// What is carried out together. Inquiries are apart: they are answered after the commit.
struct Group {
  std::vector<CommandPtr> writes;
  std::vector<CommandPtr> inquiries;

  bool empty() const { return writes.empty() && inquiries.empty(); }
};

class Intake {
 public:
  static constexpr size_t kExpressPerGroup = 512;
  static constexpr size_t kQuietFactor = 16;

  explicit Intake(size_t bulk_rows) : bulk_rows_(bulk_rows) {}

  void add(CommandPtr command, MonoTime now);
  // Outcomes that could not be written; they go first again.
  void put_back(std::vector<CommandPtr> outcomes);

  bool empty() const { return outcomes_.empty() && !has_refusable(); }
  // Whether there is anything that does not have to be kept until it can be written.
  bool has_refusable() const {
    return !express_.empty() || !ordinary_.empty() || !cancels_.empty() || !tends_.empty();
  }

  Hurry hurry(MonoTime now) const;

  Group take(MonoTime now);
  // Everything but the outcomes.
  Group take_refusable();

 private:
  using Line = std::deque<CommandPtr>;

  size_t bulk_rows_;
  bool ordinary_waited_ = false;  // in the last take(), for a direct insert
  Line outcomes_;
  Line express_;
  Line ordinary_;
  Line cancels_;
  Line tends_;
  std::optional<MonoTime> last_express_;
};

}  // namespace weir
