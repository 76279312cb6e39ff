// SPDX-License-Identifier: Apache-2.0
//
// Everything that the engine can ask for. One closed list, the counterpart of event.h; the loop
// (shim/loop) and the simulated world of the tests are its two interpreters.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weir/ceiling.h"
#include "weir/message.h"
#include "weir/pressure.h"
#include "weir/refusal.h"

namespace weir {

// Write a message and its batches in one transaction; answer Persisted.
struct Persist {
  RequestId request{};
  std::unique_ptr<Draft> draft;
};

// Tell the producer no. Nothing was stored.
struct Refuse {
  RequestId request{};
  Refusal refusal;
};

// Tell the producer yes: it is on disk.
struct Accept {
  RequestId request{};
  Message message;
  bool replayed = false;
  bool rewritten = false;           // the body was brought into GSM-7, as class or template ask
  std::vector<size_t> duplicates;   // indices into `to` that named a recipient again
  std::vector<FieldError> invalid;  // entries of `to` that were dropped, with the reason
  WallTime predicted_send_at;       // of the last batch
  Pressure pressure = Pressure::kClear;
  Duration suggested_delay;  // before the producer's next message of this lane; zero: none
};

// The pressure of a lane has moved: tell those who listen.
struct PressureChanged {
  Lane lane = Lane::kOtp;
  Pressure from = Pressure::kClear;
  Pressure to = Pressure::kClear;
};

// Mark a pending batch as claimed, durably; answer Claimed with its payload.
struct Claim {
  BatchId batch{};
  uint16_t attempt = 0;  // of the call to come, from 1
  WallTime at;
};

// Make the call; answer Replied. The claim is on disk.
struct Send {
  std::unique_ptr<Payload> payload;
};

// Write down what became of a batch; answer Recorded. `from` is what the row must still be, so that
// an outcome is final once.
struct Record {
  BatchId batch{};
  BatchState from = BatchState::kClaimed;
  BatchState to = BatchState::kUnknown;
  WallTime at;
  WallTime not_before;              // for kPending: the end of the backoff
  std::string reason;               // a stable word: "deadline", "content", "no_answer", ...
  std::string code;                 // the provider's
  std::string gateway_ref;          // the provider's
  std::vector<Recipient> rejected;  // recipients that the provider refused one by one
};

// Write a template, or remove the one with its id; answer TemplateStored.
struct StoreTemplate {
  RequestId request{};
  Template content;
  bool remove = false;
};

// Tell a person what became of a template.
struct AnswerTemplate {
  enum class Result : uint8_t { kStored, kRemoved, kNone, kFailed };
  RequestId request{};
  Result result = Result::kFailed;
  Template content;
};

// Write down that the ceiling moved; answer CeilingSaved.
struct SaveRate {
  RateChange change;
};

// Write down how full the buckets are, the last thing of an orderly stop; answer CeilingSaved.
struct SaveLevels {
  LimiterLevels levels;
};

// Tell an application what became of its AcquireRequested or RefundRequested. What is wrong with a
// request, and that weir is stopping, is told by Refuse. A grant that cannot be told is given back
// with RefundRequested.
struct AnswerLease {
  enum class Result : uint8_t {
    kGranted,
    kDenied,        // not within max_wait; `retry_after` says when it may go
    kNeverFits,     // the cost is above what the lane or the bucket holds when it is full
    kFull,          // as many wait as may
    kRefunded,      // the units are back
    kUnknownLease,  // never given, refunded already, or too old
  };
  RequestId request{};
  Result result = Result::kDenied;
  LeaseId lease{};
  std::string class_name;  // as asked for; for kRefunded both are empty
  std::string bucket;
  Units cost;
  Duration waited;
  std::optional<Duration> would_wait;  // of a shadow; zero: the units were there, and are taken
  Duration retry_after;                // for kDenied and kFull
};

// Write down what a person says of unknown batches; answer Resolved.
struct Resolve {
  RequestId request{};
  MessageId message{};
  std::optional<BatchId> batch;  // none: all unknown ones of the message
  BatchState to = BatchState::kSubmitted;
  WallTime at;
  std::string evidence;
};

// Tell the person what came of it.
struct AnswerResolve {
  RequestId request{};
  ResolveResult result = ResolveResult::kNotWritten;
  uint32_t batches = 0;
};

// Write down that the quarantine is over; answer Released.
struct Release {
  RequestId request{};
};

struct AnswerRelease {
  enum class Result : uint8_t { kReleased, kNotQuarantined, kFailed };
  RequestId request{};
  Result result = Result::kFailed;
};

// Say one line to the operator. The engine decides what is worth a line, the loop how it looks.
struct Note {
  enum class Level : uint8_t { kInfo, kWarning, kError };
  Level level = Level::kInfo;
  std::string text;
};

using Effect = std::variant<Persist, Refuse, Accept, Claim, Send, Record, StoreTemplate,
                            AnswerTemplate, Note, SaveRate, SaveLevels, AnswerLease, Resolve,
                            AnswerResolve, Release, AnswerRelease, PressureChanged>;
using Effects = std::vector<Effect>;

}  // namespace weir
