// SPDX-License-Identifier: Apache-2.0
#include "engine/admission.h"

#include <algorithm>
#include <span>

#include "weir/rewrite.h"

#include "engine/content_hash.h"

namespace weir {
namespace {

// How many invalid entries of `to` are named one by one; the rest would be the same lesson again.
constexpr size_t kInvalidShown = 100;

std::string count_text(size_t found, size_t most, std::string_view what) {
  return std::to_string(found) + " " + std::string(what) + "; at most " + std::to_string(most);
}

// Gathers wrong fields; the refusal is made of them at the end.
class Faults {
 public:
  void add(std::string pointer, std::string detail) {
    fields_.push_back({std::move(pointer), std::move(detail)});
  }
  void too_long(std::string pointer, size_t bytes, size_t most) {
    if (bytes > most) add(std::move(pointer), count_text(bytes, most, "bytes"));
  }
  bool none() const { return fields_.empty(); }
  Refusal refusal() && {
    Refusal refusal;
    refusal.code = RefusalCode::kInvalid;
    refusal.detail = std::to_string(fields_.size()) +
                     (fields_.size() == 1 ? " field is" : " fields are") + " wrong";
    refusal.fields = std::move(fields_);
    return refusal;
  }

 private:
  std::vector<FieldError> fields_;
};

Refusal one_field(RefusalCode code, std::string pointer, std::string detail) {
  Refusal refusal;
  refusal.code = code;
  refusal.detail = detail;
  refusal.fields.push_back({std::move(pointer), std::move(detail)});
  return refusal;
}

std::string known_classes(const EngineOptions& options) {
  std::string names;
  for (const ClassOptions& one : options.classes) {
    names += (names.empty() ? "" : ", ") + one.name;
  }
  return names;
}

void check_sizes(const EngineOptions& options, const Submission& submission, Faults& faults) {
  faults.too_long("/key", submission.key.size(), options.max_key_bytes);
  faults.too_long("/tag", submission.tag.size(), options.max_tag_bytes);
  faults.too_long("/sender", submission.sender.size(), options.max_sender_bytes);
  if (submission.params.size() > options.max_params) {
    faults.add("/params", count_text(submission.params.size(), options.max_params, "entries"));
  }
  if (submission.priority >= kPriorities) {
    faults.add("/priority", std::to_string(submission.priority) + " is not from 0 to 9");
  }
}

void fill_from(const Template& one, Submission& submission, Faults& faults) {
  if (submission.class_name.empty()) submission.class_name = one.class_name;
  if (!one.class_name.empty() && submission.class_name != one.class_name) {
    faults.add("/class", "is not that of the template, which is " + one.class_name);
  }
  if (submission.sender.empty()) submission.sender = one.sender;
  for (const auto& pair : one.params) {
    const bool given = std::any_of(submission.params.begin(), submission.params.end(),
                                   [&](const auto& own) { return own.first == pair.first; });
    if (!given) submission.params.push_back(pair);
  }
}

// True: the body was replaced by one that says the same in GSM-7.
bool rewrite_body(const EngineOptions& options, std::string& body) {
  auto better = smart_rewrite(body, options.counting);
  if (!better) return false;
  body = std::move(better->text);
  return true;
}

// Fills in what the template says and the submission leaves open, and renders the body. The
// template, or null.
const Template* apply_template(const Rulebook& rules, Submission& submission, Faults& faults) {
  if (submission.template_id.empty()) {
    if (!submission.vars.empty()) faults.add("/vars", "is of no use without a template");
    return nullptr;
  }
  if (!submission.body.empty()) {
    faults.add("/body", "and /template are both given; leave one of the two out");
    return nullptr;
  }
  const auto found = rules.templates.find(submission.template_id);
  if (found == rules.templates.end()) {
    faults.add("/template", "names no template; PUT /v1/templates/{id} saves one");
    return nullptr;
  }
  const Template& one = found->second;
  fill_from(one, submission, faults);
  auto rendered = render(one, submission.vars);
  if (auto* errors = std::get_if<std::vector<FieldError>>(&rendered)) {
    for (FieldError& error : *errors)
      faults.add(std::move(error.pointer), std::move(error.detail));
    return nullptr;
  }
  submission.body = std::get<std::string>(std::move(rendered));
  return &one;
}

// What a body may cost at most, and who says so.
struct SegmentLimit {
  uint32_t most;
  std::string_view from;
};

SegmentLimit segment_limit(const EngineOptions& options, const Template* one) {
  if (one != nullptr && one->max_segments > 0 && one->max_segments < options.max_segments) {
    return {one->max_segments, "the template's max_segments"};
  }
  return {options.max_segments, "limits.max_segments"};
}

void price_body(const EngineOptions& options, const std::string& body, SegmentLimit limit,
                Draft& draft, Faults& faults) {
  if (body.empty()) {
    faults.add("/body", "is empty; there is nothing to send");
    return;
  }
  const CountResult result = count(body, options.counting);
  if (const auto* invalid = std::get_if<InvalidText>(&result)) {
    faults.add("/body", describe(*invalid));
    return;
  }
  const Counted& counted = std::get<Counted>(result);
  if (counted.fit == Fit::kTooLong || counted.needed_segments > limit.most) {
    faults.add("/body", "needs " + count_text(counted.needed_segments, limit.most, "segments") +
                            " are allowed (" + std::string(limit.from) + ")");
    return;
  }
  draft.message.encoding = counted.encoding;
  draft.message.units = static_cast<uint32_t>(counted.units);
  draft.message.segments = static_cast<uint32_t>(counted.segments);
}

std::string to_pointer(const Submission& submission, size_t entry) {
  return submission.to.size() == 1 ? "/to" : "/to/" + std::to_string(entry);
}

void resolve_recipients(const EngineOptions& options, const Submission& submission, Draft& draft,
                        Faults& faults) {
  if (submission.to.empty()) {
    faults.add("/to", "names no recipient");
    return;
  }
  if (submission.to.size() > options.max_recipients) {
    faults.add("/to", count_text(submission.to.size(), options.max_recipients, "recipients") +
                          " in one message; cut the list");
    return;
  }
  const std::vector<std::string_view> raw(submission.to.begin(), submission.to.end());
  Recipients parsed = parse_recipients(raw, options.recipients);
  for (const InvalidRecipient& one : parsed.invalid) {
    if (draft.invalid.size() == kInvalidShown) break;
    draft.invalid.push_back(
        {to_pointer(submission, one.index), std::string(fault_text(one.fault))});
  }
  if (parsed.valid.empty()) {
    for (FieldError& field : draft.invalid)
      faults.add(field.pointer, field.detail);
    return;
  }
  for (const DuplicateRecipient& one : parsed.duplicates)
    draft.duplicates.push_back(one.index);
  draft.dropped = draft.duplicates;
  for (const InvalidRecipient& one : parsed.invalid)
    draft.dropped.push_back(one.index);
  std::sort(draft.dropped.begin(), draft.dropped.end());
  draft.recipients = std::move(parsed.valid);
}

// The class's own deadline, or nothing when a time that it needs is missing or useless.
std::optional<WallTime> class_deadline(Now now, const ClassOptions& options,
                                       const Submission& submission, Faults& faults) {
  switch (options.rule) {
    case DeadlineRule::kAfter: return now.wall + options.within;
    case DeadlineRule::kEvent:
      if (!submission.event_at) {
        faults.add("/event_at", "is required for class " + options.name);
      }
      return submission.event_at;
    case DeadlineRule::kSessionExpires:
      if (!submission.session_expires_at) {
        faults.add("/session_expires_at", "is required for class " + options.name);
      } else if (*submission.session_expires_at > now.wall + options.within) {
        faults.add("/session_expires_at", "is more than " +
                                              std::to_string(options.within.ms() / 3'600'000) +
                                              " hours ahead; a session is never that long");
      }
      return submission.session_expires_at;
  }
  return std::nullopt;
}

void cut_batches(const EngineOptions& options, Draft& draft) {
  const uint32_t most = batch_limit(options, draft.message.lane, draft.message.segments);
  const Units each = options.weight * draft.message.segments;
  const uint32_t total = draft.message.recipients;
  for (uint32_t first = 0; first < total; first += most) {
    const uint32_t recipients = std::min(most, total - first);
    draft.batches.push_back({BatchId{}, first, recipients, each * recipients});
  }
}

// Times that are fine one by one can still contradict each other or the present.
std::optional<Refusal> settle_times(Now now, const EngineOptions& options,
                                    const Submission& submission, Message& message) {
  if (submission.deadline) message.deadline = std::min(message.deadline, *submission.deadline);
  const char* pointer = submission.deadline ? "/deadline" : "/event_at";
  if (message.deadline <= now.wall) {
    return one_field(RefusalCode::kDeadlinePassed, pointer, "is not in the future");
  }
  if (message.deadline > now.wall + options.max_deadline) {
    return one_field(RefusalCode::kInvalid, pointer,
                     "is more than " + std::to_string(options.max_deadline.ms() / 86'400'000) +
                         " days ahead (limits.max_deadline)");
  }
  message.not_before = submission.not_before.value_or(WallTime());
  if (message.not_before >= message.deadline) {
    return one_field(RefusalCode::kInvalid, "/not_before", "is not before the deadline");
  }
  return std::nullopt;
}

// What cannot be sent at all is refused here; and where the close of the window sheds, it is a
// deadline from the start, so that nothing can move it later.
std::optional<Refusal> fit_window(Now now, const ClassOptions& own, const Openings& openings,
                                  const Submission& submission, Message& message) {
  if (!own.window) return std::nullopt;
  const Opening* chance = openings.at_or_after(std::max(now.wall, message.not_before));
  if (chance == nullptr || chance->open >= message.deadline) {
    const char* pointer = submission.deadline                         ? "/deadline"
                          : own.rule == DeadlineRule::kEvent          ? "/event_at"
                          : own.rule == DeadlineRule::kSessionExpires ? "/session_expires_at"
                                                                      : "/class";
    return one_field(RefusalCode::kOutsideWindow, pointer,
                     "the deadline passes before the sending window of class " + own.name +
                         " opens again; send it while the window is open, or give it more time");
  }
  if (own.window->at_close == AtClose::kShed) {
    message.deadline = std::min(message.deadline, chance->close);
  }
  return std::nullopt;
}

std::optional<Refusal> check_producer(const EngineOptions& options, ProducerId producer,
                                      ClassId class_id) {
  if (may_send(options, producer, class_id)) return std::nullopt;
  return one_field(RefusalCode::kClassNotAllowed, "/class",
                   "producer " + options.producers[index(producer)].name + " may not send class " +
                       options.classes[index(class_id)].name);
}

// A number where the shop has no customers is one that somebody earns from.
std::optional<Refusal> check_destinations(const ClassOptions& own, const Draft& draft) {
  if (!own.guard || own.guard->allowed_prefixes.empty()) return std::nullopt;
  const std::vector<std::string>& allowed = own.guard->allowed_prefixes;
  for (size_t i = 0; i < draft.recipients.size(); ++i) {
    const std::string digits = digits_form(draft.recipients[i]);
    if (std::any_of(allowed.begin(), allowed.end(),
                    [&](const std::string& prefix) { return digits.starts_with(prefix); })) {
      continue;
    }
    std::string known;
    for (const std::string& prefix : allowed)
      known += (known.empty() ? "+" : ", +") + prefix;
    return one_field(RefusalCode::kDestinationNotAllowed, recipient_pointer(draft, i),
                     "class " + own.name + " goes to numbers with " + known +
                         " only; leave it out, or add its country to classes." + own.name +
                         ".guard.allowed_prefixes");
  }
  return std::nullopt;
}

std::optional<Refusal> check_price(const EngineOptions& options, const Message& message) {
  if (batch_limit(options, message.lane, message.segments) > 0) return std::nullopt;
  return one_field(RefusalCode::kCostExceedsBucket, "/body",
                   "one recipient costs " + std::to_string(message.segments) +
                       " segments, more than lane " + std::string(name(message.lane)) +
                       " can ever hold; shorten the body");
}

void describe_message(Now now, Submission& submission, Draft& draft) {
  Message& message = draft.message;
  message.priority = submission.priority;
  message.recipients = static_cast<uint32_t>(draft.recipients.size());
  message.created = now.wall;
  message.test = submission.test;
  message.class_name = std::move(submission.class_name);
  message.key = std::move(submission.key);
  message.tag = std::move(submission.tag);
  draft.text = {std::move(submission.body), std::move(submission.sender),
                std::move(submission.params)};
}

}  // namespace

std::string recipient_pointer(const Draft& draft, size_t recipient) {
  if (draft.recipients.size() + draft.dropped.size() == 1) return "/to";
  size_t entry = recipient;
  for (size_t dropped : draft.dropped) {
    if (dropped > entry) break;
    entry += 1;
  }
  return "/to/" + std::to_string(entry);
}

ClassId class_named(const EngineOptions& options, std::string_view class_name) {
  for (size_t i = 0; i < options.classes.size(); ++i) {
    if (options.classes[i].name == class_name) return static_cast<ClassId>(i);
  }
  return kNoClass;
}

std::variant<std::unique_ptr<Draft>, Refusal> examine(Now now, const Rulebook& rules,
                                                      Submission submission) {
  const EngineOptions& options = rules.options;
  Faults faults;
  auto draft = std::make_unique<Draft>();
  Message& message = draft->message;
  check_sizes(options, submission, faults);
  resolve_recipients(options, submission, *draft, faults);
  // Taken before the template adds to it: the same submission is the producer's part alone.
  message.hash = content_hash(submission, draft->recipients);

  const bool wants_template = !submission.template_id.empty();
  const Template* from_template = apply_template(rules, submission, faults);
  const ClassId class_id = class_named(options, submission.class_name);
  const ClassOptions* own = class_id == kNoClass ? nullptr : &options.classes[index(class_id)];
  if (!wants_template || from_template != nullptr) {
    const bool smart =
        (from_template != nullptr && from_template->smart) || (own != nullptr && own->smart);
    if (smart) draft->rewritten = rewrite_body(options, submission.body);
    price_body(options, submission.body, segment_limit(options, from_template), *draft, faults);
  }
  if (own == nullptr) {
    faults.add("/class", "is not a class of this weir; it knows " + known_classes(options));
  } else {
    message.lane = own->lane;
    message.deadline = class_deadline(now, *own, submission, faults).value_or(WallTime());
  }
  if (!faults.none()) return std::move(faults).refusal();

  const ProducerId producer = submission.producer;
  if (auto refusal = check_producer(options, producer, class_id)) return *std::move(refusal);
  if (auto refusal = check_destinations(*own, *draft)) return *std::move(refusal);
  if (auto refusal = settle_times(now, options, submission, message)) return *std::move(refusal);
  if (auto refusal = fit_window(now, *own, rules.calendar[index(class_id)], submission, message)) {
    return *std::move(refusal);
  }
  if (auto refusal = check_price(options, message)) return *std::move(refusal);
  describe_message(now, submission, *draft);
  message.cost = options.weight * message.segments * message.recipients;
  draft->producer = producer;
  cut_batches(options, *draft);
  return draft;
}

}  // namespace weir
