// SPDX-License-Identifier: Apache-2.0
//
// Admission, the part that looks at the submission alone: is it well formed, what does it cost,
// until when is it wanted, how is it cut into batches. Whether there is room and time for it is the
// engine's question (intake.cc).
//
// Pure. Collects every wrong field of a submission, so that a producer mends it once.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "weir/message.h"
#include "weir/options.h"
#include "weir/refusal.h"

namespace weir {

struct Rulebook {
  const EngineOptions& options;
  const Templates& templates;
  const Calendar& calendar;
};

// The Draft has no ids yet.
std::variant<std::unique_ptr<Draft>, Refusal> examine(Now now, const Rulebook& rules,
                                                      Submission submission);

// Where in the submission a recipient of the draft stands: "/to", or "/to/3".
std::string recipient_pointer(const Draft& draft, size_t recipient);

// The options of the class that a draft was examined under.
ClassId class_named(const EngineOptions& options, std::string_view class_name);
inline constexpr ClassId kNoClass{255};

}  // namespace weir
