// SPDX-License-Identifier: Apache-2.0
//
// What the guards of the classes are told and asked (send_guard.h), and how their no is put.
//
// A message under a key that is refused here still goes to the store to be looked up, as all that
// is refused at the door (Draft::only_if_known): who repeats what was accepted, because the answer
// was lost, hears of the first one, and nothing is counted.
#include "engine/admission.h"
#include "engine/state.h"

namespace weir {
namespace {

// Entries that each guard forgets a step at most, some 10 us.
constexpr size_t kSweptAStep = 64;

}  // namespace

void Engine::State::make_guards() {
  guards.resize(options.classes.size());
  for (size_t i = 0; i < guards.size(); ++i) {
    const ClassOptions& one = options.classes[i];
    if (one.guard) guards[i] = std::make_unique<SendGuard>(one, options.seed + i);
  }
}

SendGuard* Engine::State::guard_of(const std::string& class_name) {
  const ClassId class_id = class_named(options, class_name);
  return class_id == kNoClass ? nullptr : guards[index(class_id)].get();
}

std::optional<Refusal> Engine::State::turn_away_guarded(Now now, const Draft& draft) {
  SendGuard* guard = guard_of(draft.message.class_name);
  if (guard == nullptr) return std::nullopt;
  std::optional<SendGuard::Fault> fault = guard->check(now.mono, draft.recipients);
  if (!fault) return std::nullopt;
  Refusal refusal;
  refusal.code = fault->code;
  refusal.detail = std::move(fault->detail);
  if (http_status(refusal.code) == 503) refusal.retry_after = fault->wait;
  const std::string pointer =
      fault->recipient ? recipient_pointer(draft, *fault->recipient) : "/to";
  refusal.fields.push_back({pointer, refusal.detail});
  return refusal;
}

// Each batch on its own, so that one of them can be found again.
void Engine::State::count_guarded(Now now, const Draft& draft) {
  SendGuard* guard = guard_of(draft.message.class_name);
  if (guard == nullptr) return;
  const std::span<const Recipient> all(draft.recipients);
  for (const BatchCut& cut : draft.batches)
    guard->count(now.mono, cut.id, all.subspan(cut.first, cut.recipients));
}

void Engine::State::take_back_guarded(const Draft& draft) {
  SendGuard* guard = guard_of(draft.message.class_name);
  if (guard != nullptr) guard->take_back(draft.batches.front().id, draft.batches.back().id);
}

void Engine::State::note_not_sent(BatchId first, BatchId last) {
  for (const auto& guard : guards) {
    if (guard != nullptr) guard->not_sent(first, last);
  }
}

void Engine::State::sweep_guards(Now now) {
  for (const auto& guard : guards) {
    if (guard != nullptr) guard->sweep(now.mono, kSweptAStep);
  }
}

void Engine::State::restore_guards(Now now, const Restored& found) {
  for (const Restored::GuardedClass& one : found.guarded) {
    SendGuard* guard = guard_of(one.class_name);
    if (guard != nullptr) guard->restore(now, one.counted);
  }
}

}  // namespace weir
