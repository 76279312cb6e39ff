// SPDX-License-Identifier: Apache-2.0
//
// Everything about the engine that can be set, with its default. conf/weir.yaml explains each one
// to the operator; a test holds the two together. Bounds say what they protect.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/gateway.h"
#include "weir/recipients.h"
#include "weir/result.h"
#include "weir/segments.h"
#include "weir/time.h"
#include "weir/types.h"
#include "weir/units.h"
#include "weir/window.h"

namespace weir {

// Who moves the ceiling.
enum class Control : uint8_t {
  kManual,  // nobody: it is what the configuration says
  kAimd,    // engine/ceiling_control.h, between the floor and the cap
};

// The ceiling of a gateway account and how much of it may be saved up. The defaults of cut, step
// and hold recover from a halved capacity within 20 s and from a doubled one within two minutes.
struct CeilingOptions {
  Units rate_per_s = Units::of(10);           // low on purpose: an unconfigured weir hurts nobody
  Duration capacity = Duration::seconds(10);  // the bucket holds this long a refill
  Control control = Control::kManual;
  // How far kAimd may go by itself.
  Units floor_per_s = Units::of(5);
  Units cap_per_s = Units::of(20);
  double cut = 0.85;                      // of the rate, at a throttle; 0.5 to 0.95
  double step = 0.02;                     // of the rate, a second of growth
  Units step_least_per_s = Units::of(1);  // but at least
  Duration hold = Duration::seconds(1);   // after a cut, or two round trips if that is longer
  bool slow_start = true;                 // double while nothing is known of the account

  // What every legal batch has to fit at, or it would wait for ever once the rate is down there.
  Units lowest_per_s() const { return control == Control::kAimd ? floor_per_s : rate_per_s; }
};

struct LaneOptions {
  // Share of the ceiling that no lane below can take. The three sum to at most 1.
  double reserve = 0.0;
  // Share of the ceiling that this lane can never pass.
  double limit = 1.0;
  // Calls of this lane that may be under way at once. A bound of its own for each lane, so that
  // slow bulk calls cannot hold every connection while an OTP waits.
  uint32_t slots = 8;
  // Depth bounds: pending, being written and claimed together.
  int64_t max_rows = 300'000;  // 40 bytes each in memory
  Units max_units = Units::of(20'000'000);
  // Pressure is `slow` above this part of either bound, `pause` above the second.
  double slow_at = 0.5;
  double pause_at = 0.9;
  // What the reserve and the limit would do is decided and counted, and holds nothing back. Slots,
  // depth bounds, deadlines and pauses of the gateway hold as ever.
  bool shadow = false;
};

// What a class does when there is no time or no room.
enum class Policy : uint8_t {
  kShed,    // refuse at the door what all that is in the lane would make late
  kBuffer,  // refuse only what cannot make it by the lane's order; shed at the deadline
};

// Where a class's deadline comes from. A producer's `deadline` can only shorten it.
enum class DeadlineRule : uint8_t {
  kAfter,           // `within` after acceptance
  kEvent,           // the submission's event_at, required
  kSessionExpires,  // the submission's session_expires_at, required, at most `within` ahead
};

// Against programs that ask for codes to numbers which they earn from: bounds on what one
// recipient, one block of numbers and the whole class get. An hour is a sliding one.
struct GuardOptions {
  Duration resend_cooldown = Duration::seconds(30);  // for one recipient; zero: none
  // Messages to one recipient, 0: no bound. A person who mistypes a code asks three times.
  uint32_t max_per_recipient_per_hour = 5;
  // Messages to numbers with the same first digits, 0: no bound. Seven digits are a country and
  // 10,000 to 100,000 numbers in it, of which an honest hour sees a few dozen; those who earn from
  // numbers rent them by such blocks.
  uint32_t max_per_prefix_per_hour = 300;
  uint8_t prefix_digits = 7;
  // Recipients of the class. It bounds the bill, and what is remembered: about 200 bytes each.
  uint32_t max_per_hour = 5'000;
  std::vector<std::string> allowed_prefixes;  // digits, as "91"; empty: everywhere

  friend bool operator==(const GuardOptions&, const GuardOptions&) = default;
};

struct ClassOptions {
  std::string name;
  Lane lane = Lane::kPromotional;
  Policy policy = Policy::kBuffer;
  DeadlineRule rule = DeadlineRule::kAfter;
  Duration within = Duration::seconds(3600);
  // None: at any hour.
  std::optional<SendingWindow> window = std::nullopt;
  // None: nothing is counted by recipient.
  std::optional<GuardOptions> guard = std::nullopt;
  // Rewrite bodies to GSM-7 where that is safe and saves segments (rewrite.h). Never by itself.
  bool smart = false;
};

std::vector<ClassOptions> default_classes();

// Full jitter: the wait before attempt n is drawn evenly from [0, min(cap, base * 2^(n-1))].
// Source: "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
struct BackoffOptions {
  Duration base = Duration::millis(500);
  Duration cap = Duration::seconds(30);
};

// A bucket of an application's own, apart from the ceiling: for what does not go through the
// gateway.
struct BucketOptions {
  std::string name;
  Units rate_per_s;
  Duration capacity = Duration::seconds(10);  // of refill
};

// An application that hands in messages under a name. Its key is the front door's affair.
struct ProducerOptions {
  std::string name;
  ClassSet classes;                 // that it may send
  std::optional<Units> rate_per_s;  // its quota of rate; none: only the lanes' limits hold
  Duration capacity = Duration::seconds(10);  // of refill of the quota
  // Its quota of depth: its messages, pending, being written and claimed together; none: only the
  // lanes' bounds hold.
  std::optional<Units> max_units = std::nullopt;
  bool admin = false;  // may do what an operator may
};

struct EngineOptions {
  CeilingOptions ceiling;
  std::array<LaneOptions, kLanes> lanes = {
      LaneOptions{.reserve = 0.20, .limit = 0.40, .slots = 16, .max_rows = 50'000},
      LaneOptions{.reserve = 0.30, .limit = 0.80, .slots = 16},
      LaneOptions{.reserve = 0.50, .limit = 1.00, .slots = 32, .max_rows = 650'000},
  };
  std::vector<ClassOptions> classes = default_classes();
  BackoffOptions backoff;

  CountingRules counting;       // of the gateway's profile
  Units weight = Units::of(1);  // what the gateway bills for one segment
  RecipientRules recipients;
  std::vector<OutcomeRule> outcomes;  // of the gateway's profile

  // A batch is claimed, sent and resolved as one, so one unanswered call makes this many recipients
  // unknown. Low hundreds is what providers advise.
  uint32_t batch_max = 200;
  uint32_t max_recipients = 100'000;  // of one submission; a larger list is several messages
  uint32_t max_segments = 10;         // of one body
  uint32_t max_key_bytes = 128;
  uint32_t max_tag_bytes = 128;
  uint32_t max_sender_bytes = 32;
  uint32_t max_params = 32;
  Duration max_deadline = Duration::seconds(31 * 86'400);
  uint32_t max_templates = 1'000;  // all are in memory
  // Submissions that wait for their commit at once; more are answered 503. An eighth of it is for
  // the OTP lane alone.
  uint32_t max_persisting = 8'192;
  // A step sheds, claims and releases at most this many batches; the rest waits for the next turn,
  // so that a million expired rows never delay an OTP.
  uint32_t slice = 128;
  // After the gateway refused the account itself (credentials, balance), try again this much later.
  Duration account_refused_pause = Duration::seconds(60);
  // A gateway that asks for a longer wait is asked again after this: a slip of its would otherwise
  // stop the shop for as long as it says.
  Duration max_retry_after = Duration::seconds(900);
  uint64_t seed = 1;

  // Leases: applications that send by themselves and share the ceiling.
  std::vector<BucketOptions> buckets;
  // That wait for units at once, in all. Each holds a connection, and those who hand in messages
  // must still get one: half of what the front door takes (listen.limits.connections).
  uint32_t max_waiters = 256;
  uint32_t max_leases = 100'000;  // remembered for their refund; of more the oldest are forgotten
  Duration lease_time = Duration::seconds(600);  // after this a lease cannot be refunded
  Duration max_acquire_wait = Duration::seconds(60);

  std::vector<ProducerOptions> producers;  // at most 255; none: nobody is told apart
};

// What is wrong with the options as a whole, in words that name the number to change; Done when
// every legal batch of every lane fits its bucket and the reserves fit the ceiling.
Status check_options(const EngineOptions& options);

// Whether `producer` may send messages of a class. kNoProducer may.
bool may_send(const EngineOptions& options, ProducerId producer, ClassId class_id);

// The bound on the recipients of one batch of `segments` segments: batch_max, or fewer where the
// lane's bucket could never hold that many units. 0: not even one recipient fits.
uint32_t batch_limit(const EngineOptions& options, Lane lane, uint32_t segments);

}  // namespace weir
