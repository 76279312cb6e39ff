// SPDX-License-Identifier: Apache-2.0
//
// Templates in memory follow templates on disk: a change counts from its commit on.
#include <utility>

#include "weir/check.h"

#include "engine/admission.h"
#include "engine/state.h"

namespace weir {
namespace {

Refusal wrong(std::vector<FieldError> fields) {
  Refusal refusal;
  refusal.code = RefusalCode::kInvalid;
  refusal.detail = "the template cannot be used";
  refusal.fields = std::move(fields);
  return refusal;
}

}  // namespace

void Engine::State::on(Now, PutTemplate& event, Effects& effects) {
  std::vector<FieldError> errors = check_template(event.content, options.counting);
  const std::string& class_name = event.content.class_name;
  if (!class_name.empty() && class_named(options, class_name) == kNoClass) {
    errors.push_back({"/class", "is not a class of this weir"});
  }
  const bool fresh = !templates.contains(event.content.id);
  if (fresh && templates.size() + templates_open >= options.max_templates) {
    errors.push_back({"/id", "would be one more than limits.max_templates (" +
                                 std::to_string(options.max_templates) + "); delete one first"});
  }
  if (!errors.empty()) return refuse(event.request, wrong(std::move(errors)), effects);
  templates_open += 1;
  effects.push_back(StoreTemplate{event.request, std::move(event.content), false});
}

void Engine::State::on(Now, DropTemplate& event, Effects& effects) {
  Template gone;
  gone.id = std::move(event.id);
  if (!templates.contains(gone.id)) {
    effects.push_back(
        AnswerTemplate{event.request, AnswerTemplate::Result::kNone, std::move(gone)});
    return;
  }
  templates_open += 1;
  effects.push_back(StoreTemplate{event.request, std::move(gone), true});
}

void Engine::State::on(Now, TemplateStored& event, Effects& effects) {
  WEIR_CHECK(templates_open > 0);
  templates_open -= 1;
  AnswerTemplate answer;
  answer.request = event.request;
  if (event.written && event.remove) {
    answer.result = AnswerTemplate::Result::kRemoved;
    templates.erase(event.content.id);
  } else if (event.written) {
    answer.result = AnswerTemplate::Result::kStored;
    templates[event.content.id] = event.content;
  }
  answer.content = std::move(event.content);
  effects.push_back(std::move(answer));
}

}  // namespace weir
