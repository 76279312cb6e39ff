// SPDX-License-Identifier: Apache-2.0
//
// send --file: a file of messages handed in as one upload, paced by how fast weir reads it.
//
// Made to be run again: each message has a key that the same file gives it again, so whatever broke
// off goes on where it was.
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <utility>

#include <unistd.h>

#include "shim/config/quantities.h"
#include "tools/weir/api_words.h"
#include "tools/weir/bulk_form.h"
#include "tools/weir/bulk_source.h"
#include "tools/weir/csv_lines.h"
#include "tools/weir/json_lines.h"
#include "tools/weir/progress_display.h"
#include "tools/weir/send_summary.h"
#include "tools/weir/upload_call.h"

namespace weir {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPressureEvery{2};
constexpr int64_t kPressureSeconds = 1;  // it is only for show
constexpr const char* kAgain = "run the same command again, and it goes on where it was";

volatile std::sig_atomic_t stop_signal = 0;

// Without SA_RESTART, so that whatever waits hears of it.
void hear_signals() {
  struct sigaction action {};
  action.sa_handler = [](int number) { stop_signal = number; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int say(int code, const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  return code;
}

// Of a request that was not answered as it should be: what a script may do about it.
int complain_of(const ApiReply& reply) {
  if (reply.status < 300) return complain_of_version();
  // Too slow; or a proxy without a weir behind it.
  const bool may_pass = reply.status == 408 || reply.status == 502 || reply.status == 504;
  if (text_at(parsed(reply.body), "code").empty()) {
    return say(may_pass ? kTryLater : exit_code_for(reply.status),
               "HTTP status " + std::to_string(reply.status) + ", and not from a weir");
  }
  const int code = complain(reply);
  return may_pass ? kTryLater : code;
}

class Sending {
 public:
  Sending(const SendFileArgs& args, ApiPlace place, BulkForm form, std::chrono::milliseconds every)
      : args_(args), place_(std::move(place)), form_(std::move(form)), display_(every) {}

  int run(BulkFormat format) {
    if (const int code = look_at_pressure(); code != kDone) return code;
    std::optional<std::vector<std::string>> places;
    if (const int code = find_places(format, places); code != kDone) return code;
    if (const int code = open_refused(); code != kDone) return code;
    auto input = InputFile::open(args_.file);
    if (!input) return say(kUsage, input.error().detail);
    source_.emplace(std::move(*input), lines_of(format, std::move(places)));
    const Status begun = source_->begin([] { return stop_signal == 0; });
    if (!begun) return say(kUsage, args_.file + ": " + begun.error().detail);
    if (stop_signal != 0) return give_up({});
    UploadEnd end;
    if (source_->messages() > 0) end = hand_over();
    answer_->end();
    return conclude(end);
  }

 private:
  // Also whether weir is there at all, and takes this key.
  int look_at_pressure() {
    const auto reply = call_api(args_.message.api, "GET", "/v1/pressure");
    if (!reply) return say(kTryLater, reply.error().detail + "; " + kAgain);
    if (reply->status != 200) return complain_of(*reply);
    pressure_ = pressure_words(reply->body);
    pressure_at_ = Clock::now();
    return pressure_.empty() ? complain_of_version() : kDone;
  }

  // Of the text, or of weir's template; none when this key may not look at templates.
  int find_places(BulkFormat format, std::optional<std::vector<std::string>>& places) const {
    if (form_.template_id.empty()) {
      if (format == BulkFormat::kNdjson) return kDone;
      auto found = places_of(form_.text);
      if (!found) return say(kUsage, found.error().detail);
      places = std::move(*found);
      return kDone;
    }
    const auto reply =
        call_api(args_.message.api, "GET", "/v1/templates/" + percent_encoded(form_.template_id));
    if (!reply) return say(kTryLater, reply.error().detail + "; " + kAgain);
    if (reply->status == 403) return kDone;
    if (reply->status != 200) return complain_of(*reply);
    places.emplace();
    for (const json::object& one : objects_at(parsed(reply->body), "variables"))
      places->push_back(text_at(one, "name"));
    return kDone;
  }

  int open_refused() {
    if (!args_.refused.empty()) {
      refused_.open(args_.refused, std::ios::binary | std::ios::trunc);
      if (!refused_) return say(kUsage, "--refused: " + args_.refused + " cannot be written");
    }
    answer_.emplace(args_.refused.empty() ? nullptr : &refused_);
    return kDone;
  }

  std::unique_ptr<BulkLines> lines_of(BulkFormat format,
                                      std::optional<std::vector<std::string>> places) {
    const auto refuse = [this](const RefusedLine& line) { answer_->refuse(line); };
    if (format == BulkFormat::kNdjson) return std::make_unique<JsonLines>(form_, refuse);
    return std::make_unique<CsvLines>(form_, args_.to_column, std::move(places), refuse);
  }

  UploadEnd hand_over() {
    Upload what;
    what.path = "/v1/messages";
    what.content_type = "application/x-ndjson";
    what.read = [this](char* to, size_t room) { return source_->read(to, room); };
    what.answer = [this](std::string_view bytes) { answer_->feed(bytes); };
    what.go_on = [this] {
      if (display_.is_due()) show();
      return stop_signal == 0 && source_->failure().empty();
    };
    what.input = source_->descriptor();
    return upload(place_, what);
  }

  void show() {
    if (Clock::now() - pressure_at_ >= kPressureEvery) {
      const auto reply = call_api(args_.message.api, "GET", "/v1/pressure", "", kPressureSeconds);
      pressure_ = reply && reply->status == 200 ? pressure_words(reply->body) : "";
      pressure_at_ = Clock::now();
    }
    SendProgress at;
    at.elapsed = elapsed();
    at.messages = source_->messages();
    at.bytes = source_->bytes();
    at.bytes_total = source_->size();
    at.all_handed = source_->all_given();
    at.pressure = pressure_;
    display_.show(at);
  }

  Duration elapsed() const {
    return Duration::nanos(std::chrono::nanoseconds(Clock::now() - began_).count());
  }

  int conclude(const UploadEnd& end) {
    if (source_->messages() > 0) show();
    display_.end();
    if (!args_.refused.empty() && !refused_.flush()) {
      say(kFailed, "--refused: " + args_.refused + " could not be written to its end");
    }
    if (end.how != UploadEnd::How::kAnswered) return give_up(end);
    if (!answer_->summary() && source_->messages() > 0) {
      return complain_of({end.status, answer_->other()});
    }
    const SendSummary what{form_.campaign, source_->messages(), elapsed()};
    if (args_.message.json) {
      std::printf("%s\n", summary_json(what, *answer_).c_str());
    } else {
      std::fputs(summary_text(what, *answer_).c_str(), stdout);
    }
    return exit_code_of(*answer_);
  }

  // There is no answer.
  int give_up(const UploadEnd& end) {
    const std::string handed = std::to_string(source_->messages()) + " messages were handed over";
    if (stop_signal != 0) {
      return say(128 + stop_signal, "interrupted; " + handed + "; " + kAgain);
    }
    if (!source_->failure().empty()) {
      return say(kFailed, source_->failure() + "; " + handed + "; " + kAgain);
    }
    return say(kTryLater, end.detail + "; " + handed + "; " + kAgain);
  }

  const SendFileArgs& args_;
  const ApiPlace place_;
  const BulkForm form_;
  const Clock::time_point began_ = Clock::now();
  ProgressDisplay display_;
  std::ofstream refused_;
  std::optional<UploadAnswer> answer_;
  std::optional<BulkSource> source_;
  std::string pressure_;
  Clock::time_point pressure_at_;
};

}  // namespace

int send_file_command(const SendFileArgs& given) {
  SendFileArgs args = given;
  if (args.message.body == "-") {
    if (args.file == "-") return say(kUsage, "stdin can be the file or the text, not both");
    args.message.body.assign(std::istreambuf_iterator<char>(std::cin),
                             std::istreambuf_iterator<char>());
  }
  const auto format = bulk_format(args);
  if (!format) return say(kUsage, format.error().detail);
  auto form = bulk_form(args, *format);
  if (!form) return say(kUsage, form.error().detail);
  const auto every = parse_duration(args.progress_every);
  if (!every || every->ms() == 0) {
    return say(kUsage, "--progress-every is a duration, as 500ms or 5s");
  }
  auto place = place_of(args.message.api);
  if (!place) return say(kUsage, place.error().detail);
  hear_signals();
  Sending sending(args, std::move(*place), *std::move(form),
                  std::chrono::milliseconds(every->ms()));
  return sending.run(*format);
}

}  // namespace weir
