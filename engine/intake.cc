// SPDX-License-Identifier: Apache-2.0
//
// A message on its way in: is there room, is there time, may it go at once; and what the store made
// of it.
#include <algorithm>

#include "weir/check.h"

#include "engine/admission.h"
#include "engine/state.h"

namespace weir {
namespace {

// A full lane empties at its own pace; nobody gains by asking again sooner.
constexpr Duration kLeastRetry = Duration::seconds(1);

constexpr const char* kTooManyWait = "too many messages wait for the disk";

Refusal come_back(RefusalCode code, std::string detail, Duration wait) {
  Refusal refusal;
  refusal.code = code;
  refusal.detail = std::move(detail);
  refusal.retry_after = std::max(wait, kLeastRetry);
  return refusal;
}

std::string seconds_text(Duration duration) {
  return std::to_string((duration.ms() + 999) / 1000) + " s";
}

// `eligible`: since when it could have been sent.
Head head_of(const Draft& draft, ClassId class_id, WallTime eligible, const BatchCut& cut) {
  const Message& message = draft.message;
  Head head;
  head.id = cut.id;
  head.cost = cut.cost;
  head.deadline = message.deadline;
  head.eligible = eligible;
  head.priority = message.priority;
  head.class_id = class_id;
  head.producer = draft.producer;
  return head;
}

// The text moves out of the draft; the answer to the producer needs only the message.
std::unique_ptr<Payload> payload_of(Draft& draft) {
  auto payload = std::make_unique<Payload>();
  payload->batch = draft.batches.front().id;
  payload->message = draft.message.id;
  payload->encoding = draft.message.encoding;
  payload->segments = draft.message.segments;
  payload->test = draft.message.test;
  payload->text = std::move(draft.text);
  payload->recipients = std::move(draft.recipients);
  return payload;
}

}  // namespace

void Engine::State::refuse(RequestId request, Refusal refusal, Effects& effects) {
  refusals[static_cast<size_t>(refusal.code)] += 1;
  effects.push_back(Refuse{request, std::move(refusal)});
}

// All lanes share the way to the disk, and an eighth of it is left to OTPs: nothing else can fill
// it.
bool Engine::State::may_persist(Lane lane) const {
  const uint32_t most = options.max_persisting;
  return persisting < (lane == Lane::kOtp ? most : most - most / 8);
}

std::optional<Refusal> Engine::State::turn_away(Now now, const Draft& draft) const {
  const Message& message = draft.message;
  const LaneState& lane = lanes[index(message.lane)];
  if (auto drained = turn_away_drained(message.lane, class_named(options, message.class_name))) {
    return drained;
  }
  if (!may_persist(message.lane)) {
    return come_back(RefusalCode::kStoreUnavailable, kTooManyWait, kLeastRetry);
  }
  const LaneOptions& bounds = options.lanes[index(message.lane)];
  const Depth depth = lane.depth();
  const int64_t rows = depth.rows + static_cast<int64_t>(draft.batches.size());
  const Units units = depth.units + message.cost;
  if (rows > bounds.max_rows || units > bounds.max_units) {
    const Units over = std::max(units - bounds.max_units, message.cost);
    const double wait_s = over.as_double() / expected_rate(now, message.lane);
    Refusal full =
        come_back(RefusalCode::kLaneFull,
                  "lane " + std::string(name(message.lane)) + " holds " +
                      std::to_string(depth.rows) + " batches and has no room for this message",
                  Duration::millis(static_cast<int64_t>(wait_s * 1000)));
    full.pressure = std::max(lane.pressure, Pressure::kPause);
    return full;
  }
  return turn_away_late(now, message);
}

// A class that sheds is told by all that is in the lane, because its answer has to be quick and
// must not be late; one that buffers by what really goes before it, because it can wait.
std::optional<Refusal> Engine::State::turn_away_late(Now now, const Message& message) const {
  const ClassId class_id = class_named(options, message.class_name);
  const ClassOptions& own = options.classes[index(class_id)];
  const Duration wait = own.policy == Policy::kShed && !is_closed(class_id)
                            ? predicted_wait(now, message.lane, message.cost)
                            : predicted_send(now, message, message.cost) - now.wall;
  const Duration left = message.deadline - now.wall;
  if (wait <= left) return std::nullopt;
  // Where the close of the window is the deadline, the next opening has one of its own.
  const bool until_close = own.window && own.window->at_close == AtClose::kShed &&
                           calendar[index(class_id)].closed_by(message.deadline);
  Refusal late = come_back(RefusalCode::kDeadlineUnreachable,
                           "the queue ahead takes about " + seconds_text(wait) + ", and only " +
                               seconds_text(left) + " are left",
                           until_close ? left : wait - left);
  late.pressure = Pressure::kShed;
  late.predicted_wait = wait;
  late.time_left = left;
  return late;
}

Units Engine::State::depth_of(ProducerId producer) const {
  Units units;
  for (const LaneState& lane : lanes)
    units += lane.depth_of(producer);
  return units;
}

// The quota of depth only looks, so it comes first, and nothing is to be given back.
std::optional<Refusal> Engine::State::charge_quotas(Now now, const Draft& draft) {
  const ProducerId producer = draft.producer;
  const Message& message = draft.message;
  auto refusal = quotas.turn_away_deep(producer, message.cost, depth_of(producer),
                                       expected_rate(now, message.lane));
  return refusal ? refusal : quotas.charge(now.mono, producer, message.cost, "/to");
}

void Engine::State::assign_ids(Draft& draft) {
  draft.message.id = next_message;
  next_message = static_cast<MessageId>(raw(next_message) + 1);
  for (BatchCut& cut : draft.batches) {
    cut.id = next_batch;
    next_batch = static_cast<BatchId>(raw(next_batch) + 1);
  }
}

// An OTP for which everything is free goes to disk as claimed: one commit instead of two. Never
// past another one that waits.
bool Engine::State::try_direct(Now now, Draft& draft) {
  const Lane lane = draft.message.lane;
  LaneState& state = lanes[index(lane)];
  if (lane != Lane::kOtp || draft.batches.size() != 1 || !may_claim(now)) return false;
  if (state.queue.front() != nullptr || state.persisting_rows > 0 || !state.desk.line.empty()) {
    return false;
  }
  const ClassId class_id = class_named(options, draft.message.class_name);
  if (draft.message.not_before > now.wall || is_closed(class_id)) return false;
  if (is_paused(lane, class_id)) return false;
  if (state.slots_used >= options.lanes[index(lane)].slots) return false;
  const BatchCut& cut = draft.batches.front();
  const bool paid =
      limiter.acquire(now.mono, lane, cut.cost).verdict == TokenBucket::Verdict::kGranted;
  if (!paid && !options.lanes[index(lane)].shadow) return false;
  Head head = head_of(draft, class_id, now.wall, cut);
  head.attempt = 1;
  take(now, lane, head, paid);
  draft.claim_first = true;
  return true;
}

void Engine::State::on(Now now, Submitted& event, Effects& effects) {
  WEIR_CHECK(restored);
  if (draining) {
    return refuse(event.request, come_back(RefusalCode::kDraining, "weir is stopping", kLeastRetry),
                  effects);
  }
  if (!accepts(store_trouble) || persisting >= options.max_persisting) {
    return refuse(
        event.request,
        come_back(RefusalCode::kStoreUnavailable,
                  accepts(store_trouble) ? std::string(kTooManyWait)
                                         : "the disk does not take messages at present (" +
                                               std::string(name(store_trouble)) + ")",
                  kLeastRetry),
        effects);
  }
  auto examined = examine(now, {options, templates, calendar}, std::move(event.submission));
  if (auto* refusal = std::get_if<Refusal>(&examined)) {
    return refuse(event.request, std::move(*refusal), effects);
  }
  auto draft = std::get<std::unique_ptr<Draft>>(std::move(examined));
  std::optional<Refusal> refusal = turn_away_guarded(now, *draft);
  // What a guard keeps out is no demand, as what is over a quota.
  const bool guards_no = refusal.has_value();
  if (!guards_no) refusal = turn_away(now, *draft);
  const Units cost = draft->message.cost;
  quotas.count_offered(draft->producer, cost);
  LaneState& lane = lanes[index(draft->message.lane)];
  // What is over a quota is no demand that more of the ceiling would meet.
  const bool lanes_no = refusal.has_value() && !guards_no;
  if (!refusal) refusal = charge_quotas(now, *draft);
  if (lanes_no || !refusal) {
    lane.offered.add(now.mono, cost);
    lane.totals.offered += cost;
    lane.load.add(now.mono, cost);
    load.add(now.mono, cost);
  }
  if (lanes_no) settle_pressure(now, draft->message.lane, effects);
  if (refusal) {
    if (draft->message.key.empty()) return refuse(event.request, *std::move(refusal), effects);
    // A producer that lost the first answer must not be told that nothing was accepted.
    draft->only_if_known = *std::move(refusal);
    persisting += 1;
    effects.push_back(Persist{event.request, std::move(draft)});
    return;
  }
  assign_ids(*draft);
  count_guarded(now, *draft);
  persisting += 1;
  inserting += 1;
  if (!try_direct(now, *draft)) {
    lane.persisting_rows += static_cast<int64_t>(draft->batches.size());
    lane.persisting_units += cost;
    lane.out_of_line[index(draft->producer)] += cost;
  }
  effects.push_back(Persist{event.request, std::move(draft)});
}

void Engine::State::accept(Now now, Persisted& event, Effects& effects) {
  const bool replayed = event.result == Persisted::Result::kReplayed;
  Draft& draft = *event.draft;
  Accept yes;
  yes.request = event.request;
  yes.message = replayed ? std::move(event.first) : draft.message;
  yes.replayed = replayed;
  yes.rewritten = draft.rewritten;
  yes.duplicates = std::move(draft.duplicates);
  yes.invalid = std::move(draft.invalid);
  const Lane lane = yes.message.lane;
  if (!is_paused(lane, class_named(options, yes.message.class_name))) {
    yes.predicted_send_at = predicted_send(now, yes.message, Units());
  }
  settle_pressure(now, lane, effects);
  yes.pressure = lanes[index(lane)].pressure;
  yes.suggested_delay = suggested_delay(now, lane, yes.message.cost);
  effects.push_back(std::move(yes));
}

void Engine::State::on(Now now, Persisted& event, Effects& effects) {
  WEIR_CHECK(persisting > 0 && event.draft != nullptr);
  persisting -= 1;
  Draft& draft = *event.draft;
  LaneState& lane = lanes[index(draft.message.lane)];
  if (!draft.only_if_known) arrived(draft.message, effects);
  if (!draft.claim_first && !draft.only_if_known) {
    lane.persisting_rows -= static_cast<int64_t>(draft.batches.size());
    lane.persisting_units -= draft.message.cost;
    lane.out_of_line[index(draft.producer)] -= draft.message.cost;
  }
  const bool stored = event.result == Persisted::Result::kStored;
  if (stored) show_twin(now, draft);
  if (stored && draft.claim_first) {
    accept(now, event, effects);
    return launch(now, payload_of(draft), effects);
  }
  if (stored) {
    const Message& message = draft.message;
    const ClassId class_id = class_named(options, message.class_name);
    const WallTime chance = first_chance(class_id, std::max(message.created, message.not_before));
    for (const BatchCut& cut : draft.batches)
      lane.queue.push(now.wall, head_of(draft, class_id, chance, cut), chance);
  } else if (draft.claim_first) {
    const InFlight unused = release(draft.batches.front().id);
    refund(unused);
  }
  if (!stored && !draft.only_if_known) {
    quotas.give_back(draft.producer, draft.message.cost);
    take_back_guarded(draft);
  }
  switch (event.result) {
    case Persisted::Result::kStored:
    case Persisted::Result::kReplayed: return accept(now, event, effects);
    case Persisted::Result::kConflict: {
      Refusal reused;
      reused.code = RefusalCode::kKeyReused;
      reused.detail = "this key belongs to a message with other content";
      reused.fields.push_back({"/key", "use a new key, or send the first content again"});
      return refuse(event.request, std::move(reused), effects);
    }
    case Persisted::Result::kAbsent:
      return refuse(event.request, *std::move(draft.only_if_known), effects);
    case Persisted::Result::kFailed:
      return refuse(
          event.request,
          come_back(RefusalCode::kStoreUnavailable,
                    "the message could not be written to disk; it was not accepted", kLeastRetry),
          effects);
  }
}

void Engine::State::on(Now now, Restored& event, Effects& effects) {
  WEIR_CHECK(!restored);
  restored = true;
  next_message = event.next_message;
  next_batch = event.next_batch;
  unknown_batches = event.unknown_batches;
  quarantine = std::move(event.quarantine);
  for (std::string& note : event.notes)
    effects.push_back(Note{Note::Level::kWarning, std::move(note)});
  if (!quarantine.empty()) {
    effects.push_back(
        Note{Note::Level::kError,
             "the database is in quarantine: " + quarantine +
                 "; what waits in it may have been sent already, so nothing is sent until "
                 "`weir release-quarantine`"});
  }
  resume_ceiling(now, event, effects);
  restore_guards(now, event);
  for (Template& one : event.templates)
    templates[one.id] = std::move(one);
  for (const StopOrder& order : event.stops)
    stop(order, effects);
  for (Restored::Pending& pending : event.pending) {
    Head head = pending.head;
    head.class_id = class_named(options, pending.class_name);
    head.eligible = first_chance(head.class_id, head.eligible);
    // Something that would wake up late is due now, so that it is shed in time.
    const WallTime chance = first_chance(head.class_id, std::max(pending.not_before, now.wall));
    const bool too_late = chance >= head.deadline;
    lanes[index(pending.lane)].queue.push(now.wall, head, too_late ? now.wall : chance);
    if (too_late || chance <= now.wall) show_twin(now, pending.lane, head);
  }
  note_shadow(effects);
  if (!event.pending.empty() || event.unknown_batches > 0) {
    effects.push_back(Note{Note::Level::kInfo, "found " + std::to_string(event.pending.size()) +
                                                   " pending batches and " +
                                                   std::to_string(event.unknown_batches) +
                                                   " unknown ones"});
  }
}

}  // namespace weir
