// SPDX-License-Identifier: Apache-2.0
//
// Why a submission was not accepted, and why a batch was shed. Both are stable words: producers
// branch on them, dashboards count them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/pressure.h"
#include "weir/time.h"

namespace weir {

enum class RefusalCode : uint8_t {
  kInvalid,              // 422: a field is wrong; `fields` says which
  kDeadlinePassed,       // 422: the deadline is not in the future
  kCostExceedsBucket,    // 422: one recipient costs more than its lane can ever hold
  kKeyReused,            // 422: the key belongs to a message with other content
  kOutsideWindow,        // 422: the deadline passes before the class's window opens
  kDeadlineUnreachable,  // 503: the queue ahead takes longer than the time left
  kLaneFull,             // 503: the lane's bound in rows or units is reached
  kStoreUnavailable,     // 503: the disk does not take it; nothing was accepted
  kDraining,             // 503: weir is stopping
  kLaneDraining,         // 503: a person drains its lane
  kClassDraining,        // 503: a person drains its class
};
inline constexpr size_t kRefusalCodes = 11;
constexpr std::string_view name(RefusalCode code) {
  constexpr std::string_view kNames[] = {
      "invalid",        "deadline_passed",      "cost_exceeds_bucket", "key_reused",
      "outside_window", "deadline_unreachable", "lane_full",           "store_unavailable",
      "draining",       "lane_draining",        "class_draining"};
  return kNames[static_cast<size_t>(code)];
}
constexpr int http_status(RefusalCode code) {
  return code >= RefusalCode::kDeadlineUnreachable ? 503 : 422;
}

struct FieldError {
  std::string pointer;  // JSON Pointer (RFC 6901) into the submission: "/to/3"
  std::string detail;
};

struct Refusal {
  RefusalCode code = RefusalCode::kInvalid;
  std::string detail;
  std::vector<FieldError> fields;         // for kInvalid and the other 422s
  std::optional<Duration> retry_after;    // for the 503s, exact; the wire rounds up to seconds
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
