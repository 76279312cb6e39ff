// SPDX-License-Identifier: Apache-2.0
//
// Chores: work on the whole file that a person asked for, a backup or a compaction, in slices
// between the transactions.
//
// Store's thread. One at a time. A slice is a few milliseconds: an OTP that comes meanwhile waits
// for at most one.
//
// What always holds: a backup that was not finished leaves no file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "shim/store/journal.h"
#include "shim/store/store.h"

namespace weir {

class Chores {
 public:
  // A copy leaves this much of its disk free, or is not begun.
  Chores(Journal& journal, uint64_t min_free_bytes)
      : journal_(journal), min_free_bytes_(min_free_bytes) {}

  // Takes it on, or answers why not.
  std::optional<StoreAnswer> start(const Backup& backup);
  std::optional<StoreAnswer> start(const Compact& compact);
  bool active() const { return work_.index() != 0; }
  // One slice; an answer at the end.
  std::optional<StoreAnswer> step();
  // weir is stopping.
  std::optional<StoreAnswer> give_up();

 private:
  struct Copying {
    RequestId request{};
    std::string part;
    OnlineBackup copy;
  };
  struct Compacting {
    Compact order;
    uint64_t bytes_before = 0;
  };
  StoreAnswer failed(const Copying& copying, const std::string& why);
  std::optional<StoreAnswer> step(Copying& copying);
  std::optional<StoreAnswer> step(Compacting& compacting);

  Journal& journal_;
  const uint64_t min_free_bytes_;
  std::variant<std::monostate, Copying, Compacting> work_;
};

}  // namespace weir
