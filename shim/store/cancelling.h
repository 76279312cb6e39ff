// SPDX-License-Identifier: Apache-2.0
//
// Cancelling: what a person takes back, a slice a transaction.
//
// Store's thread; the journal calls it inside of a transaction and changes the rows that it names.
//
// What always holds:
//   - From a command that says `begin` until the one that finds nothing more, covers() is true of
//     each message that is taken back, so that no claim of one succeeds.
//   - A slice looks at a bounded number of batches, in the order of their ids. Whatever ends a
//     cancel half-way, the same command again goes on with what is still pending.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "weir/effect.h"
#include "weir/event.h"

#include "shim/store/message_row.h"
#include "shim/store/statements.h"

namespace weir {

class Cancelling {
 public:
  // Makes a pending batch of the message cancelled; false: the transaction has failed.
  using Take = std::function<bool(BatchId, MessageId, Lane, Units)>;

  // At most `rows` batches are taken. Nothing: the transaction has failed.
  std::optional<Cancelled> step(Statements& statements, const Cancel& command, size_t rows,
                                const Take& take);
  // Since when the message is being taken back; nothing: it is not.
  std::optional<WallTime> covers(MessageId message, std::string_view key,
                                 std::string_view tag) const;
  // Nobody goes on with it.
  void give_up(RequestId request);

 private:
  std::vector<Cancel> open_;
};

}  // namespace weir
