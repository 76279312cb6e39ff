// SPDX-License-Identifier: Apache-2.0
//
// Every statement that runs inside of or between the transactions of the store's thread, in one
// table, so that a test can ask SQLite how it will find the rows of each.
//
// What always holds: each finds its rows by an index; none sorts, counts a table or scans one. The
// conditions of partial indexes are repeated as literals, because a bound parameter would not match
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/result.h"

#include "shim/store/sqlite.h"

namespace weir {

enum class Query : uint8_t {
  kBegin,
  kCommit,
  kRollback,
  kSavepoint,
  kRollbackToSavepoint,
  kReleaseSavepoint,
  kInsertMessage,
  kReuseText,
  kInsertText,
  kSetText,
  kInsertBatch,
  kInsertRecipients,
  kMessageByKey,
  kMessageById,
  kPayload,
  kClaim,
  kRecord,
  kBatchById,
  kInsertRejected,
  kDeleteRecipients,
  kCloseBatch,
  kTextToRelease,
  kForgetText,
  kDeleteText,
  kReleaseText,
  kUnknownOfMessage,
  kResolve,
  kBatchesOfMessage,
  kRejectedOfBatch,
  kMessagesBefore,
  kTaggedBefore,
  kPendingBefore,
  kClaimedBefore,
  kUnknownBefore,
  kTaggedFrom,
  kBatchesFrom,
  kCancel,
  kFinalBatchesBefore,
  kDeleteBatch,
  kDeleteRejected,
  kDeleteMessage,
  kMessagesFrom,
  kDeleteOldMessage,
  kPutTemplate,
  kDropTemplate,
  kInsertRate,
  kTrimRates,
  kRates,
  kPutLevels,
  kProbe,
  kTallies,
  kPutTally,
  kSetting,
  kPutSetting,
  kDropSetting,
  kStops,
  kOldestUnknown,
  kNewestTexts,
  kClaimedBatches,
  kClaimsBecomeUnknown,
  kPendingBatches,
  kUnknownBatches,
  kGuardedSince,
  kLastRate,
  kLastOutcome,
  kLevels,
  kDropLevels,
};
inline constexpr size_t kQueries = 67;

const char* sql_of(Query query);

// All of them, prepared once.
class Statements {
 public:
  static Result<Statements> prepare(Connection& connection);
  Statement& operator[](Query query) { return prepared_[static_cast<size_t>(query)]; }

 private:
  explicit Statements(std::vector<Statement> prepared) : prepared_(std::move(prepared)) {}
  std::vector<Statement> prepared_;
};

}  // namespace weir
