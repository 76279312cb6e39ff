// SPDX-License-Identifier: Apache-2.0
#include "shim/egress/phase_recorder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "weir/check.h"

#include "shim/egress/retry_after.h"

namespace weir {
namespace {

// What such a header is allowed to be long; more is not a date and not a number.
constexpr size_t kMaxValueBytes = 64;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view lower_b) {
  return std::equal(a.begin(), a.end(), lower_b.begin(), lower_b.end(),
                    [](char x, char y) { return lower(x) == y; });
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

void PhaseRecorder::begin(std::string body, size_t max_reply_bytes, MonoTime now) {
  WEIR_CHECK(!body.empty());
  body_ = std::move(body);
  body_off_ = 0;
  max_reply_bytes_ = max_reply_bytes;
  sent_at_ = now;
  status_ = 0;
  head_done_ = false;
  too_long_ = false;
  head_bytes_ = 0;
  reply_.clear();
  retry_after_.clear();
  date_.clear();
}

bool PhaseRecorder::about_to_write(MonoTime now) {
  if (body_handed()) return false;
  sent_at_ = now;
  return true;
}

size_t PhaseRecorder::take_body(char* to, size_t room) {
  const size_t bytes = std::min(room, body_.size() - body_off_);
  std::memcpy(to, body_.data() + body_off_, bytes);
  body_off_ += bytes;
  return bytes;
}

bool PhaseRecorder::on_head_line(std::string_view line) {
  head_bytes_ += line.size();
  if (head_bytes_ > kMaxHeadBytes) {
    too_long_ = true;
    return false;
  }
  if (head_done_) return true;  // a trailer of a chunked reply
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
    line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    on_status_line(line);
  } else if (line.empty()) {
    head_done_ = status_ != 0;  // an interim head is no answer
  } else {
    on_field(line);
  }
  return true;
}

void PhaseRecorder::on_status_line(std::string_view line) {
  retry_after_.clear();  // what an interim head said
  date_.clear();
  const size_t space = line.find(' ');
  if (space == std::string_view::npos) return;
  const std::string_view code = line.substr(space + 1, 3);
  if (code.size() != 3 || !std::all_of(code.begin(), code.end(), is_digit)) return;
  const int status = (code[0] - '0') * 100 + (code[1] - '0') * 10 + (code[2] - '0');
  if (status >= 200) status_ = status;
}

void PhaseRecorder::on_field(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = line.substr(colon + 1);
  if (value.size() > kMaxValueBytes) return;
  if (same_name(name, "retry-after")) retry_after_.emplace_back(value);
  if (same_name(name, "date")) date_ = value;
}

bool PhaseRecorder::on_reply_bytes(std::string_view bytes) {
  if (bytes.size() > max_reply_bytes_ - reply_.size()) {
    too_long_ = true;
    return false;
  }
  reply_ += bytes;
  return true;
}

std::optional<Duration> PhaseRecorder::retry_after() const {
  if (!head_done_) return std::nullopt;
  std::optional<Duration> longest;
  for (const std::string& value : retry_after_) {
    const auto asked = parse_retry_after(value, date_);
    if (asked && (!longest || *asked > *longest)) longest = asked;
  }
  return longest;
}

}  // namespace weir
