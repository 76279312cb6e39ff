// SPDX-License-Identifier: Apache-2.0
//
// What only a person can decide: what became of batches that are unknown, and that a database which
// may be an old copy is to be sent all the same.
#include "weir/check.h"

#include "engine/batch_state.h"
#include "engine/state.h"

namespace weir {

void Engine::State::on(Now now, ResolveRequested& event, Effects& effects) {
  WEIR_CHECK(may_follow(BatchState::kUnknown, event.to));
  if (!commits(store_trouble) || draining) {
    effects.push_back(AnswerResolve{event.request, ResolveResult::kNotWritten, 0});
    return;
  }
  settlements_open += 1;
  effects.push_back(Resolve{event.request, event.message, event.batch, event.to, now.wall,
                            std::move(event.evidence)});
}

void Engine::State::on(Now, Resolved& event, Effects& effects) {
  WEIR_CHECK(settlements_open > 0 && event.batches <= unknown_batches);
  settlements_open -= 1;
  unknown_batches -= event.batches;
  if (event.batches > 0) {
    effects.push_back(Note{Note::Level::kInfo, std::to_string(event.batches) +
                                                   " unknown batches were resolved as " +
                                                   std::string(name(event.to))});
  }
  effects.push_back(AnswerResolve{event.request, event.result, event.batches});
}

void Engine::State::on(Now, ReleaseRequested& event, Effects& effects) {
  if (quarantine.empty()) {
    effects.push_back(AnswerRelease{event.request, AnswerRelease::Result::kNotQuarantined});
    return;
  }
  if (!commits(store_trouble) || draining) {
    effects.push_back(AnswerRelease{event.request, AnswerRelease::Result::kFailed});
    return;
  }
  settlements_open += 1;
  effects.push_back(Release{event.request});
}

void Engine::State::on(Now, Released& event, Effects& effects) {
  WEIR_CHECK(settlements_open > 0);
  settlements_open -= 1;
  if (!event.written) {
    effects.push_back(AnswerRelease{event.request, AnswerRelease::Result::kFailed});
    return;
  }
  quarantine.clear();
  effects.push_back(
      Note{Note::Level::kWarning, "the quarantine was ended by a person; what waits is sent"});
  effects.push_back(AnswerRelease{event.request, AnswerRelease::Result::kReleased});
}

}  // namespace weir
