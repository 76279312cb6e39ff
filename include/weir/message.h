// SPDX-License-Identifier: Apache-2.0
//
// A message on its way in: what a producer hands over (Submission), what is kept of it (Message,
// MessageText), and how it is cut into the rows of the queue (Draft). A batch's way out again is
// its Payload.
//
// Recipients are E.164 numbers as integers (recipients.h): 8 bytes each in memory and on disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/recipients.h"
#include "weir/refusal.h"
#include "weir/segments.h"
#include "weir/template.h"
#include "weir/time.h"
#include "weir/types.h"
#include "weir/units.h"

namespace weir {

// As the front door parsed it: well-formed, not yet judged. Times are absolute.
struct Submission {
  std::string class_name;       // may be empty with a template that names one
  std::vector<std::string> to;  // as the producer spelt them
  std::string body;             // UTF-8; empty with a template
  std::string template_id;      // empty: none
  Vars vars;                    // for the template
  std::string sender;           // empty: the gateway's default
  std::string key;              // the producer's business key; empty: none
  std::string tag;              // a campaign's name, for cancel and list; empty: none
  std::optional<WallTime> deadline;
  std::optional<WallTime> event_at;
  std::optional<WallTime> session_expires_at;
  std::optional<WallTime> not_before;
  uint8_t priority = kDefaultPriority;
  bool test = false;
  std::vector<std::pair<std::string, std::string>> params;  // the provider's own, passed through
  ProducerId producer = kNoProducer;                        // who hands it in
};

// Tells a repeated submission from another one under the same key. It guards against accident, not
// against a producer that forges collisions with itself.
struct ContentHash {
  uint64_t high = 0;
  uint64_t low = 0;
  friend bool operator==(const ContentHash&, const ContentHash&) = default;
};

// What is kept of an accepted message until `keep_for` has passed.
struct Message {
  MessageId id{};
  std::string class_name;
  Lane lane = Lane::kPromotional;
  uint8_t priority = kDefaultPriority;
  Encoding encoding = Encoding::kGsm7;
  uint32_t units = 0;  // septets of the body, or UTF-16 units
  uint32_t segments = 0;
  uint32_t recipients = 0;
  Units cost;  // all recipients
  WallTime created;
  WallTime deadline;
  WallTime not_before;  // unix 0: at once
  std::string key;
  ContentHash hash;
  std::string tag;
  bool test = false;
};

// What the call needs besides the recipients; the same for every batch of a message.
struct MessageText {
  std::string body;
  std::string sender;
  std::vector<std::pair<std::string, std::string>> params;
};

// One row of the queue: `recipients` numbers of the message, starting at `first`.
struct BatchCut {
  BatchId id{};
  uint32_t first = 0;
  uint32_t recipients = 0;
  Units cost;
};

// An accepted message on its way to the disk. With `claim_first`, its only batch is written as
// claimed in the same transaction (an OTP whose token and slot are free: one fsync).
struct Draft {
  Message message;
  MessageText text;
  std::vector<Recipient> recipients;
  std::vector<BatchCut> batches;
  bool claim_first = false;
  // Set: there is no room for it, and this is what to say; but a repetition of what was accepted
  // before is still told so. The store looks its key up and writes nothing.
  std::optional<Refusal> only_if_known;
  // Whose quota was charged with it; given back if it is not stored.
  ProducerId producer = kNoProducer;
  // For the producer's answer only, never stored: whether the body was brought into GSM-7, and
  // entries of `to` that were dropped.
  bool rewritten = false;
  std::vector<size_t> duplicates;
  std::vector<FieldError> invalid;
  // Which entries of `to` were dropped, rising: what leads from a recipient to its entry.
  std::vector<size_t> dropped;
};

// A claimed batch, as the call needs it.
struct Payload {
  BatchId batch{};
  MessageId message{};
  Encoding encoding = Encoding::kGsm7;
  uint32_t segments = 0;
  bool test = false;
  MessageText text;
  std::vector<Recipient> recipients;
};

// A pending batch as the lanes hold it: everything that decides order, price and expiry. The text
// and the recipients stay on disk and come with the claim.
struct Head {
  BatchId id{};
  Units cost;
  WallTime deadline;
  WallTime eligible;     // since when it could have been sent: accepted, or `not_before` if later
  uint16_t attempt = 0;  // calls made so far
  uint8_t priority = kDefaultPriority;
  ClassId class_id{};
  ProducerId producer = kNoProducer;  // in whose depth quota it counts
};
static_assert(sizeof(Head) == 40, "A million pending batches are 40 MB; see EngineOptions.");

}  // namespace weir
