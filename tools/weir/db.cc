// SPDX-License-Identifier: Apache-2.0
//
// db and release-quarantine: the database of a running weir as a whole, through its socket.
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>

#include <unistd.h>

#include "tools/weir/api_words.h"

namespace weir {
namespace {

namespace json = boost::json;

void print_stats(const json::object& stats) {
  for (const char* field : {"file_bytes", "unused_bytes", "log_bytes", "disk_free_bytes",
                            "schema_version", "sqlite_version"}) {
    std::printf("%-16s %s\n", field, text_at(stats, field).c_str());
  }
  const json::value* unknown = stats.if_contains("unknown");
  if (unknown != nullptr && unknown->is_object()) {
    const std::string age = text_at(unknown->as_object(), "oldest_age_ms");
    std::printf("%-16s %s batches%s%s\n", "unknown",
                text_at(unknown->as_object(), "batches").c_str(),
                age.empty() ? "" : ", the oldest for ms: ", age.c_str());
  }
  const json::value* lanes = stats.if_contains("lanes");
  if (lanes == nullptr || !lanes->is_array()) return;
  for (const json::value& one : lanes->as_array()) {
    for (const auto& [state, tally] : one.as_object()) {
      if (!tally.is_object()) continue;
      std::printf("%-16s %-10s %s batches, %s units\n", text_at(one.as_object(), "lane").c_str(),
                  std::string(state).c_str(), text_at(tally.as_object(), "batches").c_str(),
                  number_at(tally.as_object(), "cost_units", 0).c_str());
    }
  }
}

int print_faults(const json::object& answer) {
  const json::value* faults = answer.if_contains("faults");
  if (faults != nullptr && faults->is_array()) {
    for (const json::value& one : faults->as_array())
      std::printf("fault: %s\n", one.as_string().c_str());
  }
  const bool whole = text_at(answer, "whole") == "true";
  std::printf("%s: %s messages, %s bytes\n", whole ? "whole" : "damaged",
              text_at(answer, "messages").c_str(), text_at(answer, "bytes").c_str());
  return whole ? kDone : kFailed;
}

bool person_agrees() {
  std::printf("Send these? [y/N] ");
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace

int db_stats_command(const DbStatsArgs& args) {
  std::string body;
  if (const int code = get(args.api, "/v1/db", body); code != kDone) return code;
  if (args.json) {
    std::printf("%s\n", body.c_str());
  } else {
    print_stats(parsed(body));
  }
  return kDone;
}

int db_backup_command(const DbBackupArgs& args) {
  json::object order;
  order["path"] = std::filesystem::absolute(args.path).string();
  std::string body;
  const int code = post(args.api, "/v1/db/backup", json::serialize(order), body);
  if (code != kDone) return code;
  const json::object answer = parsed(body);
  std::printf("%s: %s messages, %s bytes, looked through and whole\n",
              text_at(answer, "path").c_str(), text_at(answer, "messages").c_str(),
              text_at(answer, "bytes").c_str());
  return kDone;
}

int db_check_command(const DbArgs& args) {
  std::string body;
  if (const int code = post(args.api, "/v1/db/check", "{}", body); code != kDone) return code;
  return print_faults(parsed(body));
}

int db_compact_command(const DbArgs& args) {
  std::string body;
  if (const int code = post(args.api, "/v1/db/compact", "{}", body); code != kDone) return code;
  const json::object answer = parsed(body);
  std::printf("%s bytes before, %s after\n", text_at(answer, "bytes_before").c_str(),
              text_at(answer, "bytes_after").c_str());
  return kDone;
}

int release_quarantine_command(const ReleaseQuarantineArgs& args) {
  std::string body;
  if (const int code = get(args.api, "/v1/quarantine", body); code != kDone) return code;
  const json::object found = parsed(body);
  if (text_at(found, "quarantined") != "true") {
    std::printf("the database is not in quarantine\n");
    return kDone;
  }
  std::printf("in quarantine: %s\n", text_at(found, "reason").c_str());
  const json::value* lanes = found.if_contains("lanes");
  if (lanes == nullptr || !lanes->is_array()) return kFailed;
  for (const json::value& one : lanes->as_array()) {
    const json::object& lane = one.as_object();
    std::printf("would go out: %-14s %s batches, %s units\n", text_at(lane, "lane").c_str(),
                text_at(lane, "pending_batches").c_str(),
                number_at(lane, "pending_units", 0).c_str());
  }
  std::printf("unknown, and not sent in any case: %s batches\n",
              text_at(found, "unknown_batches").c_str());
  if (!args.yes && isatty(STDIN_FILENO) == 0) {
    std::fprintf(stderr, "nothing was changed; say --yes to send these\n");
    return kFailed;
  }
  if (!args.yes && !person_agrees()) return kFailed;
  if (const int code = post(args.api, "/v1/quarantine/release", "{}", body); code != kDone) {
    return code;
  }
  std::printf("released\n");
  return kDone;
}

}  // namespace weir
