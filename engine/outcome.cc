// SPDX-License-Identifier: Apache-2.0
#include "weir/gateway.h"

namespace weir {
namespace {

bool matches(const OutcomeRule& rule, const GatewayReply& reply) {
  if (reply.http_status < rule.http_min || reply.http_status > rule.http_max) return false;
  return !rule.code || *rule.code == reply.code;
}

// A reply of which only the status can be trusted may still say no: a 429 from a proxy has no JSON.
// It can never say yes, and a rule that wants a code has none to look at.
bool usable_without_body(const OutcomeRule& rule) {
  return !rule.code && rule.outcome != Outcome::kAccepted;
}

}  // namespace

Classified classify(const GatewayReply& reply, const std::vector<OutcomeRule>& rules) {
  if (reply.http_status == 0) {
    return {reply.body_handed ? Outcome::kUnknown : Outcome::kUnreachable, RefusalCause::kNone};
  }
  for (const OutcomeRule& rule : rules) {
    if (!reply.complete && !usable_without_body(rule)) continue;
    if (matches(rule, reply)) return {rule.outcome, rule.cause};
  }
  // A status came before a body byte was handed over: whatever it means, nothing was submitted.
  return {reply.body_handed ? Outcome::kUnknown : Outcome::kUnreachable, RefusalCause::kNone};
}

}  // namespace weir
