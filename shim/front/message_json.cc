// SPDX-License-Identifier: Apache-2.0

#include "shim/front/message_json.h"

#include <array>
#include <charconv>

#include "weir/recipients.h"

#include "shim/front/json_writer.h"

namespace weir {
namespace {

// What the 202 and the report say alike.
void write_facts(JsonWriter& json, const Message& message) {
  json.key("class").text(message.class_name);
  json.key("lane").text(name(message.lane));
  json.key("recipients").natural(message.recipients);
  json.key("encoding").text(encoding_name(message.encoding));
  json.key("units").natural(message.units);
  json.key("segments").natural(message.segments);
  json.key("cost_units").units(message.cost);
}

using States = std::array<StateCount, kBatchStates>;

// One word for a message of many batches: their state if all agree, else "mixed".
std::string_view summary(const States& states) {
  std::string_view word;
  for (size_t i = 0; i < kBatchStates; ++i) {
    if (states[i].batches == 0) continue;
    if (!word.empty()) return "mixed";
    word = kBatchStateNames[i];
  }
  return word.empty() ? "purged" : word;  // retention has taken its batches
}

void write_states(JsonWriter& json, const States& states) {
  json.key("states").open_object();
  for (size_t i = 0; i < kBatchStates; ++i) {
    json.key(kBatchStateNames[i]).open_object();
    json.key("batches").natural(states[i].batches);
    json.key("recipients").natural(states[i].recipients);
    json.close_object();
  }
  json.close_object();
}

void write_time(JsonWriter& json, std::string_view key, const std::optional<WallTime>& time) {
  json.key(key);
  time ? json.time(*time) : json.null();
}

void write_batch(JsonWriter& json, const BatchReport& batch) {
  json.open_object();
  json.key("id").text("b" + std::to_string(raw(batch.id)));
  json.key("state").text(name(batch.state));
  json.key("recipients").natural(batch.recipients);
  json.key("cost_units").units(batch.cost);
  json.key("attempt").natural(batch.attempt);
  write_time(json, "claimed_at", batch.claimed_at);
  write_time(json, "done_at", batch.done_at);
  json.key("reason").text(batch.reason);
  json.key("code").text(batch.code);
  json.key("gateway_ref").text(batch.gateway_ref);
  json.key("evidence").text(batch.evidence);
  json.key("rejected").open_array();
  for (Recipient recipient : batch.rejected)
    json.text(plus_form(recipient));
  json.close_array();
  json.close_object();
}

}  // namespace

std::string message_id_text(MessageId id) {
  return "m" + std::to_string(raw(id));
}

std::optional<MessageId> parse_message_id(std::string_view text) {
  // One spelling for each id: no sign, no leading zero.
  if (text.size() < 2 || text[0] != 'm' || text[1] < '1' || text[1] > '9') return std::nullopt;
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + 1, end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return MessageId{number};
}

std::string accepted_json(const Accept& accepted) {
  const Message& message = accepted.message;
  JsonWriter json;
  json.open_object();
  json.key("id").text(message_id_text(message.id));
  json.key("key").text(message.key);
  json.key("state").text(name(BatchState::kPending));
  write_facts(json, message);
  json.key("deadline").time(message.deadline);
  write_time(json, "predicted_send_at", accepted.predicted_send_at);
  json.key("pressure").text(name(accepted.pressure));
  json.key("suggested_delay_ms").integer(accepted.suggested_delay.ms_ceil());
  json.key("replayed").flag(accepted.replayed);
  json.key("rewritten").flag(accepted.rewritten);
  json.key("duplicates").open_array();
  for (size_t index : accepted.duplicates)
    json.natural(index);
  json.close_array();
  json.key("invalid").open_array();
  for (const FieldError& error : accepted.invalid) {
    json.open_object();
    json.key("pointer").text(error.pointer).key("detail").text(error.detail);
    json.close_object();
  }
  json.close_array();
  json.close_object();
  return json.take();
}

void write_summary(JsonWriter& json, const MessageSummary& one) {
  const Message& message = one.message;
  json.key("id").text(message_id_text(message.id));
  json.key("key").text(message.key);
  json.key("state").text(summary(one.states));
  write_facts(json, message);
  json.key("priority").natural(message.priority);
  json.key("tag").text(message.tag);
  json.key("test").flag(message.test);
  json.key("created_at").time(message.created);
  json.key("deadline").time(message.deadline);
  const bool at_once = message.not_before.unix_ms() == 0;
  write_time(json, "not_before", at_once ? std::nullopt : std::optional(message.not_before));
  write_states(json, one.states);
}

std::string report_json(const MessageReport& report) {
  JsonWriter json;
  json.open_object();
  write_summary(json, {report.message, report.states, {}});
  json.key("batches").open_array();
  for (const BatchReport& batch : report.batches)
    write_batch(json, batch);
  json.close_array();
  json.close_object();
  return json.take();
}

}  // namespace weir
