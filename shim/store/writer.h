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
//   - StoreHealth is told at the first failure and at the first success after it.
//
// A commit whose sync failed is safe to repeat: it was rolled back in memory, so the next one
// writes the same frames of the log again, and with them the pages that the kernel may have
// dropped. Whether the failed one is on disk after a power cut is open, which is why nobody is told
// that it is: a claim of it would be found as unknown, an insert would meet its key again.
//
// Limits: it does not tell a full disk from a broken one; the words of SQLite do.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "weir/time.h"

#include "shim/store/intake.h"
#include "shim/store/journal.h"

namespace weir {

class Writer {
 public:
  Writer(Journal& journal, size_t bulk_rows) : journal_(journal), intake_(bulk_rows) {}

  void add(CommandPtr command, MonoTime now) { intake_.add(std::move(command), now); }
  // From now on everything gets one try, whatever came of the one before; an outcome that cannot be
  // written then is not answered, and its batch will be found as claimed.
  void wind_up() { winding_up_ = true; }

  bool has_work(MonoTime now) const;
  // After which there will be work without another add(); nothing: never.
  std::optional<Duration> pause(MonoTime now) const;

  struct Turn {
    std::vector<StoreAnswer> answers;
    std::optional<StoreHealth> health;
  };
  Turn turn(MonoTime now);

  // The one function for another thread.
  StoreTotals totals() const;

 private:
  bool write(std::vector<CommandPtr>& writes, std::vector<StoreAnswer>& answers);
  std::optional<StoreAnswer> write_one(const StoreCommand& command);
  void settle(bool written, size_t commands, MonoTime now, Turn& turn);
  void refuse(std::vector<CommandPtr> writes, Turn& turn);
  void inquire(const std::vector<CommandPtr>& inquiries, Turn& turn);

  Journal& journal_;
  Intake intake_;
  bool winding_up_ = false;
  bool writable_ = true;
  std::string failure_;
  MonoTime retry_at_;
  Duration next_pause_;

  std::atomic<uint64_t> commits_{0};
  std::atomic<uint64_t> failed_commits_{0};
  std::atomic<uint64_t> written_{0};
  std::atomic<uint64_t> unmatched_records_{0};
};

}  // namespace weir
