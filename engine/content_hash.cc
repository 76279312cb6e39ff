// SPDX-License-Identifier: Apache-2.0
#include "engine/content_hash.h"

#include <optional>
#include <string_view>

namespace weir {
namespace {

class Fnv128 {
 public:
  // Length first, so that neighbouring fields cannot trade characters.
  void text(std::string_view bytes) {
    number(bytes.size());
    for (char byte : bytes)
      octet(static_cast<unsigned char>(byte));
  }
  void number(uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      octet(static_cast<unsigned char>(value >> shift));
  }
  void time(const std::optional<WallTime>& time) {
    number(time ? static_cast<uint64_t>(time->unix_ms()) : UINT64_MAX);
  }
  ContentHash value() const {
    return {static_cast<uint64_t>(state_ >> 64), static_cast<uint64_t>(state_)};
  }

 private:
  __extension__ typedef unsigned __int128 Wide;
  void octet(unsigned char byte) {
    constexpr Wide kPrime = (static_cast<Wide>(1) << 88) + 0x13B;
    state_ = (state_ ^ byte) * kPrime;
  }
  Wide state_ = (static_cast<Wide>(0x6C62272E07BB0142) << 64) | 0x62B821756295C58D;
};

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
  hash.time(submission.deadline);
  hash.time(submission.event_at);
  hash.time(submission.session_expires_at);
  hash.time(submission.not_before);
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
  return hash.value();
}

}  // namespace weir
