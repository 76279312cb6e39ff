// SPDX-License-Identifier: Apache-2.0
//
// The verbs of the `weir` command: what each is given, and its exit code. main.cc parses the
// command line into these; one file a verb carries it out.
//
// Data goes to stdout, messages to stderr. Exit codes: 0 done, 1 failed, 2 usage or configuration,
// 3 not found, 69 weir not reachable, 75 try later. send --file is made to be run again, so there a
// weir that is not reachable is 75, too, and a signal that ended it is 128 and its number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kNotFound = 3;
inline constexpr int kNotReachable = 69;  // EX_UNAVAILABLE of sysexits
inline constexpr int kTryLater = 75;      // EX_TEMPFAIL of sysexits

std::string version_text();

struct RunArgs {
  std::string config = "/etc/weir/weir.yaml";
};
int run_command(const RunArgs& args);

struct CheckArgs {
  std::string config = "/etc/weir/weir.yaml";
};
int check_command(const CheckArgs& args);

// Where a running weir is; empty: $WEIR_SOCKET, then the usual places.
struct ApiArgs {
  std::string socket;      // path of its unix socket
  std::string url;         // or http://127.0.0.1:8025
  std::string key_file{};  // a producer's key; empty: $WEIR_KEY with a url, else none
};

struct SendArgs {
  ApiArgs api;
  std::string class_name;
  std::vector<std::string> to;
  std::string body;  // "-": from stdin
  std::string sender;
  std::string key;
  std::string tag;
  std::string deadline;
  std::vector<std::string> params;  // NAME=VALUE
  bool test = false;
  bool json = false;
  uint32_t wait_s = 0;  // follow the message until its outcome or so long
};
int send_command(const SendArgs& args);

struct SendFileArgs {
  SendArgs message;    // what all have in common
  std::string file;    // "-": stdin
  std::string format;  // csv or ndjson; empty: as the file's name ends
  std::string to_column = "to";
  std::string template_id;
  std::string campaign;               // empty: the file's name
  std::string refused;                // a file for all refusals
  std::string progress_every = "5s";  // where stderr is no terminal
};
int send_file_command(const SendFileArgs& args);

struct ShowArgs {
  ApiArgs api;
  std::string id;
  bool json = false;
};
int show_command(const ShowArgs& args);

struct StatusArgs {
  ApiArgs api;
  bool json = false;
};
int status_command(const StatusArgs& args);

struct ListArgs {
  ApiArgs api;
  std::string state;
  std::string class_name;
  std::string key;
  std::string tag;
  uint32_t limit = 50;
  bool json = false;
};
int list_command(const ListArgs& args);

struct ResolveArgs {
  ApiArgs api;
  std::string id;
  bool submitted = false;  // exactly one of the two
  bool not_submitted = false;
  std::string evidence;
  std::optional<std::string> batch;  // none: all unknown ones of the message
};
int resolve_command(const ResolveArgs& args);

struct CancelArgs {
  ApiArgs api;
  std::optional<std::string> id;  // exactly one of the three
  std::optional<std::string> key;
  std::optional<std::string> tag;
  bool json = false;
};
int cancel_command(const CancelArgs& args);

struct StopArgs {
  ApiArgs api;
  std::string lane;  // exactly one of the two
  std::string class_name;
  std::string reason;  // not of a resume
};
int pause_command(const StopArgs& args);
int drain_command(const StopArgs& args);
int resume_command(const StopArgs& args);

struct DbArgs {
  ApiArgs api;
};
int db_check_command(const DbArgs& args);
int db_compact_command(const DbArgs& args);

struct DbStatsArgs {
  ApiArgs api;
  bool json = false;
};
int db_stats_command(const DbStatsArgs& args);

struct DbBackupArgs {
  ApiArgs api;
  std::string path;
};
int db_backup_command(const DbBackupArgs& args);

struct ReleaseQuarantineArgs {
  ApiArgs api;
  bool yes = false;  // without asking
};
int release_quarantine_command(const ReleaseQuarantineArgs& args);

struct AcquireArgs {
  ApiArgs api;
  std::string class_name;  // or:
  std::string bucket;
  std::string cost;         // units, a decimal
  std::string wait = "0s";  // at most, for the units to be there
  std::string refund;       // a lease, to be given back instead
  bool shadow = false;
  bool json = false;
};
int acquire_command(const AcquireArgs& args);

struct RateHistoryArgs {
  ApiArgs api;
  std::string since;  // RFC 3339; empty: as far back as `limit` reaches
  uint32_t limit = 50;
  bool json = false;
};
int rate_history_command(const RateHistoryArgs& args);

struct ShadowReportArgs {
  ApiArgs api;
  bool json = false;
};
int shadow_report_command(const ShadowReportArgs& args);

struct SizeArgs {
  ApiArgs api;
  double factor = 2;        // room above what was seen
  bool per_second = false;  // the provider counts by the second
  bool json = false;
};
int size_command(const SizeArgs& args);

struct CostArgs {
  std::string body;  // "-": one body a line from stdin
  bool json_strings = false;
  bool json = false;
  uint64_t recipients = 1;
};
int cost_command(const CostArgs& args);

struct CostVerifyArgs {
  std::string config = "/etc/weir/weir.yaml";
  std::string file;  // "-": stdin; empty: none
  bool json_strings = false;
  bool templates = false;  // those of the running weir
  ApiArgs api;             // empty: where the configuration says that it listens
  double rate_per_s = 2;   // of calls: it is not what the account is for
  bool json = false;
};
int cost_verify_command(const CostVerifyArgs& args);

struct FakeGatewayArgs {
  std::string listen = "127.0.0.1:8026";
  std::string ceiling = "50";   // units/s
  std::string capacity = "1s";  // of refill
  std::string latency = "50ms";
  std::string script;
  std::string api_key_file;
  std::string disagree;  // about prices: divided, gsm-as-unicode or off-by-one
};
int fake_gateway_command(const FakeGatewayArgs& args);

}  // namespace weir
