// SPDX-License-Identifier: Apache-2.0
//
// cancel, pause, drain and resume: what a person stops.
#include <cstdio>
#include <string>

#include "tools/weir/api_words.h"
#include "tools/weir/ledger_text.h"

namespace weir {
namespace {

namespace json = boost::json;

// A campaign of a million batches takes minutes, in slices between everything else.
constexpr int64_t kMostSeconds = 3'600;

std::string cancelled_text(const json::object& done) {
  std::string text = "cancelled " + batches_text(text_at(done, "cancelled_batches")) + " of " +
                     text_at(done, "cancelled_messages") + " messages, " +
                     units_at(done, "cancelled_units") + " units\n";
  const json::value* left = done.if_contains("too_late_batches");
  if (left == nullptr || !left->is_object()) return text;
  for (const auto& [state, batches] : left->as_object()) {
    if (batches.is_number() && batches.to_number<double>() > 0) {
      text += "too late: " + json::serialize(batches) + " " + std::string(state) + "\n";
    }
  }
  return text;
}

int stop_command(const StopArgs& args, const std::string& verb, const std::string& now) {
  const bool of_lane = !args.lane.empty();
  const std::string path = of_lane ? "/v1/lanes/" + percent_encoded(args.lane)
                                   : "/v1/classes/" + percent_encoded(args.class_name);
  json::object question;
  question["reason"] = args.reason;
  const auto answer =
      checked(call_api(args.api, "POST", path + "/" + verb, json::serialize(question)));
  if (const int* code = std::get_if<int>(&answer)) return *code;
  std::printf("%s %s %s\n", of_lane ? "lane" : "class",
              (of_lane ? args.lane : args.class_name).c_str(), now.c_str());
  return kDone;
}

}  // namespace

int pause_command(const StopArgs& args) {
  return stop_command(args, "pause", "is paused; what it has waits");
}

int drain_command(const StopArgs& args) {
  return stop_command(args, "drain", "drains; nothing new is taken for it");
}

int resume_command(const StopArgs& args) {
  return stop_command(args, "resume", "goes on");
}

int cancel_command(const CancelArgs& args) {
  json::object question;
  if (args.key) question["key"] = *args.key;
  if (args.tag) question["tag"] = *args.tag;
  const std::string path =
      args.id ? "/v1/messages/" + percent_encoded(*args.id) + "/cancel" : "/v1/cancel";
  const auto answer =
      checked(call_api(args.api, "POST", path, json::serialize(question), kMostSeconds));
  if (const int* code = std::get_if<int>(&answer)) return *code;
  const std::string& body = std::get<ApiReply>(answer).body;
  std::fputs(args.json ? (body + "\n").c_str() : cancelled_text(parsed(body)).c_str(), stdout);
  return kDone;
}

}  // namespace weir
