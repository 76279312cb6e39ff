// SPDX-License-Identifier: Apache-2.0
//
// list and resolve: the messages that are here, and what a person says of the unknown ones.
#include <cstdio>

#include "tools/weir/api_words.h"

namespace weir {
namespace {

namespace json = boost::json;

constexpr uint32_t kPage = 500;

void add(std::string& path, const char* name, const std::string& value) {
  if (!value.empty()) path += std::string("&") + name + "=" + percent_encoded(value);
}

void print_line(const json::object& message) {
  std::printf("%-10s %-10s %-21s %9s  %-24s  %s  %s\n", text_at(message, "id").c_str(),
              text_at(message, "state").c_str(), text_at(message, "class").c_str(),
              number_at(message, "cost_units", 0).c_str(), text_at(message, "created_at").c_str(),
              text_at(message, "key").c_str(), text_at(message, "tag").c_str());
}

}  // namespace

// Page by page, until as many are shown as were asked for or there are no more. A page may be empty
// and still have one behind it.
int list_command(const ListArgs& args) {
  json::array all;
  std::string cursor;
  if (!args.json) {
    std::printf("%-10s %-10s %-21s %9s  %-24s  %s\n", "id", "state", "class", "units", "created",
                "key  tag");
  }
  do {
    const uint32_t left = args.limit - static_cast<uint32_t>(all.size());
    std::string path = "/v1/messages?limit=" + std::to_string(left < kPage ? left : kPage);
    add(path, "state", args.state);
    add(path, "class", args.class_name);
    add(path, "key", args.key);
    add(path, "tag", args.tag);
    add(path, "cursor", cursor);
    std::string body;
    if (const int code = get(args.api, path, body); code != kDone) return code;
    const json::object answer = parsed(body);
    const json::value* messages = answer.if_contains("messages");
    if (messages == nullptr || !messages->is_array()) return kFailed;
    for (const json::value& one : messages->as_array()) {
      if (!args.json) print_line(one.as_object());
      all.push_back(one);
    }
    cursor = text_at(answer, "next_cursor");
  } while (!cursor.empty() && all.size() < args.limit);
  if (args.json) std::printf("%s\n", json::serialize(all).c_str());
  return kDone;
}

int resolve_command(const ResolveArgs& args) {
  json::object order;
  order["outcome"] = args.submitted ? "submitted" : "not_submitted";
  order["evidence"] = args.evidence;
  if (!args.batch.empty()) order["batch"] = args.batch;
  std::string body;
  const int code =
      post(args.api, "/v1/messages/" + args.id + "/resolve", json::serialize(order), body);
  if (code != kDone) return code;
  std::printf("%s: %s batches are %s now\n", args.id.c_str(),
              text_at(parsed(body), "resolved_batches").c_str(),
              args.submitted ? "submitted" : "refused");
  return kDone;
}

}  // namespace weir
