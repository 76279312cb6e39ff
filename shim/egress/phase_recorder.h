// SPDX-License-Identifier: Apache-2.0
//
// The phase recorder: what really happened on the wire in one call.
//
// The callbacks of the transport report here while it happens, and two of them ask: may the head be
// written, may the body be rewound. Both are refused once a byte of the body was handed over. That
// is what keeps curl from sending a request again by itself: it does so, without looking at the
// method, when a reused connection ends before the first byte of an answer, and there is no option
// against it (curl #18417).
//
// No error code and no figure of the transport takes part: they are wrong in both directions (a
// reset after the whole request was read is "failed sending"; half a reply head is a success).
//
// Threads: the loop's. Limits: a reply of max_reply_bytes, heads of kMaxHeadBytes in all.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/time.h"

namespace weir {

class PhaseRecorder {
 public:
  // All heads of a call together, interim ones too. Real ones are below 4 KiB; the bound is what a
  // flood of interim heads or cookies may cost.
  static constexpr size_t kMaxHeadBytes = 32 * 1024;

  void begin(std::string body, size_t max_reply_bytes, MonoTime now);

  // Connected, and the head is about to be written. False: it must not be.
  bool about_to_write(MonoTime now);
  // Hands over the next bytes of the body; how many. Once each, never again.
  size_t take_body(char* to, size_t room);
  bool may_rewind() const { return body_off_ == 0; }
  // One line of a head, as it came. False: more than we take.
  bool on_head_line(std::string_view line);
  // Bytes of the reply's body. False: more than we take.
  bool on_reply_bytes(std::string_view bytes);

  size_t body_size() const { return body_.size(); }
  bool body_handed() const { return body_off_ > 0; }
  int http_status() const { return status_; }  // of a final status line; 0: none came
  bool head_done() const { return head_done_; }
  bool too_long() const { return too_long_; }
  std::string_view reply() const { return reply_; }
  std::optional<Duration> retry_after() const;
  MonoTime sent_at() const { return sent_at_; }

 private:
  void on_status_line(std::string_view line);
  void on_field(std::string_view line);

  std::string body_;
  size_t body_off_ = 0;
  size_t max_reply_bytes_ = 0;
  MonoTime sent_at_;
  int status_ = 0;
  bool head_done_ = false;
  bool too_long_ = false;
  size_t head_bytes_ = 0;
  std::string reply_;
  std::vector<std::string> retry_after_;  // values; a repeated header counts as its largest
  std::string date_;
};

}  // namespace weir
