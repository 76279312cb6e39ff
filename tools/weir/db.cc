// SPDX-License-Identifier: Apache-2.0
//
// db stats, backup, check and compact: the running weir does the work, on its own file.
//
// Exit codes: 75 while another such work is under way; 1 when there is no copy, or one that is not
// whole.
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "tools/weir/api_words.h"
#include "tools/weir/ledger_text.h"

namespace weir {
namespace {

namespace json = boost::json;

// A copy of a large file on a slow disk takes as long as it takes; this only ends what never ends.
constexpr int64_t kMostSeconds = 24 * 3600;

std::variant<ApiReply, int> work(const ApiArgs& api, const std::string& path,
                                 const std::string& question) {
  const auto reply = call_api(api, "POST", path, question, kMostSeconds);
  auto answer = checked(reply);
  if (!reply || reply->status == 200) return answer;
  const std::string code = text_at(parsed(reply->body), "code");
  if (code == "db_busy") return kTryLater;
  // What stands in the way (a file that is there already, a full disk) is not gone by waiting.
  if (code == "store_unavailable") return kFailed;
  return answer;
}

}  // namespace

int db_stats_command(const DbStatsArgs& args) {
  std::string body;
  if (const int code = get(args.api, "/v1/db", body); code != kDone) return code;
  std::fputs(args.json ? (body + "\n").c_str() : db_stats_text(parsed(body)).c_str(), stdout);
  return kDone;
}

int db_backup_command(const DbBackupArgs& args) {
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::absolute(args.path, failed);
  if (failed) {
    std::fprintf(stderr, "PATH: %s\n", failed.message().c_str());
    return kFailed;
  }
  const json::object question = {{"path", path.lexically_normal().string()}};
  const auto answer = work(args.api, "/v1/db/backup", json::serialize(question));
  if (const int* code = std::get_if<int>(&answer)) return *code;
  const json::object made = parsed(std::get<ApiReply>(answer).body);
  std::printf("%s: %s, %s messages, whole\n", text_at(made, "path").c_str(),
              bytes_at(made, "bytes").c_str(), text_at(made, "messages").c_str());
  return kDone;
}

int db_check_command(const DbArgs& args) {
  const auto answer = work(args.api, "/v1/db/check", "{}");
  if (const int* code = std::get_if<int>(&answer)) return *code;
  const json::object check = parsed(std::get<ApiReply>(answer).body);
  std::fputs(db_check_text(check).c_str(), stdout);
  return text_at(check, "whole") == "true" ? kDone : kFailed;
}

int db_compact_command(const DbArgs& args) {
  const auto answer = work(args.api, "/v1/db/compact", "{}");
  if (const int* code = std::get_if<int>(&answer)) return *code;
  const json::object done = parsed(std::get<ApiReply>(answer).body);
  std::printf("%s before, %s now\n", bytes_at(done, "bytes_before").c_str(),
              bytes_at(done, "bytes_after").c_str());
  return kDone;
}

}  // namespace weir
