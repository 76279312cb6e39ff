// SPDX-License-Identifier: Apache-2.0
//
// weir acquire: units for a script that sends by itself.
#include <cstdio>

#include "shim/config/quantities.h"
#include "tools/weir/api_words.h"

namespace weir {
namespace {

namespace json = boost::json;

// The answer may come at the last instant of the wait; a connection that ends before it leaves
// units taken that nobody knows of.
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
         ",\"max_wait_ms\":" + std::to_string(wait.ms()) + "}";
}

}  // namespace

int acquire_command(const AcquireArgs& args) {
  const auto cost = parse_units(args.cost);
  if (!cost) return usage("COST", cost.error().detail);
  const auto wait = parse_duration(args.wait);
  if (!wait) return usage("--wait", wait.error().detail);
  const auto reply = call_api(args.api, "POST", "/v1/acquire", question(args, *cost, *wait),
                              wait->ms() / 1000 + kGraceSeconds);
  if (!reply) {
    std::fprintf(stderr, "%s\n", reply.error().detail.c_str());
    return kNotReachable;
  }
  if (reply->status != 200) return complain(*reply);
  std::printf("%s\n",
              args.json ? reply->body.c_str() : text_at(parsed(reply->body), "lease").c_str());
  return kDone;
}

}  // namespace weir
