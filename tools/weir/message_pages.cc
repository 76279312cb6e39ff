// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/message_pages.h"

#include <algorithm>
#include <cstdio>

#include "tools/weir/api_words.h"

namespace weir {
namespace {

namespace json = boost::json;

constexpr size_t kMostAPage = 500;  // what GET /v1/messages gives at once

std::string query_of(const ListArgs& args) {
  const std::pair<const char*, const std::string*> conditions[] = {
      {"state", &args.state}, {"class", &args.class_name}, {"key", &args.key}, {"tag", &args.tag}};
  std::string query;
  for (const auto& [name, value] : conditions) {
    if (!value->empty()) query += std::string("&") + name + "=" + percent_encoded(*value);
  }
  return query;
}

}  // namespace

MessagesFound find_messages(const ListArgs& args, const AskPage& ask) {
  MessagesFound found;
  std::string cursor;
  do {
    const size_t wanted = std::min<size_t>(args.limit - found.messages.size(), kMostAPage);
    std::string path = "/v1/messages?limit=" + std::to_string(wanted) + query_of(args);
    if (!cursor.empty()) path += "&cursor=" + percent_encoded(cursor);
    std::string body;
    if (found.code = ask(path, body); found.code != kDone) return found;
    const json::object page = parsed(body);
    const json::value* messages = page.if_contains("messages");
    const std::string next = text_at(page, "next_cursor");
    if (messages == nullptr || !messages->is_array() || (!next.empty() && next == cursor)) {
      found.code = complain_of_version();
      return found;
    }
    for (const json::value& one : messages->as_array())
      found.messages.push_back(one);
    cursor = next;
  } while (!cursor.empty() && found.messages.size() < args.limit);
  found.more = !cursor.empty();
  return found;
}

}  // namespace weir
