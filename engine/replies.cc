// SPDX-License-Identifier: Apache-2.0
//
// A call has ended: what does it mean, what is written down, what is tried again and when.
//
// Only an outcome that is definite can lead back to the lane. What may have been submitted is
// recorded as unknown and never sent again from here.
#include <algorithm>

#include "weir/check.h"

#include "engine/backoff.h"
#include "engine/batch_state.h"
#include "engine/state.h"

namespace weir {
namespace {

// A gateway that cannot be reached is asked again at least this often: OTP deadlines are shorter
// than a long backoff.
constexpr Duration kLongestProbePause = Duration::seconds(5);

std::string_view unknown_reason(const GatewayReply& reply) {
  if (reply.http_status == 0) return "no_answer";
  return reply.complete ? "unlisted_reply" : "broken_reply";
}

std::string batch_text(BatchId id) {
  return "b" + std::to_string(raw(id));
}

}  // namespace

// Leaves the lanes for good, as far as the engine is concerned.
void Engine::State::conclude(const InFlight& batch, Record record, Effects& effects) {
  WEIR_CHECK(may_follow(record.from, record.to));
  LaneTotals& totals = lanes[index(batch.lane)].totals;
  const Units cost = batch.head.cost;
  switch (record.to) {
    case BatchState::kSubmitted: totals.submitted += cost; break;
    case BatchState::kRefused:
      totals.refused_by_gateway += cost;
      note_not_sent(record.batch, record.batch);
      break;
    case BatchState::kShed:
      totals.shed += cost;
      note_not_sent(record.batch, record.batch);
      break;
    case BatchState::kUnknown:
      totals.unknown += cost;
      unknown_batches += 1;
      effects.push_back(Note{Note::Level::kWarning, "batch " + batch_text(record.batch) +
                                                        " is unknown: " + record.reason +
                                                        "; it is not sent again"});
      break;
    case BatchState::kPending:
    case BatchState::kClaimed:
    case BatchState::kCancelled: WEIR_NEVER("not an end that the engine decides here");
  }
  records_open += 1;
  effects.push_back(std::move(record));
}

// Back into the lane, or shed when it would wake up late.
void Engine::State::try_again(Now now, const InFlight& batch, WallTime not_before, Record record,
                              Effects& effects) {
  if (not_before >= batch.head.deadline) {
    record.to = BatchState::kShed;
    record.reason = name(why_late(batch.head));
    return conclude(batch, std::move(record), effects);
  }
  WEIR_CHECK(may_follow(record.from, BatchState::kPending));
  record.to = BatchState::kPending;
  record.not_before = not_before;
  records_open += 1;
  effects.push_back(std::move(record));
  if (batch.cancelled) return record_cancelled(now, batch.head.id, effects);
  lanes[index(batch.lane)].queue.push(now.wall, batch.head, not_before);
}

void Engine::State::pause_gateway(Now now, Duration wait, std::string reason, Effects& effects) {
  const MonoTime until = now.mono + wait;
  if (until <= paused_until) return;
  // One line when the trouble begins, one when it ends; not one a retry.
  const bool news = reason != pause_reason;
  paused_until = until;
  pause_reason = std::move(reason);
  if (!news) return;
  effects.push_back(
      Note{Note::Level::kWarning,
           "the gateway is paused for " + std::to_string(wait.ms_ceil()) + " ms: " + pause_reason});
}

void Engine::State::on(Now now, Replied& event, Effects& effects) {
  GatewayReply& reply = event.reply;
  const InFlight batch = release(event.batch);
  const Classified classified = classify(reply, options.outcomes);
  hear(now, reply, classified.outcome, effects);
  Record record;
  record.batch = event.batch;
  record.at = now.wall;
  record.code = std::move(reply.code);
  record.gateway_ref = std::move(reply.gateway_ref);
  if (classified.outcome != Outcome::kUnreachable) unreachable_streak = 0;
  if (classified.outcome == Outcome::kAccepted && !pause_reason.empty() &&
      now.mono >= paused_until) {
    pause_reason.clear();
    effects.push_back(Note{Note::Level::kInfo, "the gateway takes calls again"});
  }

  switch (classified.outcome) {
    case Outcome::kAccepted:
      record.to = BatchState::kSubmitted;
      record.rejected = std::move(reply.rejected);
      return conclude(batch, std::move(record), effects);
    case Outcome::kUnknown:
      record.to = BatchState::kUnknown;
      record.reason = unknown_reason(reply);
      return conclude(batch, std::move(record), effects);
    case Outcome::kRefused: {
      const bool account =
          classified.cause == RefusalCause::kAuth || classified.cause == RefusalCause::kBalance;
      record.reason = name(classified.cause);
      if (!account) {
        record.to = BatchState::kRefused;
        return conclude(batch, std::move(record), effects);
      }
      // The account is refused, not the batch: it and everything behind it keep their places.
      refund(batch);
      pause_gateway(now, options.account_refused_pause,
                    "it refuses the account (" + record.reason + ")", effects);
      return try_again(now, batch, now.wall, std::move(record), effects);
    }
    case Outcome::kThrottled: {
      lanes[index(batch.lane)].totals.throttled_batches += 1;
      const Duration jitter = full_jitter(options.backoff, batch.head.attempt, rng);
      // Jitter is added to the gateway's own wait, never taken from it.
      const Duration asked = reply.retry_after.value_or(Duration());
      const Duration wait = std::min(asked, options.max_retry_after) + jitter;
      if (reply.retry_after) {
        if (!throttled_at) throttled_at = limiter.levels(now.mono);
        pause_gateway(now, wait, "it asked for a wait", effects);
      }
      record.reason = "throttled";
      return try_again(now, batch, now.wall + wait, std::move(record), effects);
    }
    case Outcome::kUnreachable: {
      lanes[index(batch.lane)].totals.unreachable_batches += 1;
      refund(batch);
      unreachable_streak += 1;
      BackoffOptions probe = options.backoff;
      probe.cap = std::min(probe.cap, kLongestProbePause);
      pause_gateway(now, full_jitter(probe, unreachable_streak, rng), "it cannot be reached",
                    effects);
      record.reason = "unreachable";
      const Duration wait = full_jitter(probe, batch.head.attempt, rng);
      return try_again(now, batch, now.wall + wait, std::move(record), effects);
    }
  }
}

void Engine::State::on(Now, Recorded&, Effects&) {
  WEIR_CHECK(records_open > 0);
  records_open -= 1;
}

}  // namespace weir
