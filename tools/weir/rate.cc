// SPDX-License-Identifier: Apache-2.0
//
// rate history: the changes of the ceiling, one a line, oldest first.
#include <cstdio>

#include "tools/weir/api_words.h"

namespace weir {

namespace json = boost::json;

int rate_history_command(const RateHistoryArgs& args) {
  std::string path = "/v1/rate/history?limit=" + std::to_string(args.limit);
  if (!args.since.empty()) path += "&since=" + percent_encoded(args.since);
  std::string body;
  if (const int code = get(args.api, path, body); code != kDone) return code;
  if (args.json) {
    std::printf("%s\n", body.c_str());
    return kDone;
  }
  const json::object answer = parsed(body);
  const json::value* changes = answer.if_contains("changes");
  if (changes == nullptr || !changes->is_array()) return kFailed;
  std::printf("%-24s %12s %12s %12s  %-10s %s\n", "at", "from/s", "to/s", "measured/s", "cause",
              "cuts");
  for (const json::value& one : changes->as_array()) {
    const json::object& change = one.as_object();
    std::printf("%-24s %12s %12s %12s  %-10s %s\n", text_at(change, "at").c_str(),
                number_at(change, "from_units_per_s", 3).c_str(),
                number_at(change, "to_units_per_s", 3).c_str(),
                number_at(change, "measured_units_per_s", 3).c_str(),
                text_at(change, "cause").c_str(), text_at(change, "cuts").c_str());
  }
  if (text_at(answer, "more") == "true") std::fprintf(stderr, "older changes are left out\n");
  return kDone;
}

}  // namespace weir
