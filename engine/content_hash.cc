// SPDX-License-Identifier: Apache-2.0
#include "engine/content_hash.h"

#include <optional>

#include "weir/fnv128.h"

namespace weir {
namespace {

void add_time(Fnv128& hash, const std::optional<WallTime>& time) {
  hash.number(time ? static_cast<uint64_t>(time->unix_ms()) : UINT64_MAX);
}

}  // namespace

ContentHash content_hash(const Submission& submission, const std::vector<Recipient>& recipients) {
  Fnv128 hash;
  hash.text(submission.class_name);
  hash.text(submission.body);
  hash.text(submission.template_id);
  hash.number(submission.vars.size());
  for (const auto& [name, value] : submission.vars) {
    hash.text(name);
    hash.text(value);
  }
  hash.text(submission.sender);
  hash.text(submission.tag);
  add_time(hash, submission.deadline);
  add_time(hash, submission.event_at);
  add_time(hash, submission.session_expires_at);
  add_time(hash, submission.not_before);
  hash.number(submission.priority);
  hash.number(submission.test ? 1 : 0);
  hash.number(submission.params.size());
  for (const auto& [name, value] : submission.params) {
    hash.text(name);
    hash.text(value);
  }
  hash.number(recipients.size());
  for (Recipient recipient : recipients)
    hash.number(recipient.digits);
  return {hash.high(), hash.low()};
}

}  // namespace weir
