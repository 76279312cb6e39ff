// SPDX-License-Identifier: Apache-2.0
#include "shim/front/message_streams.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "weir/check.h"

#include "shim/front/ascii.h"
#include "shim/front/json_writer.h"
#include "shim/front/submission_json.h"

namespace weir {
namespace {

// How long a line waits that found no room. The pressure usually tells sooner.
constexpr uint64_t kAgainMs = 100;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == line.npos;
}

// A later try of the same line may be taken.
bool may_pass(RefusalCode code) {
  return code == RefusalCode::kLaneFull || code == RefusalCode::kDeadlineUnreachable ||
         code == RefusalCode::kStoreUnavailable || code == RefusalCode::kOverQuota;
}

// So is every line behind it, until somebody resumes it, or weir is started again.
bool stops_all(RefusalCode code) {
  return code == RefusalCode::kDraining || code == RefusalCode::kLaneDraining ||
         code == RefusalCode::kClassDraining;
}

}  // namespace

struct MessageStreams::Upload {
  ExchangeId exchange{};
  ProducerId producer = kNoProducer;
  std::string partial;       // a line whose end has not come
  std::deque<Line> waiting;  // whole lines that were not submitted, or found no room
  size_t under_way = 0;
  size_t bytes_under_way = 0;
  std::optional<Lane> lane;  // that the last one went to
  bool no_room = false;      // until the next look
  bool held = false;
  bool ended = false;
  bool pumping = false;
  std::string_view stopped_by;  // not to its end; empty: no

  uint64_t lines = 0;  // blank ones too: a number is that of the line in the file
  uint64_t accepted = 0;
  uint64_t replayed = 0;
  uint64_t refused = 0;
  uint64_t recipients = 0;
  Units cost;
  std::string answer;  // of the refused ones
};

MessageStreams::MessageStreams(uv_loop_t* loop, HttpServer& server, size_t most,
                               size_t most_line_bytes, Backend backend)
    : server_(server),
      most_(most),
      most_line_bytes_(most_line_bytes),
      backend_(std::move(backend)) {
  WEIR_CHECK(uv_timer_init(loop, &again_) == 0);
  again_.data = this;
}

MessageStreams::~MessageStreams() = default;

bool MessageStreams::wants(const HttpRequest& head) {
  if (head.method != "POST" || head.path != "/v1/messages") return false;
  const std::string_view type = head.header("content-type");
  return equals_ignoring_case(trimmed(type.substr(0, type.find(';'))), "application/x-ndjson");
}

bool MessageStreams::begin(ExchangeId exchange, ProducerId producer) {
  if (uploads_.size() >= most_) return false;
  auto upload = std::make_unique<Upload>();
  upload->exchange = exchange;
  upload->producer = producer;
  uploads_.emplace(exchange, std::move(upload));
  return true;
}

void MessageStreams::piece(ExchangeId exchange, std::string_view bytes) {
  const auto found = uploads_.find(exchange);
  if (found == uploads_.end()) return;
  cut_lines(*found->second, bytes);
  pump(*found->second);
}

void MessageStreams::end(ExchangeId exchange) {
  const auto found = uploads_.find(exchange);
  if (found == uploads_.end()) return;
  Upload& upload = *found->second;
  if (!upload.partial.empty()) cut_lines(upload, "\n");
  upload.ended = true;
  pump(upload);
}

// What is under way is accepted or not; nobody is there to hear it. One that has said all it had to
// say may have closed its half only.
void MessageStreams::gone(ExchangeId exchange) {
  const auto found = uploads_.find(exchange);
  if (found != uploads_.end() && !found->second->ended) uploads_.erase(found);
}

void MessageStreams::cut_lines(Upload& upload, std::string_view bytes) {
  for (;;) {
    const size_t end = bytes.find('\n');
    upload.partial.append(bytes.substr(0, end));
    if (end == bytes.npos) return;
    bytes.remove_prefix(end + 1);
    std::string text = std::exchange(upload.partial, {});
    upload.lines += 1;
    upload.waiting.push_back({upload.lines, std::move(text)});
  }
}

bool MessageStreams::has_room(const Upload& upload) const {
  if (upload.no_room) return false;
  if (upload.under_way >= kAtOnce || upload.bytes_under_way >= kBytesAtOnce) return false;
  return !upload.lane || pressure_[index(*upload.lane)] < Pressure::kPause;
}

// An answer may come before submit() returns; it is this call then that goes on.
void MessageStreams::pump(Upload& upload) {
  if (upload.pumping) return;
  upload.pumping = true;
  while (!upload.waiting.empty() && has_room(upload) && upload.stopped_by.empty()) {
    Line line = std::move(upload.waiting.front());
    upload.waiting.pop_front();
    submit(upload, std::move(line));
    if (upload.refused >= kMostRefused) upload.stopped_by = "too_many_refused";
  }
  upload.pumping = false;
  if (upload.partial.size() > most_line_bytes_ && upload.stopped_by.empty()) {
    refuse(upload, {upload.lines + 1, {}}, {},
           {"too_large", "A line is above listen.limits.body_bytes.", {}, {}});
    upload.stopped_by = "too_large";
  }
  const bool all = upload.waiting.empty() && upload.under_way == 0 && upload.ended;
  if (all || !upload.stopped_by.empty()) return finish(upload);
  const bool hold = !upload.waiting.empty();
  if (hold == upload.held || upload.ended) return;
  upload.held = hold;
  const ExchangeId exchange = upload.exchange;
  if (hold) {
    server_.hold_body(exchange);
  } else {
    server_.release_body(exchange);  // pieces may come, and the upload may end
  }
}

void MessageStreams::submit(Upload& upload, Line line) {
  if (is_blank(line.text)) return;
  HttpRequest request;
  request.body = line.text;
  auto read = read_submission(request, *backend_.engine);
  if (const auto* problem = std::get_if<Problem>(&read)) {
    return refuse(upload, line, {}, *problem);
  }
  Submission submission = std::get<Submission>(std::move(read));
  if (submission.key.empty()) {
    return refuse(upload, line, {},
                  {"invalid",
                   "1 field is wrong",
                   {{"/key", "is required here, so that the same file can be sent again"}},
                   {}});
  }
  submission.producer = upload.producer;
  const RequestId id = backend_.next_request();
  upload.under_way += 1;
  upload.bytes_under_way += line.text.size();
  lines_.emplace(id, UnderWay{upload.exchange, std::move(line), submission.key});
  backend_.submit(id, std::move(submission));
}

void MessageStreams::refuse(Upload& upload, const Line& line, const std::string& key,
                            const Problem& problem) {
  upload.refused += 1;
  JsonWriter json;
  json.open_object();
  json.key("line").natural(line.number);
  json.key("key").text(key);
  json.key("code").text(problem.code);
  json.key("detail").text(problem.detail);
  json.key("errors").open_array();
  for (const FieldError& error : problem.errors) {
    json.open_object();
    json.key("pointer").text(error.pointer).key("detail").text(error.detail);
    json.close_object();
  }
  json.close_array();
  json.close_object();
  upload.answer += json.take();
  upload.answer += '\n';
}

// The upload that the line is of; null: its client has gone.
MessageStreams::Upload* MessageStreams::land(RequestId request, UnderWay& done) {
  const auto at = lines_.find(request);
  done = std::move(at->second);
  lines_.erase(at);
  const auto found = uploads_.find(done.exchange);
  if (found == uploads_.end()) return nullptr;
  found->second->under_way -= 1;
  found->second->bytes_under_way -= done.line.text.size();
  return found->second.get();
}

void MessageStreams::answer(const Accept& accepted) {
  UnderWay done;
  Upload* const own = land(accepted.request, done);
  if (own == nullptr) return;
  Upload& upload = *own;
  upload.lane = accepted.message.lane;
  (accepted.replayed ? upload.replayed : upload.accepted) += 1;
  upload.recipients += accepted.message.recipients;
  upload.cost += accepted.message.cost;
  pump(upload);
}

void MessageStreams::answer(Refuse refused) {
  UnderWay done;
  Upload* const own = land(refused.request, done);
  if (own == nullptr) return;
  Upload& upload = *own;
  const RefusalCode code = refused.refusal.code;
  if (may_pass(code)) {
    upload.waiting.push_front(std::move(done.line));
    upload.no_room = true;
    look_again_soon();
  } else if (stops_all(code)) {
    upload.stopped_by = name(code);
  } else {
    refuse(upload, done.line, done.key, problem_of(std::move(refused.refusal)));
    if (upload.refused >= kMostRefused) upload.stopped_by = "too_many_refused";
  }
  pump(upload);
}

void MessageStreams::look_again_soon() {
  if (uv_is_active(reinterpret_cast<uv_handle_t*>(&again_))) return;
  const auto look = [](uv_timer_t* timer) {
    auto* self = static_cast<MessageStreams*>(timer->data);
    for (auto& [exchange, upload] : self->uploads_)
      upload->no_room = false;
    self->pump_all();
  };
  uv_timer_start(&again_, look, kAgainMs, 0);
}

void MessageStreams::pressure_moved(const PressureChanged& change) {
  pressure_[index(change.lane)] = change.to;
  pump_all();
}

// An upload may end while it is looked at, and its going may let another begin.
void MessageStreams::pump_all() {
  std::vector<ExchangeId> all;
  for (const auto& [exchange, upload] : uploads_)
    all.push_back(exchange);
  for (ExchangeId exchange : all) {
    const auto found = uploads_.find(exchange);
    if (found != uploads_.end()) pump(*found->second);
  }
}

void MessageStreams::finish(Upload& upload) {
  const std::string_view stopped_by = upload.stopped_by;
  JsonWriter json;
  json.open_object();
  json.key("complete").flag(stopped_by.empty());
  json.key("stopped_by");
  stopped_by.empty() ? json.null() : json.text(stopped_by);
  json.key("lines").natural(upload.lines);
  json.key("accepted").natural(upload.accepted);
  json.key("replayed").natural(upload.replayed);
  json.key("refused").natural(upload.refused);
  json.key("recipients").natural(upload.recipients);
  json.key("cost_units").units(upload.cost);
  json.close_object();
  HttpResponse response;
  response.content_type = "application/x-ndjson";
  response.body = std::move(upload.answer);
  response.body += json.take();
  response.body += '\n';
  if (stopped_by.ends_with("draining")) {
    response.status = 503;
    response.headers.emplace_back("Retry-After", "1");
  } else if (!stopped_by.empty()) {
    response.status = 422;
  }
  const ExchangeId exchange = upload.exchange;
  uploads_.erase(exchange);  // `upload` has gone
  server_.respond(exchange, std::move(response));
}

void MessageStreams::stop() {
  std::vector<ExchangeId> all;
  for (const auto& [exchange, upload] : uploads_)
    all.push_back(exchange);
  for (ExchangeId exchange : all) {
    Upload& upload = *uploads_.at(exchange);
    upload.stopped_by = "draining";
    finish(upload);
  }
}

void MessageStreams::close(std::function<void()> closed) {
  uploads_.clear();
  lines_.clear();
  closed_ = std::move(closed);
  uv_close(reinterpret_cast<uv_handle_t*>(&again_), [](uv_handle_t* handle) {
    // It may end this object.
    auto done = std::move(static_cast<MessageStreams*>(handle->data)->closed_);
    done();
  });
}

}  // namespace weir
