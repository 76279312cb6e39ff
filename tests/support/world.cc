// SPDX-License-Identifier: Apache-2.0
#include "tests/support/world.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "engine/batch_state.h"

namespace weir::test {

EngineOptions test_options() {
  EngineOptions options;
  options.ceiling.rate_per_s = Units::of(100);
  options.ceiling.capacity = Duration::seconds(2);
  options.max_segments = 3;
  for (ClassOptions& one : options.classes)
    one.window.reset();
  options.outcomes = {
      {.http_min = 200, .http_max = 299, .code = "200", .outcome = Outcome::kAccepted},
      {.code = "188", .outcome = Outcome::kRefused, .cause = RefusalCause::kContent},
      {.code = "216", .outcome = Outcome::kRefused, .cause = RefusalCause::kAuth},
      {.http_min = 429, .http_max = 429, .code = std::nullopt, .outcome = Outcome::kThrottled},
  };
  return options;
}

Submission submission(std::string class_name, uint64_t first_number, size_t recipients) {
  Submission one;
  one.class_name = std::move(class_name);
  one.body = "hello";
  for (size_t i = 0; i < recipients; ++i) {
    one.to.push_back("+" + std::to_string(910'000'000'000 + first_number + i));
  }
  return one;
}

GatewayReply accepted_reply() {
  GatewayReply reply;
  reply.body_handed = true;
  reply.complete = true;
  reply.http_status = 200;
  reply.code = "200";
  reply.gateway_ref = "ref";
  return reply;
}

GatewayReply refused_reply(std::string code, int http_status) {
  GatewayReply reply = accepted_reply();
  reply.http_status = http_status;
  reply.code = std::move(code);
  return reply;
}

GatewayReply throttled_reply(std::optional<Duration> retry_after) {
  GatewayReply reply = refused_reply("", 429);
  reply.retry_after = retry_after;
  return reply;
}

GatewayReply unreachable_reply() {
  return {};
}

GatewayReply silent_reply() {
  GatewayReply reply;
  reply.body_handed = true;
  return reply;
}

World::World(EngineOptions options, Calendar calendar)
    : gateway([](const Payload&) { return accepted_reply(); }),
      options_(std::move(options)),
      calendar_(std::move(calendar)) {
  const Status status = check_options(options_);
  EXPECT_TRUE(status) << status.error().detail;
  start();
}

Now World::now() const {
  return {mono_, wall_ + wall_step};
}

void World::start() {
  life_ += 1;
  cancels_.clear();
  engine_ = std::make_unique<Engine>(now(), options_);
  Restored found;
  found.next_message = static_cast<MessageId>(last_message_ + 1);
  found.next_batch = static_cast<BatchId>(last_batch_ + 1);
  for (auto& [id, row] : disk_) {
    row.call_out = false;
    if (row.state == BatchState::kClaimed) change(row, BatchState::kUnknown);
    if (row.state == BatchState::kUnknown) found.unknown_batches += 1;
    if (row.state != BatchState::kPending) continue;
    Head head;
    head.id = row.cut.id;
    head.cost = row.cut.cost;
    head.deadline = row.message.deadline;
    head.eligible = row.message.created;
    head.attempt = row.attempt;
    head.priority = row.message.priority;
    head.producer = row.producer;
    found.pending.push_back({row.message.lane, row.message.class_name, row.not_before, head});
  }
  for (const auto& [id, one] : templates_)
    found.templates.push_back(one);
  if (!rates_.empty()) found.last_rate = rates_.back();
  found.last_outcome = last_outcome_;
  found.quarantine = quarantine_;
  for (const auto& [subject, order] : stops_)
    found.stops.push_back(order);
  found.levels = std::exchange(levels_, std::nullopt);
  found.guarded = guarded_on_disk();
  if (!calendar_.empty()) step(CalendarRead{calendar_});
  step(std::move(found));
}

// As the store: an hour back, the numbers of what was not sent are gone.
std::vector<Restored::GuardedClass> World::guarded_on_disk() const {
  std::vector<Restored::GuardedClass> found;
  for (const ClassOptions& one : options_.classes) {
    if (!one.guard) continue;
    Restored::GuardedClass own{one.name, {}};
    for (const auto& [id, row] : disk_) {
      const Message& message = row.message;
      if (message.class_name != one.name ||
          message.created <= now().wall + Duration::seconds(-3600)) {
        continue;
      }
      const bool kept = row.state != BatchState::kShed && row.state != BatchState::kRefused &&
                        row.state != BatchState::kCancelled;
      for (Recipient recipient : row.recipients)
        own.counted.push_back({row.cut.id, message.created, kept ? recipient : Recipient{}});
    }
    found.push_back(std::move(own));
  }
  return found;
}

void World::restart() {
  start();
}

void World::read_calendar(Calendar calendar) {
  calendar_ = std::move(calendar);
  step(CalendarRead{calendar_});
}

void World::check_window(const Row& row) const {
  for (size_t i = 0; i < calendar_.size(); ++i) {
    const ClassOptions& one = options_.classes[i];
    if (!one.window || one.name != row.message.class_name) continue;
    EXPECT_TRUE(calendar_[i].is_open(now().wall)) << "sent while the window of its class is closed";
  }
}

void World::at(Duration after, std::function<Event()> make) {
  due_.push({mono_ + after, order_++, std::move(make), life_});
}

RequestId World::submit(Submission one) {
  const auto request = static_cast<RequestId>(++requests_);
  step(Submitted{request, std::move(one)});
  return request;
}

RequestId World::put_template(Template content) {
  const auto request = static_cast<RequestId>(++requests_);
  step(PutTemplate{request, std::move(content)});
  return request;
}

RequestId World::drop_template(std::string id) {
  const auto request = static_cast<RequestId>(++requests_);
  step(DropTemplate{request, std::move(id)});
  return request;
}

void World::carry_out(StoreTemplate& effect) {
  at(commit_time, [this, change = effect]() -> Event {
    if (disk_works && change.remove) templates_.erase(change.content.id);
    if (disk_works && !change.remove) templates_[change.content.id] = change.content;
    return TemplateStored{change.request, disk_works, change.remove, change.content};
  });
}

void World::carry_out(AnswerTemplate& effect) {
  template_answers_[raw(effect.request)] = std::move(effect);
}

const AnswerTemplate* World::template_answer(RequestId request) const {
  const auto it = template_answers_.find(raw(request));
  return it == template_answers_.end() ? nullptr : &it->second;
}

RequestId World::acquire(std::string class_name, Units cost, Duration max_wait) {
  return acquire_as(kNoProducer, std::move(class_name), cost, max_wait);
}

RequestId World::acquire_as(ProducerId producer, std::string class_name, Units cost,
                            Duration max_wait) {
  const auto request = static_cast<RequestId>(++requests_);
  step(AcquireRequested{request, std::move(class_name), "", cost, max_wait, false, producer});
  return request;
}

RequestId World::acquire_shadow(std::string class_name, Units cost) {
  const auto request = static_cast<RequestId>(++requests_);
  step(AcquireRequested{request, std::move(class_name), "", cost, Duration(), true});
  return request;
}

void World::abandon(RequestId request) {
  step(AcquireAbandoned{request});
}

RequestId World::acquire_from(std::string bucket, Units cost, Duration max_wait) {
  const auto request = static_cast<RequestId>(++requests_);
  step(AcquireRequested{request, "", std::move(bucket), cost, max_wait});
  return request;
}

RequestId World::refund_as(ProducerId producer, LeaseId lease) {
  const auto request = static_cast<RequestId>(++requests_);
  step(RefundRequested{request, lease, producer});
  return request;
}

void World::carry_out(AnswerLease& effect) {
  const uint64_t request = raw(effect.request);
  EXPECT_FALSE(lease_answers_.contains(request)) << "answered twice";
  lease_answers_[request] = {std::move(effect), mono_};
}

const AnswerLease* World::lease_answer(RequestId request) const {
  const auto it = lease_answers_.find(raw(request));
  return it == lease_answers_.end() ? nullptr : &it->second.first;
}

MonoTime World::lease_answered_at(RequestId request) const {
  return lease_answers_.at(raw(request)).second;
}

void World::drain() {
  step(DrainRequested{});
}

void World::report_disk(bool writable) {
  report(writable ? StoreTrouble::kNone : StoreTrouble::kDiskFull);
}

void World::report(StoreTrouble trouble) {
  step(StoreHealth{trouble, trouble == StoreTrouble::kNone ? "" : "as the test says"});
}

RequestId World::resolve(RequestId submission, BatchState to) {
  const auto request = static_cast<RequestId>(++requests_);
  step(ResolveRequested{request, accepted_.at(raw(submission)).message.id, std::nullopt, to,
                        "the portal says so"});
  return request;
}

const AnswerResolve* World::resolve_answer(RequestId request) const {
  const auto it = resolve_answers_.find(raw(request));
  return it == resolve_answers_.end() ? nullptr : &it->second;
}

Resolved World::commit_resolve(const Resolve& command) {
  Resolved answer{command.request, ResolveResult::kNotWritten, 0, command.to};
  if (!disk_works) return answer;
  answer.result = messages_.contains(raw(command.message)) ? ResolveResult::kNotUnknown
                                                           : ResolveResult::kNoMessage;
  for (auto& [id, row] : disk_) {
    if (row.message.id != command.message || row.state != BatchState::kUnknown) continue;
    change(row, command.to);
    answer.batches += 1;
    answer.result = ResolveResult::kResolved;
  }
  return answer;
}

void World::carry_out(Resolve& effect) {
  at(commit_time, [this, command = effect]() -> Event { return commit_resolve(command); });
}

void World::carry_out(AnswerResolve& effect) {
  resolve_answers_[raw(effect.request)] = effect;
}

RequestId World::release_quarantine() {
  const auto request = static_cast<RequestId>(++requests_);
  step(ReleaseRequested{request});
  return request;
}

const AnswerRelease* World::release_answer(RequestId request) const {
  const auto it = release_answers_.find(raw(request));
  return it == release_answers_.end() ? nullptr : &it->second;
}

void World::carry_out(Release& effect) {
  at(commit_time, [this, request = effect.request]() -> Event {
    if (disk_works) quarantine_.clear();
    return Released{request, disk_works};
  });
}

void World::carry_out(AnswerRelease& effect) {
  release_answers_[raw(effect.request)] = effect;
}

void World::step(Event event) {
  Effects effects;
  steps_ += 1;
  engine_->step(now(), std::move(event), effects);
  for (Effect& effect : effects)
    carry_out(effect);
}

bool World::run_next(MonoTime until) {
  while (!due_.empty() && due_.top().life != life_)
    due_.pop();
  const MonoTime wake = engine_->next_wake();
  const MonoTime next = due_.empty() ? wake : std::min(wake, due_.top().at);
  if (next > until) return false;
  const MonoTime instant = std::max(next, mono_);
  wall_ = wall_ + Duration::millis(instant.ns() / 1'000'000 - mono_.ns() / 1'000'000);
  mono_ = instant;
  if (!due_.empty() && due_.top().at <= wake) {
    auto make = due_.top().make;
    due_.pop();
    step(make());
  } else {
    step(Wake{});
  }
  return true;
}

void World::run_for(Duration duration) {
  const MonoTime until = mono_ + duration;
  while (run_next(until)) {
  }
  wall_ = wall_ + Duration::millis(until.ns() / 1'000'000 - mono_.ns() / 1'000'000);
  mono_ = until;
}

bool World::run_until_idle(Duration most) {
  const MonoTime until = mono_ + most;
  for (;;) {
    int64_t pending = 0;
    for (const LaneView& one : view().lanes)
      pending += one.pending_rows;
    if (pending == 0 && engine_->drained()) return true;
    if (!run_next(until)) return false;
  }
}

void World::change(Row& row, BatchState to) {
  ASSERT_TRUE(may_follow(row.state, to)) << name(row.state) << " -> " << name(to);
  row.state = to;
}

void World::carry_out(Effect& effect) {
  std::visit([this](auto& one) { carry_out(one); }, effect);
}

Persisted World::commit(RequestId request, std::unique_ptr<Draft> draft) {
  Persisted answer;
  answer.request = request;
  const Message& message = draft->message;
  const auto known = message.key.empty() ? keys_.end() : keys_.find(message.key);
  if (known != keys_.end()) {
    answer.first = disk_.at(known->second).message;
    answer.result = answer.first.hash == message.hash ? Persisted::Result::kReplayed
                                                      : Persisted::Result::kConflict;
  } else if (draft->only_if_known) {
    answer.result = Persisted::Result::kAbsent;
  } else {
    for (const BatchCut& cut : draft->batches) {
      Row row;
      row.message = message;
      row.producer = draft->producer;
      row.text = draft->text;
      row.recipients.assign(draft->recipients.begin() + cut.first,
                            draft->recipients.begin() + cut.first + cut.recipients);
      row.cut = cut;
      row.not_before = message.not_before;
      if (draft->claim_first) {
        row.state = BatchState::kClaimed;
        row.attempt = 1;
      }
      disk_[raw(cut.id)] = std::move(row);
      last_batch_ = raw(cut.id);
    }
    last_message_ = raw(message.id);
    messages_.insert(last_message_);
    if (!message.key.empty()) keys_[message.key] = raw(draft->batches.front().id);
    answer.result = Persisted::Result::kStored;
  }
  answer.draft = std::move(draft);
  return answer;
}

void World::carry_out(Persist& effect) {
  auto draft = std::make_shared<std::unique_ptr<Draft>>(std::move(effect.draft));
  const RequestId request = effect.request;
  at(commit_time, [this, draft, request]() -> Event {
    if (disk_works) return commit(request, std::move(*draft));
    Persisted failed;
    failed.request = request;
    failed.draft = std::move(*draft);
    return failed;
  });
}

void World::carry_out(Refuse& effect) {
  refused_[raw(effect.request)] = std::move(effect.refusal);
}

void World::carry_out(Accept& effect) {
  EXPECT_TRUE(messages_.contains(raw(effect.message.id))) << "accepted before its commit";
  accepted_[raw(effect.request)] = std::move(effect);
}

std::unique_ptr<Payload> World::payload_of(const Row& row) const {
  auto payload = std::make_unique<Payload>();
  payload->batch = row.cut.id;
  payload->message = row.message.id;
  payload->encoding = row.message.encoding;
  payload->segments = row.message.segments;
  payload->text = row.text;
  payload->recipients = row.recipients;
  return payload;
}

Claimed World::commit_claim(const Claim& claim) {
  Claimed answer;
  answer.batch = claim.batch;
  if (!disk_works) return answer;
  Row& row = disk_.at(raw(claim.batch));
  for (const auto& [request, command] : cancels_) {
    if (row.state != BatchState::kPending || !covers(command, row.message)) continue;
    change(row, BatchState::kCancelled);
    row.done_at = command.at;
  }
  answer.cancelled = row.state == BatchState::kCancelled;
  if (row.state != BatchState::kPending) {
    answer.gone = true;
    return answer;
  }
  change(row, BatchState::kClaimed);
  row.attempt = claim.attempt;
  answer.payload = payload_of(row);
  return answer;
}

void World::carry_out(Claim& effect) {
  at(commit_time, [this, claim = effect]() -> Event { return commit_claim(claim); });
}

void World::carry_out(Send& effect) {
  Row& row = disk_.at(raw(effect.payload->batch));
  EXPECT_EQ(row.state, BatchState::kClaimed) << "sent without a claim on disk";
  EXPECT_FALSE(row.call_out) << "sent twice on one claim";
  EXPECT_LT(now().wall, row.message.deadline) << "sent after its deadline";
  check_window(row);
  row.call_out = true;
  sent_.push_back({mono_, row.cut.id, row.message.lane, row.cut.cost, row.recipients});
  GatewayReply reply = gateway(*effect.payload);
  reply.sent_at = mono_;
  at(latency, [batch = effect.payload->batch, reply]() -> Event { return Replied{batch, reply}; });
}

void World::carry_out(Record& effect) {
  Row& row = disk_.at(raw(effect.batch));
  const bool cancelled = row.state == BatchState::kCancelled && effect.from == BatchState::kPending;
  if (cancelled) {  // a person was faster
    at(commit_time, [batch = effect.batch]() -> Event { return Recorded{batch}; });
    return;
  }
  EXPECT_EQ(row.state, effect.from);
  change(row, effect.to);
  row.call_out = false;
  if (effect.to != BatchState::kPending) last_outcome_ = effect.at;
  row.reason = effect.reason;
  row.not_before = effect.not_before;
  at(commit_time, [batch = effect.batch]() -> Event { return Recorded{batch}; });
}

void World::carry_out(SaveRate& effect) {
  at(commit_time, [this, change = effect.change]() -> Event {
    if (disk_works) rates_.push_back(change);
    return CeilingSaved{};
  });
}

void World::carry_out(SaveLevels& effect) {
  at(commit_time, [this, levels = effect.levels]() -> Event {
    if (disk_works) levels_ = levels;
    return CeilingSaved{};
  });
}

void World::carry_out(Note& effect) {
  notes_.push_back(std::move(effect.text));
}

std::vector<World::Sent> World::sent_in(Lane lane) const {
  std::vector<Sent> chosen;
  for (const Sent& one : sent_) {
    if (one.lane == lane) chosen.push_back(one);
  }
  return chosen;
}

const Accept* World::accepted(RequestId request) const {
  const auto it = accepted_.find(raw(request));
  return it == accepted_.end() ? nullptr : &it->second;
}

const Refusal* World::refused(RequestId request) const {
  const auto it = refused_.find(raw(request));
  return it == refused_.end() ? nullptr : &it->second;
}

std::vector<BatchState> World::states(RequestId request) const {
  std::vector<BatchState> states;
  const Accept* yes = accepted(request);
  if (yes == nullptr) return states;
  for (const auto& [id, row] : disk_) {
    if (row.message.id == yes->message.id) states.push_back(row.state);
  }
  return states;
}

size_t World::rows_in(BatchState state) const {
  return static_cast<size_t>(std::count_if(
      disk_.begin(), disk_.end(), [&](const auto& entry) { return entry.second.state == state; }));
}

const std::string& World::last_reason(RequestId request) const {
  static const std::string kNone;
  const Accept* yes = accepted(request);
  for (const auto& [id, row] : disk_) {
    if (yes != nullptr && row.message.id == yes->message.id) return row.reason;
  }
  return kNone;
}

Units units_sent(const std::vector<World::Sent>& sent, size_t first) {
  Units units;
  for (size_t i = first; i < sent.size(); ++i)
    units += sent[i].cost;
  return units;
}

Units most_in_window(const std::vector<World::Sent>& sent, Duration window) {
  Units most;
  Units inside;
  size_t first = 0;
  for (const World::Sent& one : sent) {
    inside += one.cost;
    while (one.at - sent[first].at >= window)
      inside -= sent[first++].cost;
    most = std::max(most, inside);
  }
  return most;
}

}  // namespace weir::test
