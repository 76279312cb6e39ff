// SPDX-License-Identifier: Apache-2.0
//
// Why a submission was not accepted, and why a batch was shed. Both are stable words: producers
// branch on them, dashboards count them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/pressure.h"
#include "weir/time.h"

namespace weir {

enum class RefusalCode : uint8_t {
  kInvalid,                // a field is wrong; `fields` says which
  kDeadlinePassed,         // the deadline is not in the future
  kCostExceedsBucket,      // more than its lane, its producer's quota or its guard can ever hold
  kKeyReused,              // the key belongs to a message with other content
  kOutsideWindow,          // the deadline passes before the class's window opens
  kClassNotAllowed,        // the producer may not send this class
  kDestinationNotAllowed,  // the class's guard does not let messages go there
  kOverQuota,              // the producer is over its own quota; nothing is said of others
  kDeadlineUnreachable,    // the queue ahead takes longer than the time left
  kLaneFull,               // the lane's bound in rows or units is reached
  kStoreUnavailable,       // the disk does not take it; nothing was accepted
  kDraining,               // weir is stopping
  kLaneDraining,           // a person drains its lane
  kClassDraining,          // a person drains its class
  // The class's guard (engine/send_guard.h) has counted
  kRecipientCooldown,  // one to this recipient a moment ago
  kRecipientCap,       // as many to this recipient as an hour may have
  kPrefixCap,          // as many to numbers that begin as this one
  kClassCap,           // as many of the class
};
struct RefusalKind {
  std::string_view name;
  int http_status;
};
// In the order of the codes. 503 and 429 may go another time, the others never as they are.
inline constexpr RefusalKind kRefusalKinds[] = {
    {"invalid", 422},
    {"deadline_passed", 422},
    {"cost_exceeds_bucket", 422},
    {"key_reused", 422},
    {"outside_window", 422},
    {"class_not_allowed", 403},
    {"destination_not_allowed", 422},
    {"over_quota", 429},
    {"deadline_unreachable", 503},
    {"lane_full", 503},
    {"store_unavailable", 503},
    {"draining", 503},
    {"lane_draining", 503},
    {"class_draining", 503},
    {"recipient_cooldown", 503},
    {"recipient_cap", 503},
    {"prefix_cap", 503},
    {"class_cap", 503},
};
inline constexpr size_t kRefusalCodes = std::size(kRefusalKinds);
static_assert(kRefusalCodes == static_cast<size_t>(RefusalCode::kClassCap) + 1);
constexpr std::string_view name(RefusalCode code) {
  return kRefusalKinds[static_cast<size_t>(code)].name;
}
constexpr int http_status(RefusalCode code) {
  return kRefusalKinds[static_cast<size_t>(code)].http_status;
}

struct FieldError {
  std::string pointer;  // JSON Pointer (RFC 6901) into the submission: "/to/3"
  std::string detail;
};

struct Refusal {
  RefusalCode code = RefusalCode::kInvalid;
  std::string detail;
  std::vector<FieldError> fields;         // for the 422s, and the recipient that a guard blames
  std::optional<Duration> retry_after;    // for 503 and 429, exact; the wire rounds up to seconds
  std::optional<Pressure> pressure = {};  // of the lane, where it is the lane that says no
  // For kDeadlineUnreachable: what the queue ahead takes, and what is left.
  std::optional<Duration> predicted_wait = {};
  std::optional<Duration> time_left = {};
};

// Why a batch ended without a call, or without success. On disk as these words.
enum class ShedReason : uint8_t {
  kDeadline,       // its time had passed before it could be sent
  kWindow,         // so it had, and its class's window was closed by then: it closed on the batch
  kExceedsBucket,  // the configuration changed: its lane can never hold it any more
};
constexpr std::string_view name(ShedReason reason) {
  constexpr std::string_view kNames[] = {"deadline", "window", "cost_exceeds_bucket"};
  return kNames[static_cast<size_t>(reason)];
}

}  // namespace weir
