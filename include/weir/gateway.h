// SPDX-License-Identifier: Apache-2.0
//
// What came of a call to a gateway, and the rules that turn it into an outcome.
//
// The egress reports facts (GatewayReply) and judges nothing; the engine classifies (classify()).
// The line between "not submitted, for certain" and "unknown" is whether one byte of the request's
// body had been handed to the transport: a request with a Content-Length and no body byte cannot be
// acted on (RFC 9112 section 6.3). Error codes of the transport are no such line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/recipients.h"
#include "weir/time.h"

namespace weir {

struct GatewayReply {
  bool body_handed = false;  // at least one byte of the request's body was given to the transport
  bool complete = false;     // a whole reply came, and it has the shape that the profile describes
  int http_status = 0;       // 0: no status line came
  std::string code;          // the provider's own code as text; empty: none found
  std::string gateway_ref;   // the provider's id of the request; empty: none found
  std::vector<Recipient> rejected;      // recipients that the provider refused one by one
  std::optional<Duration> retry_after;  // what the gateway asked us to wait, never negative
  std::string transport_error;          // for people; no secrets, no bodies
  MonoTime sent_at;                     // when the request was handed over
};

enum class Outcome : uint8_t {
  kAccepted,     // submitted
  kThrottled,    // not submitted: too fast for the account
  kRefused,      // not submitted: it would be refused again
  kUnreachable,  // not submitted: no call was made
  kUnknown,      // ambiguous
};
constexpr std::string_view name(Outcome outcome) {
  constexpr std::string_view kNames[] = {"accepted", "throttled", "refused", "unreachable",
                                         "unknown"};
  return kNames[static_cast<size_t>(outcome)];
}

// Why a gateway refused. Content and number concern the batch; auth and balance concern the
// account, so every further call would fail the same way.
enum class RefusalCause : uint8_t { kNone, kContent, kNumber, kAuth, kBalance };
constexpr std::string_view name(RefusalCause cause) {
  constexpr std::string_view kNames[] = {"none", "content", "number", "auth", "balance"};
  return kNames[static_cast<size_t>(cause)];
}

// One row of a profile's outcome table. Rows are tried in order; the first whose conditions all
// hold decides. A complete reply that no row matches is `unknown`: success is never guessed.
struct OutcomeRule {
  int http_min = 0;  // inclusive; 0 and 999: any status
  int http_max = 999;
  std::optional<std::string> code;  // absent: any code, also none
  Outcome outcome = Outcome::kUnknown;
  RefusalCause cause = RefusalCause::kNone;
};

struct Classified {
  Outcome outcome = Outcome::kUnknown;
  RefusalCause cause = RefusalCause::kNone;
};

Classified classify(const GatewayReply& reply, const std::vector<OutcomeRule>& rules);

}  // namespace weir
