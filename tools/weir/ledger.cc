// SPDX-License-Identifier: Apache-2.0
//
// list, resolve and release-quarantine: what a person sees of the ledger, and decides about it.
#include <cstdio>
#include <iostream>
#include <string>

#include <unistd.h>

#include "tools/weir/api_words.h"
#include "tools/weir/ledger_text.h"
#include "tools/weir/message_pages.h"

namespace weir {
namespace {

namespace json = boost::json;

int say_not_quarantined() {
  std::puts("not in quarantine; weir sends as it always does");
  return kDone;
}

// A person at a terminal says y, or nothing happens.
bool is_confirmed() {
  if (isatty(STDIN_FILENO) == 0) {
    std::fprintf(stderr, "nothing was changed: nobody is there to be asked, so --yes is needed\n");
    return false;
  }
  std::fprintf(stderr, "Send these? [y/N] ");
  std::string line;
  std::getline(std::cin, line);
  if (line == "y" || line == "Y" || line == "yes") return true;
  std::fprintf(stderr, "nothing was changed\n");
  return false;
}

}  // namespace

int list_command(const ListArgs& args) {
  const MessagesFound found = find_messages(
      args,
      [&args](const std::string& path, std::string& body) { return get(args.api, path, body); });
  if (found.code != kDone) return found.code;
  if (args.json) {
    std::printf("%s\n", json::serialize(found.messages).c_str());
    return kDone;
  }
  std::fputs(message_table(found.messages).c_str(), stdout);
  if (found.more) std::fprintf(stderr, "there may be older ones; --limit shows more\n");
  return kDone;
}

int resolve_command(const ResolveArgs& args) {
  json::object question;
  question["outcome"] = args.submitted ? "submitted" : "not_submitted";
  question["evidence"] = args.evidence;
  if (args.batch) question["batch"] = *args.batch;
  const auto answer =
      checked(call_api(args.api, "POST", "/v1/messages/" + percent_encoded(args.id) + "/resolve",
                       json::serialize(question)));
  if (const int* code = std::get_if<int>(&answer)) return *code;
  const json::object done = parsed(std::get<ApiReply>(answer).body);
  std::printf("%s: %s known to be %s now\n", args.id.c_str(),
              batches_text(text_at(done, "resolved_batches")).c_str(),
              args.submitted ? "submitted" : "not submitted");
  return kDone;
}

int release_quarantine_command(const ReleaseQuarantineArgs& args) {
  std::string body;
  if (const int code = get(args.api, "/v1/quarantine", body); code != kDone) return code;
  const json::object quarantine = parsed(body);
  const std::string held = text_at(quarantine, "quarantined");
  if (held == "false") return say_not_quarantined();
  if (held != "true") return complain_of_version();
  std::fputs(quarantine_text(quarantine).c_str(), stdout);
  std::fflush(stdout);
  if (!args.yes && !is_confirmed()) return kFailed;
  const auto reply = call_api(args.api, "POST", "/v1/quarantine/release", "{}");
  // Somebody else was faster.
  if (reply && reply->status == 409) return say_not_quarantined();
  const auto answer = checked(reply);
  if (const int* code = std::get_if<int>(&answer)) return *code;
  std::puts("released; what waits is sent");
  return kDone;
}

}  // namespace weir
