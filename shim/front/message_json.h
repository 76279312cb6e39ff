// SPDX-License-Identifier: Apache-2.0
//
// A message in the words of the API: the 202 of a submission, and the report of a look-up.
//
// Threads: the loop's; pure.
//
// Limits: recipients that a provider refused are given whole, because their owner asks. Nothing of
// this goes to a log.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weir/effect.h"
#include "weir/types.h"

#include "shim/store/store.h"

namespace weir {

class JsonWriter;

std::string message_id_text(MessageId id);  // m42
std::optional<MessageId> parse_message_id(std::string_view text);

std::string accepted_json(const Accept& accepted);
std::string report_json(const MessageReport& report);
// What the list and the report say alike, inside of an object.
void write_summary(JsonWriter& json, const MessageSummary& one);

}  // namespace weir
