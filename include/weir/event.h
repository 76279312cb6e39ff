// SPDX-License-Identifier: Apache-2.0
//
// Everything that the engine can be told. One closed list: a new thing that can happen is a new
// struct here and a new case in engine/engine.cc.
//
// Every completion is an event of a later turn, an immediate failure too; nothing calls back into
// the engine while it works.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/cancel.h"
#include "weir/ceiling.h"
#include "weir/gateway.h"
#include "weir/message.h"
#include "weir/stop.h"
#include "weir/window.h"

namespace weir {

// A producer handed in a message.
struct Submitted {
  RequestId request{};
  Submission submission;
};

// The store's answer to Persist.
struct Persisted {
  enum class Result : uint8_t {
    kStored,    // committed: the 202 may go out
    kReplayed,  // the key and the content were there already; `first` is what was accepted then
    kConflict,  // the key was there with other content; nothing was stored
    kAbsent,    // only for a draft that is `only_if_known`: the key is new
    kFailed,    // the commit failed; nothing was stored
  };
  RequestId request{};
  Result result = Result::kFailed;
  std::unique_ptr<Draft> draft;  // handed back, whatever the result
  Message first;                 // for kReplayed
};

// The store's answer to Claim.
struct Claimed {
  BatchId batch{};
  // Null: not claimed (the commit failed, or the row was not pending any more); nothing may be
  // sent. `gone` tells the two apart: the row is not ours to try again.
  std::unique_ptr<Payload> payload;
  bool gone = false;
  bool cancelled = false;  // with `gone`: a person took it back meanwhile
};

// The egress's answer to Send.
struct Replied {
  BatchId batch{};
  GatewayReply reply;
};

// The store's answer to Record: it is on disk.
struct Recorded {
  BatchId batch{};
};

// A person saves a template, under a new id or an old one.
struct PutTemplate {
  RequestId request{};
  Template content;
};

struct DropTemplate {
  RequestId request{};
  std::string id;
};

// The store's answer to StoreTemplate; `content` is handed back.
struct TemplateStored {
  RequestId request{};
  bool written = false;
  bool remove = false;
  Template content;
};

// What ails the store.
enum class StoreTrouble : uint8_t {
  kNone,
  kLowSpace,  // still room for outcomes, none for more messages
  kDiskFull,
  kReadOnly,
  kIoError,
  kSlowDisk,  // a write does not come to its end
  kCorrupt,   // the file is damaged; nothing is written to it any more
  kOther,
};
inline constexpr size_t kStoreTroubles = 8;
constexpr std::string_view name(StoreTrouble trouble) {
  constexpr std::string_view kNames[kStoreTroubles] = {
      "none", "low_space", "disk_full", "read_only", "io_error", "slow_disk", "corrupt", "other"};
  return kNames[static_cast<size_t>(trouble)];
}

// Whether a store in this trouble takes more messages.
constexpr bool accepts(StoreTrouble trouble) {
  return trouble == StoreTrouble::kNone;
}
// Whether it commits what concerns those that it has.
constexpr bool commits(StoreTrouble trouble) {
  return accepts(trouble) || trouble == StoreTrouble::kLowSpace;
}

// The store cannot do all of its work, or can again. While commits fail nothing is accepted and
// nothing is claimed, because an outcome could not be written down; at low space what is there
// still goes out.
struct StoreHealth {
  StoreTrouble trouble = StoreTrouble::kOther;
  std::string detail;
};

// When the classes' windows are open, for as far ahead as a deadline may be and some days more.
// Told before Restored, and again before the days run out; in between the engine goes by this one.
// Until it is told, a class with a window is closed.
struct CalendarRead {
  Calendar calendar;
};

// What the store found at start, after claims of an earlier run had become unknown. Sent once,
// before anything else.
struct Restored {
  struct Pending {
    Lane lane;
    std::string class_name;
    WallTime not_before;
    Head head;  // but for class_id: the class is resolved by name
  };
  std::vector<Pending> pending;
  MessageId next_message{1};
  BatchId next_batch{1};
  uint64_t unknown_batches = 0;  // in all, for the gauge
  // The file is not the one that weir last wrote here, in words; empty: it is. Until a person
  // releases it, nothing of it is sent or shed: what waits in it may have been sent already.
  std::string quarantine;
  std::vector<std::string> notes;  // what the operator should know of the file, a sentence each
  std::vector<Template> templates;
  std::vector<StopOrder> stops;          // what a person paused or drained
  std::optional<RateChange> last_rate;   // of an earlier run
  std::optional<WallTime> last_outcome;  // the newest on disk: until then the rate was in use
  // What a class with a guard accepted within the last hour, one entry a recipient, in the order of
  // the batches; at most as many as its guard counts, the newest.
  struct Counted {
    BatchId batch{};
    WallTime accepted;
    Recipient recipient;  // 0 digits: the batch was not sent, and its numbers are not kept
  };
  struct GuardedClass {
    std::string class_name;
    std::vector<Counted> counted;
  };
  std::vector<GuardedClass> guarded;
  // Only if the last run of this same boot of the machine came to an orderly end; the store gives
  // them out once, so that a crash afterwards finds none.
  std::optional<LimiterLevels> levels;
};

// The store's answer to SaveRate and SaveLevels, whatever came of them: a rate that is not on disk
// is only found again a little later, and without levels the next run starts empty.
struct CeilingSaved {};

// A person says what became of batches that are unknown: those of a message, or one of them.
struct ResolveRequested {
  RequestId request{};
  MessageId message{};
  std::optional<BatchId> batch;
  BatchState to = BatchState::kSubmitted;  // or kRefused
  std::string evidence;                    // in the person's words; kept with the batch
};

// The store's answer to Resolve.
struct Resolved {
  RequestId request{};
  ResolveResult result = ResolveResult::kNotWritten;
  uint32_t batches = 0;  // that were unknown and are not any more
  BatchState to = BatchState::kSubmitted;
};

// A person takes messages back.
struct CancelRequested {
  RequestId request{};
  CancelTarget target;
};

// The store's answer to Cancel: one slice is on disk.
struct Cancelled {
  RequestId request{};
  bool written = false;
  bool done = false;  // there is nothing more; else `next` says where to go on
  CancelCursor next;
  CancelCounts counts;              // of this slice
  std::vector<BatchRange> batches;  // that are cancelled, rising
  std::vector<BatchId> under_way;   // that are claimed, and may come back
};

// A person pauses, drains or resumes a lane or a class; `since` is not set.
struct StopRequested {
  RequestId request{};
  StopOrder order;
};

// The store's answer to StoreStop; `order` is handed back.
struct StopStored {
  RequestId request{};
  bool written = false;
  StopOrder order;
};

// A person has seen what would go out, and lets it.
struct ReleaseRequested {
  RequestId request{};
};

// The store's answer to Release.
struct Released {
  RequestId request{};
  bool written = false;
};

// Stop accepting and claiming; what is in flight may finish.
struct DrainRequested {};

// The instant of next_wake() has come, or the loop turns for another reason.
struct Wake {};

// An application that sends by itself asks for units, out of the lane of a class or out of a bucket
// of its own: exactly one of the names is set.
struct AcquireRequested {
  RequestId request{};
  std::string class_name;
  std::string bucket;
  Units cost;
  Duration max_wait;  // zero: now or not at all
  // A rehearsal: granted at once whatever the limits say. The units are taken only when they are
  // there, and the answer says how long it would have waited.
  bool shadow = false;
  ProducerId producer = kNoProducer;  // who asks
};

// Who asked has gone before its answer: it must not hold its place in the line. Without an answer.
// A grant that was on its way already is given back with RefundRequested.
struct AcquireAbandoned {
  RequestId request{};
};

// It did not send after all.
struct RefundRequested {
  RequestId request{};
  LeaseId lease{};
  ProducerId producer = kNoProducer;  // who asks; the lease must be its own, unless it is nobody
};

using Event = std::variant<Submitted, Persisted, Claimed, Replied, Recorded, PutTemplate,
                           DropTemplate, TemplateStored, StoreHealth, Restored, DrainRequested,
                           Wake, CeilingSaved, AcquireRequested, AcquireAbandoned, RefundRequested,
                           ResolveRequested, Resolved, ReleaseRequested, Released, CancelRequested,
                           StopRequested, StopStored, Cancelled, CalendarRead>;

}  // namespace weir
