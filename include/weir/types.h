// SPDX-License-Identifier: Apache-2.0
//
// The nouns that every other header uses: lanes, classes, states, ids. The same words stand in the
// database, in JSON, in YAML, in metrics and in logs; the names below are those spellings.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir {

// Rising for the life of a database; never used twice, not even after a purge.
enum class MessageId : int64_t {};
enum class BatchId : int64_t {};
// The front door's name for a client that waits for an answer. Never on disk.
enum class RequestId : uint64_t {};

constexpr int64_t raw(MessageId id) {
  return static_cast<int64_t>(id);
}
constexpr int64_t raw(BatchId id) {
  return static_cast<int64_t>(id);
}
constexpr uint64_t raw(RequestId id) {
  return static_cast<uint64_t>(id);
}
// A grant to an application that sends by itself. Rising, over restarts too while the wall clock
// does not go back; never on disk.
enum class LeaseId : uint64_t {};
constexpr uint64_t raw(LeaseId id) {
  return static_cast<uint64_t>(id);
}

// Highest first: a lane can never take what is reserved for the lanes before it in this list. The
// values are on disk.
enum class Lane : uint8_t { kOtp = 0, kTransactional = 1, kPromotional = 2 };
inline constexpr size_t kLanes = 3;
inline constexpr std::array<Lane, kLanes> kAllLanes = {Lane::kOtp, Lane::kTransactional,
                                                       Lane::kPromotional};
inline constexpr std::array<std::string_view, kLanes> kLaneNames = {"otp", "transactional",
                                                                    "promotional"};
constexpr size_t index(Lane lane) {
  return static_cast<size_t>(lane);
}
constexpr std::string_view name(Lane lane) {
  return kLaneNames[index(lane)];
}
constexpr std::optional<Lane> lane_named(std::string_view text) {
  for (Lane lane : kAllLanes) {
    if (name(lane) == text) return lane;
  }
  return std::nullopt;
}

// Index into EngineOptions::classes. The class's *name* is what is on disk, so that a reordered
// configuration does not turn reminders into promotions.
enum class ClassId : uint8_t {};
constexpr size_t index(ClassId id) {
  return static_cast<size_t>(id);
}

// Some classes, by ClassId.
using ClassSet = std::bitset<256>;

// Index into EngineOptions::producers: who hands something in. The producer's *name* is what is
// on disk, as a class's is.
enum class ProducerId : uint8_t {};
constexpr size_t index(ProducerId id) {
  return static_cast<size_t>(id);
}
// Somebody who needs no key: the operator, or whoever reaches the unix socket.
inline constexpr ProducerId kNoProducer{255};

// Where a batch stands. The values are on disk; engine/batch_state.cc says which may follow which.
enum class BatchState : uint8_t {
  kPending = 0,    // on disk, waits in its lane
  kClaimed = 1,    // on disk as taken; its call may have left
  kSubmitted = 2,  // the gateway said yes
  kRefused = 3,    // the gateway said no, for certain
  kUnknown = 4,    // it may have been submitted; only a receipt, a report or a person may settle it
  kShed = 5,       // given up on purpose before it was submitted, for certain
  kCancelled = 6,  // a person took it back before it was submitted, for certain
};
inline constexpr size_t kBatchStates = 7;
inline constexpr std::array<std::string_view, kBatchStates> kBatchStateNames = {
    "pending", "claimed", "submitted", "refused", "unknown", "shed", "cancelled"};
constexpr size_t index(BatchState state) {
  return static_cast<size_t>(state);
}
constexpr std::string_view name(BatchState state) {
  return kBatchStateNames[index(state)];
}

constexpr std::optional<BatchState> batch_state_named(std::string_view text) {
  for (size_t i = 0; i < kBatchStates; ++i) {
    if (kBatchStateNames[i] == text) return static_cast<BatchState>(i);
  }
  return std::nullopt;
}

// What came of a person's word on unknown batches.
enum class ResolveResult : uint8_t {
  kResolved,
  kNoMessage,
  kNotUnknown,  // nothing of what was named is unknown, so nothing was changed
  kNotWritten,  // the disk did not take it; nothing was changed
};

// 0 goes first. The default leaves room on both sides.
inline constexpr uint8_t kPriorities = 10;
inline constexpr uint8_t kDefaultPriority = 5;

}  // namespace weir
