// SPDX-License-Identifier: Apache-2.0
//
// send, show and status: the API's answers in words.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <thread>

#include <boost/json.hpp>
#include <unistd.h>

#include "tools/weir/api_words.h"

namespace weir {
namespace {

namespace json = boost::json;

// How often a followed message is looked at: often enough to see each state for a person.
constexpr auto kLookEvery = std::chrono::milliseconds(25);

std::string submission_json(const SendArgs& args, const std::string& body) {
  json::object one;
  one["class"] = args.class_name;
  one["to"] = json::array(args.to.begin(), args.to.end());
  one["body"] = body;
  if (!args.sender.empty()) one["sender"] = args.sender;
  if (!args.key.empty()) one["key"] = args.key;
  if (!args.tag.empty()) one["tag"] = args.tag;
  if (!args.deadline.empty()) one["deadline"] = args.deadline;
  if (args.test) one["test"] = true;
  json::object params;
  for (const std::string& pair : args.params) {
    const size_t equals = pair.find('=');
    params[pair.substr(0, equals)] = equals == std::string::npos ? "" : pair.substr(equals + 1);
  }
  if (!params.empty()) one["params"] = std::move(params);
  return json::serialize(one);
}

void print_message(const json::object& message) {
  for (const char* field : {"id", "state", "class", "lane", "recipients", "encoding", "segments",
                            "cost_units", "deadline", "predicted_send_at", "pressure", "key"}) {
    const std::string text = text_at(message, field);
    if (!text.empty()) std::printf("%-18s %s\n", field, text.c_str());
  }
  const json::value* batches = message.if_contains("batches");
  if (batches == nullptr || !batches->is_array()) return;
  for (const json::value& one : batches->as_array()) {
    if (!one.is_object()) continue;
    const json::object& batch = one.as_object();
    std::printf("batch %-12s %s", text_at(batch, "id").c_str(), text_at(batch, "state").c_str());
    for (const char* field : {"attempt", "reason", "code", "gateway_ref", "evidence"}) {
      const std::string text = text_at(batch, field);
      if (!text.empty()) std::printf("  %s=%s", field, text.c_str());
    }
    std::printf("\n");
  }
}

bool is_settled(const std::string& state) {
  return state != "pending" && state != "claimed" && state != "mixed";
}

// Prints each state as it comes; done when all batches have an outcome.
int follow(const SendArgs& args, const std::string& id) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(args.wait_s);
  std::string last;
  for (;;) {
    const auto reply = call_api(args.api, "GET", "/v1/messages/" + id);
    if (!reply) {
      std::fprintf(stderr, "%s\n", reply.error().detail.c_str());
      return kNotReachable;
    }
    if (reply->status != 200) return complain(*reply);
    const json::object message = parsed(reply->body);
    const std::string state = text_at(message, "state");
    if (state != last && !args.json) std::printf("%s %s\n", id.c_str(), state.c_str());
    last = state;
    const bool late = std::chrono::steady_clock::now() >= until;
    if (!is_settled(state) && !late) {
      std::this_thread::sleep_for(kLookEvery);
      continue;
    }
    if (args.json) {
      std::printf("%s\n", reply->body.c_str());
    } else {
      print_message(message);
    }
    if (state == "submitted") return kDone;
    return is_settled(state) ? kFailed : kTryLater;
  }
}

// A line for what a person has stopped.
void print_stop(const char* what, const json::object& subject) {
  const json::value* stop = subject.if_contains("stop");
  if (stop == nullptr || !stop->is_object()) return;
  const json::object& why = stop->as_object();
  std::printf("%s %s is %s since %s: %s\n", what, text_at(subject, what).c_str(),
              text_at(why, "mode").c_str(), text_at(why, "since").c_str(),
              shown(text_at(why, "reason")).c_str());
}

bool in_shadow(const json::object& lane) {
  return text_at(lane, "shadow") == "true";
}

}  // namespace

int send_command(const SendArgs& args) {
  std::string body = args.body;
  if (body == "-") {
    body.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  const auto reply = call_api(args.api, "POST", "/v1/messages", submission_json(args, body));
  if (!reply) {
    std::fprintf(stderr, "%s\n", reply.error().detail.c_str());
    return kNotReachable;
  }
  if (reply->status >= 300) return complain(*reply);
  const json::object accepted = parsed(reply->body);
  if (args.wait_s > 0) return follow(args, text_at(accepted, "id"));
  if (args.json) {
    std::printf("%s\n", reply->body.c_str());
  } else {
    print_message(accepted);
  }
  return kDone;
}

int show_command(const ShowArgs& args) {
  std::string body;
  if (const int code = get(args.api, "/v1/messages/" + args.id, body); code != kDone) return code;
  if (args.json) {
    std::printf("%s\n", body.c_str());
  } else {
    print_message(parsed(body));
  }
  return kDone;
}

int status_command(const StatusArgs& args) {
  std::string body;
  if (const int code = get(args.api, "/v1/lanes", body); code != kDone) return code;
  if (args.json) {
    std::printf("%s\n", body.c_str());
    return kDone;
  }
  const json::object answer = parsed(body);
  std::printf("ceiling        %s units/s, cut %s times\n",
              number_at(answer, "ceiling_units_per_s", 3).c_str(),
              text_at(answer, "ceiling_cuts").c_str());
  std::printf("%-14s %9s %9s %9s %9s %9s %9s  %s\n", "lane", "offered/s", "admit/s", "units",
              "batches", "oldest_ms", "in_flight", "pressure");
  const json::value* lanes = answer.if_contains("lanes");
  if (lanes == nullptr || !lanes->is_array()) return kFailed;
  for (const json::value& one : lanes->as_array()) {
    const json::object& lane = one.as_object();
    std::printf("%-14s %9s %9s %9s %9s %9s %9s  %s\n", text_at(lane, "lane").c_str(),
                number_at(lane, "offered_units_per_s", 1).c_str(),
                number_at(lane, "admitted_units_per_s", 1).c_str(),
                number_at(lane, "pending_units", 0).c_str(),
                number_at(lane, "pending_batches", 0).c_str(),
                number_at(lane, "oldest_age_ms", 0).c_str(),
                number_at(lane, "in_flight_batches", 0).c_str(),
                (text_at(lane, "pressure") + (in_shadow(lane) ? ", in shadow" : "")).c_str());
  }
  for (const json::object& lane : objects_at(answer, "lanes"))
    print_stop("lane", lane);
  for (const json::object& one : objects_at(answer, "classes"))
    print_stop("class", one);
  return kDone;
}

}  // namespace weir
