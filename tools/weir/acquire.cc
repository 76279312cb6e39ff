// SPDX-License-Identifier: Apache-2.0
//
// weir acquire: units for a script that sends by itself, and back again.
//
// The lease is all that stdout gets, so that a script can keep it. Exit codes: 0 granted or given
// back, 75 the units are not there (or weir is stopping): try later, 2 it can never be, 3 no such
// lease (any more), 69 no weir answers.
#include <cstdio>
#include <variant>

#include "shim/config/quantities.h"
#include "tools/weir/api_words.h"

namespace weir {
namespace {

namespace json = boost::json;

// The answer may come at the last instant of the wait.
constexpr int64_t kGraceSeconds = 10;

int usage(const char* what, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", what, why.c_str());
  return kUsage;
}

std::string question(const AcquireArgs& args, Units cost, Duration wait) {
  const std::string source = args.bucket.empty()
                                 ? "\"class\":" + json::serialize(json::value(args.class_name))
                                 : "\"bucket\":" + json::serialize(json::value(args.bucket));
  return "{" + source + ",\"cost_units\":" + format_units(cost) +
         ",\"max_wait_ms\":" + std::to_string(wait.ms()) +
         (args.shadow ? ",\"shadow\":true}" : "}");
}

int refund(const AcquireArgs& args) {
  const auto answer =
      checked(call_api(args.api, "POST", "/v1/leases/" + percent_encoded(args.refund) + "/refund"));
  if (const int* code = std::get_if<int>(&answer)) return *code;
  const std::string& body = std::get<ApiReply>(answer).body;
  if (args.json) std::printf("%s\n", body.c_str());
  return kDone;
}

}  // namespace

int acquire_command(const AcquireArgs& args) {
  if (!args.refund.empty()) return refund(args);
  const auto cost = parse_units(args.cost);
  if (!cost) return usage("COST", cost.error().detail);
  const auto wait = parse_duration(args.wait);
  if (!wait) return usage("--wait", wait.error().detail);
  const auto answer =
      checked(call_api(args.api, "POST", "/v1/acquire", question(args, *cost, *wait),
                       wait->ms() / 1000 + kGraceSeconds));
  if (const int* code = std::get_if<int>(&answer)) return *code;
  const std::string& body = std::get<ApiReply>(answer).body;
  const json::object granted = parsed(body);
  std::printf("%s\n", args.json ? body.c_str() : text_at(granted, "lease").c_str());
  if (args.shadow && !args.json) {
    std::fprintf(stderr, "it would have waited %s ms\n", text_at(granted, "would_wait_ms").c_str());
  }
  return kDone;
}

}  // namespace weir
