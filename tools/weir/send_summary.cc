// SPDX-License-Identifier: Apache-2.0
#include "tools/weir/send_summary.h"

#include <cstdio>

#include <boost/json.hpp>

#include "tools/weir/api_words.h"
#include "tools/weir/commands.h"

namespace weir {
namespace {

namespace json = boost::json;

std::string row(const char* name, const std::string& value) {
  char text[32];
  std::snprintf(text, sizeof text, "%-13s", name);
  return text + value + '\n';
}

std::string counted(const json::object& summary, const char* name) {
  const std::string value = text_at(summary, name);
  return value.empty() ? "0" : value;
}

std::string stopped_words(const std::string& by) {
  if (by == "draining") return "weir is stopping; run the same command again when it is back";
  if (by == "lane_draining" || by == "class_draining") {
    return "a person drains its lane or class (" + by +
           "), so nothing more is taken; run the same command again when it is resumed";
  }
  if (by == "too_large") {
    return "a line is above weir's listen.limits.body_bytes, and ended it; take the line out and "
           "run the same command again";
  }
  if (by == "too_many_refused") {
    return "weir refused too many lines and read no further; mend the file and run the same "
           "command again";
  }
  return "weir read no further (" + shown(by) + "); run the same command again";
}

}  // namespace

std::string summary_text(const SendSummary& what, const UploadAnswer& answer) {
  const json::object summary = answer.summary().value_or(json::object());
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f s", what.elapsed.as_seconds());
  std::string text = row("campaign", shown(what.campaign));
  text += row("handed over", std::to_string(what.messages) + " in " + seconds);
  text += row("accepted", counted(summary, "accepted"));
  const std::string replayed = counted(summary, "replayed");
  text += row("replayed", replayed + (replayed == "0" ? ""
                                                      : "  duplicates in the file, or accepted by "
                                                        "a run before; sent once"));
  text += row("refused", std::to_string(answer.refused()));
  text += row("recipients", counted(summary, "recipients") + "  accepted and replayed");
  text += row("cost_units", counted(summary, "cost_units"));
  for (const json::object& refusal : answer.shown())
    text += "  " + refusal_words(refusal) + '\n';
  if (answer.refused() > answer.shown().size()) {
    text += "  and " + std::to_string(answer.refused() - answer.shown().size()) +
            " more; --refused FILE writes all of them\n";
  }
  if (answer.refused_for_now() > 0) {
    text += std::to_string(answer.refused_for_now()) +
            " of the refused may be taken later: run the same command again\n";
  }
  const std::string by = text_at(summary, "stopped_by");
  if (!by.empty()) text += stopped_words(by) + '\n';
  return text;
}

std::string summary_json(const SendSummary& what, const UploadAnswer& answer) {
  json::object all = answer.summary().value_or(json::object{{"complete", true},
                                                            {"stopped_by", nullptr},
                                                            {"accepted", 0},
                                                            {"replayed", 0},
                                                            {"recipients", 0},
                                                            {"cost_units", 0}});
  all.erase("lines");
  all["campaign"] = what.campaign;
  all["handed_over"] = what.messages;
  all["refused"] = answer.refused();
  all["refused_for_now"] = answer.refused_for_now();
  all["elapsed_ms"] = what.elapsed.ms();
  return json::serialize(all);
}

int exit_code_of(const UploadAnswer& answer) {
  const std::string by = answer.summary() ? text_at(*answer.summary(), "stopped_by") : "";
  if (by.ends_with("draining") || answer.refused_for_now() > 0) return kTryLater;
  return by.empty() && answer.refused() == 0 ? kDone : kFailed;
}

}  // namespace weir
