// SPDX-License-Identifier: Apache-2.0
//
// shadow report and size: what the running weir has recorded, and what follows from it.
#include <cstdio>

#include "shim/front/json_writer.h"
#include "tools/weir/api_words.h"
#include "tools/weir/shadow_reply.h"
#include "tools/weir/shadow_text.h"
#include "tools/weir/sizing.h"

namespace weir {
namespace {

// The answer and what it says; or else the exit code, with the reason on stderr.
int ask(const ApiArgs& api, std::string& body, ShadowReport& report) {
  if (const int code = get(api, "/v1/shadow", body); code != kDone) return code;
  const auto read = read_shadow(body);
  if (!read) {
    std::fprintf(stderr, "the answer is not that of a weir of this version\n");
    return kFailed;
  }
  report = *read;
  return kDone;
}

void write_texts(JsonWriter& json, const char* key, const std::vector<std::string>& texts) {
  json.key(key).open_array();
  for (const std::string& one : texts)
    json.text(one);
  json.close_array();
}

std::string sizing_json(const ShadowReport& report, const SizingWish& wish, const Sizing& sizing) {
  JsonWriter json;
  json.open_object();
  json.key("since").time(report.since);
  json.key("recorded_ms").integer(report.recorded.ms());
  json.key("factor").rate(wish.factor);
  json.key("per_second").flag(wish.per_second);
  json.key("rate_units_per_s").rate(sizing.rate_units_per_s);
  json.key("capacity_ms").integer(int64_t{sizing.capacity_s} * 1000);
  json.key("reserves").open_object();
  for (Lane lane : kAllLanes)
    json.key(name(lane)).rate(sizing.reserve_percent[index(lane)] / 100.0);
  json.close_object();
  json.key("otp_limit").rate(sizing.otp_limit_percent / 100.0);
  write_texts(json, "reasons", sizing.reasons);
  write_texts(json, "warnings", sizing.warnings);
  json.key("yaml").text(sizing.yaml);
  json.close_object();
  return json.take();
}

}  // namespace

int shadow_report_command(const ShadowReportArgs& args) {
  std::string body;
  ShadowReport report;
  if (const int code = ask(args.api, body, report); code != kDone) return code;
  std::fputs(args.json ? (body + "\n").c_str() : shadow_text(report).c_str(), stdout);
  return kDone;
}

int size_command(const SizeArgs& args) {
  std::string body;
  ShadowReport report;
  if (const int code = ask(args.api, body, report); code != kDone) return code;
  const SizingWish wish{args.factor, args.per_second};
  const auto sizing = size(report, wish);
  if (!sizing) {
    std::fprintf(stderr,
                 "nothing was offered in the %s since this weir started; let it run over a day "
                 "with its busiest hour\n",
                 span_text(report.recorded).c_str());
    return kTryLater;
  }
  if (args.json) {
    std::printf("%s\n", sizing_json(report, wish, *sizing).c_str());
    return kDone;
  }
  for (const std::string& one : sizing->reasons)
    std::printf("# %s\n", one.c_str());
  for (const std::string& one : sizing->warnings)
    std::printf("# Mind: %s\n", one.c_str());
  std::fputs(sizing->yaml.c_str(), stdout);
  return kDone;
}

}  // namespace weir
