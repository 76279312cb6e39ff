// SPDX-License-Identifier: Apache-2.0
//
// Writer: group commit, and what happens while the disk does not take one.
//
// Store's thread. It begins, commits and rolls back; the journal does the work in between. The
// store's thread calls turn() for as long as there is work and hands the answers on.
//
// What always holds:
//   - An answer that something is on disk follows a commit that succeeded.
//   - After a failed commit the outcomes stay and are tried again, first after 200 ms, then after
//     twice as long, up to 1 s. Until one succeeds, inserts and claims are answered with their
//     failure at once; if no outcome waits, a write that means nothing is tried instead.
//   - StoreHealth is told when what ails the store changes: at the first failure, at the first
//     success after it, and when the disk's free space passes `min_free_bytes`.
//   - A file that is found damaged is not written to any more; the outcomes that wait stay
//   unwritten,
//     and their batches are found as claimed by whoever opens what was saved of it.
//
// A commit whose sync failed is safe to repeat: it was rolled back in memory, so the next one
// writes the same frames of the log again, and with them the pages that the kernel may have
// dropped. (This holds where a write leaves its neighbours in a sector alone, which SQLite's file
// layer for Unix promises; `psow=0` would take that away.) Whether the failed one is on disk after
// a power cut is open, which is why nobody is told that it is: a claim of it would be found as
// unknown, an insert would meet its key again.
//
// Limits: what SQLite does not tell apart, this does not either; its words stand in the detail.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weir/time.h"

#include "shim/store/intake.h"
#include "shim/store/journal.h"

namespace weir {

class Writer {
 public:
  Writer(Journal& journal, size_t bulk_rows, uint64_t min_free_bytes = 0)
      : journal_(journal), intake_(bulk_rows), min_free_bytes_(min_free_bytes) {}

  void add(CommandPtr command, MonoTime now) { intake_.add(std::move(command), now); }
  // From now on everything gets one try, whatever came of the one before; an outcome that cannot be
  // written then is not answered, and its batch will be found as claimed.
  void wind_up() { winding_up_ = true; }

  bool has_work(MonoTime now) const;
  Hurry hurry(MonoTime now) const { return intake_.hurry(now); }
  // After which there will be work without another add(); nothing: never.
  std::optional<Duration> pause(MonoTime now) const;

  struct Turn {
    std::vector<StoreAnswer> answers;
    std::optional<StoreHealth> health;
    bool committed = false;
  };
  Turn turn(MonoTime now);
  // How long the last turn, which committed, took.
  void note_time(Duration took);

  const StoreTotals& totals() const { return totals_; }

 private:
  bool write(std::vector<CommandPtr>& writes, std::vector<StoreAnswer>& answers);
  enum class Tried : uint8_t { kWritten, kRowRefused, kFailed };
  Tried try_to_write(const std::vector<CommandPtr>& writes, bool apart,
                     std::vector<StoreAnswer>& answers);
  std::optional<StoreAnswer> write_one(const StoreCommand& command, bool alone, bool apart);
  void settle(bool written, size_t commands, MonoTime now, Turn& turn);
  void refuse(std::vector<CommandPtr> writes, Turn& turn);
  void inquire(const std::vector<CommandPtr>& inquiries, Turn& turn);
  void look_at_space();
  void tell_health(Turn& turn);

  Journal& journal_;
  Intake intake_;
  const uint64_t min_free_bytes_;
  bool winding_up_ = false;
  bool writable_ = true;
  bool low_space_ = false;
  StoreTrouble failed_of_ = StoreTrouble::kNone;
  StoreTrouble told_ = StoreTrouble::kNone;
  std::string failure_;
  MonoTime retry_at_;
  Duration next_pause_;

  StoreTotals totals_;
};

}  // namespace weir
